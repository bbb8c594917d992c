/** The judging page: one key saves an answer and shows the next pair. */

import { request } from "../shared/api.js";
import { createGuard, keyOn, onPainted, startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { Outbox, memoryStore, openStore } from "../shared/outbox.js";
import { AHEAD, Queue, Supply } from "../shared/queue.js";
import { sentenceNode } from "../shared/text.js";

const bootstrap = JSON.parse(document.getElementById("bootstrap").textContent);
const { urls } = bootstrap;
const batch = bootstrap.queue.batch.id;
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const action = (name) => document.querySelector(`[data-action="${name}"]`);
const sides = { a: document.querySelector('[data-side="a"]'), b: document.querySelector('[data-side="b"]') };
const commentDialog = document.getElementById("comment");
const commentText = document.getElementById("comment-text");
const labelButtons = [...document.querySelectorAll("[data-label]")];
const guard = createGuard(150);
const timings = (window.paragoldTimings = []);
const assignmentUrl = (id, rest = "") => urls.assignment.replace(/\/0\/$/, `/${id}/`) + rest;
const draftName = (item) => `paragold-comment-${item.assignment}`;

let queue, outbox, supply;
let pace = null;
let paintedAt = 0;
let pressedAt = null; // when the key went down that is being acted on
let looks = { differences: false, context: false };
let recalled = false;

function nameOf({ label, skipped }) {
  if (skipped) return "skipped";
  return (labelButtons.find((button) => button.dataset.label === label)?.dataset.name ?? label ?? "open").toLowerCase();
}

function save(item, { label = null, skipped = false, phenomena } = {}, milliseconds = 0) {
  const { flagged, comment, version } = item;
  const body = { label, skipped, flagged, comment, version, milliseconds: Math.round(milliseconds), phenomena };
  sessionStorage.removeItem(draftName(item));
  return outbox.put({ assignment: item.assignment, batch, url: assignmentUrl(item.assignment, "judgement/"), body, item });
}

function answer(given) {
  const now = pressedAt ?? performance.now();
  if (!queue.current || !guard.accepts(now)) return;
  const spent = now - paintedAt;
  const item = queue.answer(given);
  save(item, given, spent);
  paint(`Saved: ${nameOf(given)}.`);
  onPainted(() => {
    keepPace(given.label == null ? null : spent);
    supply.refill();
  });
}

async function undo() {
  if (!queue.past.length && !recalled) recalled = await (await later.panels()).recall(queue, urls.history, ownEntries());
  const last = queue.undo();
  if (!last) return say("There is nothing to take back.");
  save(last.item);
  if (last.answer.label != null) pace?.takeBack();
  paint(`Taken back: ${nameOf(last.answer)}.`, `Taken back: ${nameOf(last.answer)}`);
}

function redo() {
  const again = queue.redo();
  if (!again) return say("There is nothing to give again.");
  save(again.item, again.answer);
  paint(`Given again: ${nameOf(again.answer)}.`);
}

function ownEntries() { return outbox.entries.filter((entry) => entry.batch === batch); }

/** A flag or a comment is saved at once and leaves the pair open. */
function amend(changes, said) {
  const item = Object.assign(queue.current, changes);
  save(item);
  paintAsides();
  say(said);
}

function flag() {
  const flagged = !queue.current?.flagged;
  if (queue.current) amend({ flagged }, flagged ? "Flagged." : "The flag is off.");
}

function comment() {
  if (!queue.current) return;
  commentText.value = queue.current.comment;
  commentDialog.showModal();
}

function closeComment() {
  if (queue.current && commentText.value !== queue.current.comment) amend({ comment: commentText.value }, "Comment saved.");
}

function paint(said = "", earlier = "") {
  const item = queue.current;
  looks = { differences: false, context: false };
  part("pair").hidden = part("looks").hidden = !item;
  if (item) part("finished").hidden = true;
  part("earlier").textContent = earlier || (item?.first ? `Second pass: people differ on this pair. Your first answer: ${nameOf({ label: item.first })}.` : "");
  paintCounts();
  if (item) {
    item.comment = sessionStorage.getItem(draftName(item)) ?? item.comment;
    paintSentences();
    if (scrollY) scrollTo(0, 0);
  }
  paintAsides();
  paintedAt = performance.now();
  guard.painted(paintedAt);
  afterPaint(pressedAt ?? paintedAt, item, said);
  if (!item) {
    finish(supply.exhausted ? "done" : "fetching");
    supply.refill({ force: true });
  }
}

function paintSentences(only = null) {
  for (const [side, block] of Object.entries(sides)) {
    block.querySelector('[data-part="sentence"]').replaceChildren(sentenceNode(queue.current[side], only?.[side]));
    if (looks.context) continue;
    for (const place of block.querySelectorAll('[data-part]:not([data-part="sentence"])')) {
      place.replaceChildren();
      place.hidden = true;
    }
  }
}

function afterPaint(from, item, said) {
  performance.mark("paragold:key", { startTime: from });
  onPainted(() => {
    const { startTime } = performance.mark("paragold:painted");
    paintedAt = startTime;
    guard.painted(startTime);
    timings.push({ assignment: item?.assignment ?? null, milliseconds: startTime - from });
    if (said && item && item === queue.current) say(`${said} ${item.first ? `Disputed, your first answer was ${nameOf({ label: item.first })}. ` : ""}Pair ${item.position} of ${queue.total}. First sentence: ${item.a.text} Second sentence: ${item.b.text}`);
  });
}

function paintAsides() {
  const item = queue.current;
  for (const button of labelButtons) button.disabled = !item;
  for (const name of ["skip", "flag", "comment"]) action(name).disabled = !item;
  action("flag").setAttribute("aria-pressed", String(Boolean(item?.flagged)));
  action("comment").setAttribute("aria-pressed", String(Boolean(item?.comment)));
  for (const name of ["differences", "context"]) action(name).setAttribute("aria-pressed", String(looks[name]));
  action("redo").hidden = !queue.future.length;
}

function paintCounts() {
  const { unsynced, failing } = outbox.counts;
  part("counter").textContent = `${queue.done} of ${queue.total}`;
  part("progress").max = queue.total || 1;
  part("progress").value = queue.done;
  const badge = part("unsynced");
  badge.hidden = unsynced === 0;
  badge.firstElementChild.textContent = `${unsynced} unsynced`;
  badge.lastElementChild.hidden = !failing;
  if (failing || part("network").textContent) later.announce().then(({ tellNetwork }) => tellNetwork(part("network"), outbox.counts), () => {});
}

/** The page without a pair: "fetching", "lost" (no answer from the server) or "done". */
async function finish(state, error = null) {
  const { endingWords } = await later.panels();
  if (queue.current) return;
  const [title, text] = endingWords(state, { total: queue.total, skipped: queue.skipped, unsynced: outbox.counts.unsynced, undoKey: keyOn(action("undo")), error });
  part("finished").hidden = false;
  part("finished-title").textContent = title;
  part("finished-text").textContent = text;
  action("reload").hidden = state !== "lost";
  if (state === "fetching") return;
  say(`${title}. ${text}`);
  part("finished").focus({ preventScroll: true });
}

/** The parts that the first pair does not need come with the first key or touch, before the network can go away. */
const later = {
  announce: () => import("../shared/announce.js"), login: () => import("../shared/login.js"), looks: () => import("./looks.js"),
  pace: () => import("../shared/pace.js"), panels: () => import("./panels.js"),
};

function loadLater() {
  for (const load of Object.values(later)) load().catch(() => {});
}

async function say(message) {
  const { announce } = await later.announce();
  announce(part("live"), message);
}

async function keepPace(milliseconds) {
  const { createPace, paceLines } = await later.pace();
  pace ??= createPace();
  if (milliseconds !== null) pace.record(milliseconds);
  const { sittingNodes } = await later.panels();
  part("pace").replaceChildren(...sittingNodes(paceLines(pace.summary(), queue.left)));
}

async function look(name) {
  const item = queue.current;
  if (!item) return;
  looks[name] = !looks[name];
  paintAsides();
  try {
    const { showLook } = await later.looks();
    const stillHere = () => item === queue.current;
    const said = await showLook(name, looks, { item, sides, url: assignmentUrl(item.assignment, "context/"), paint: paintSentences, stillHere });
    if (said) say(said);
  } catch {
    say("This needs the network.");
  }
}

/** The session has ended: the login comes to the page, and what waits is sent after it. */
async function askLogin() {
  document.removeEventListener("paragold:logged-out", askLogin);
  const { offerLogin } = await later.login();
  offerLogin(() => {
    outbox.retryNow();
    if (!queue.current) supply.refill({ force: true });
  });
  document.dispatchEvent(new Event("paragold:logged-out"));
}

async function notify(entry) {
  const { showNotice } = await later.panels();
  showNotice(entry, { outbox, queue, nameOf, place: part("notices"), repaint: () => paint() });
}

const actions = {
  undo, redo, flag, comment, skip: () => answer({ label: null, skipped: true }),
  differences: () => look("differences"), context: () => look("context"),
  sync: () => outbox.retryNow(), reload: () => supply.refill({ force: true }),
};

async function start() {
  const store = await openStore().catch(() => null);
  outbox = new Outbox({
    user: bootstrap.user,
    store: store ?? memoryStore(),
    send: ({ url, body, key }) => request(url, { method: "PUT", body, headers: { "Idempotency-Key": key } }),
    channel: new BroadcastChannel(`paragold-outbox-${bootstrap.user}`),
    onChange: () => queue && paintCounts(),
    onAcknowledged: (entry, data) => supply.acknowledge(entry.assignment, data, { counts: entry.batch === batch }),
    onParked: notify,
    onElsewhere: (entry) => entry.batch === batch && (entry.body.label ?? entry.body.skipped) && queue.forget(entry.assignment) && paint("Answered in another tab."),
    onUnkept: async () => (await later.panels()).warnUnkept(part("notices")),
  });
  await outbox.load();
  queue = new Queue(bootstrap.queue, ownEntries());
  supply = new Supply({
    queue, outbox, ask: (limit) => request(`${urls.queue}?limit=${limit}`), counted: paintCounts, shown: () => paint(),
    ended: (state, given) => (state === "lost" ? finish(state, given) : finish(given.paused ? "paused" : state)),
  });
  supply.exhausted = bootstrap.queue.items.length < AHEAD;
  wireDialogs();
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-label], [data-action]");
    if (button?.dataset.label) answer({ label: button.dataset.label, skipped: false });
    else if (button) actions[button.dataset.action]();
  });
  document.addEventListener("paragold:logged-out", askLogin);
  document.addEventListener("paragold:answer", ({ detail }) => answer(detail)); // from phenomena.js
  startKeyboard({
    activate(button, event) {
      pressedAt = event.timeStamp;
      button.click();
      pressedAt = null;
    },
  });
  for (const first of ["keydown", "pointerdown"]) addEventListener(first, () => onPainted(loadLater), { once: true });
  commentText.addEventListener("input", () => sessionStorage.setItem(draftName(queue.current), commentText.value));
  commentDialog.addEventListener("close", closeComment);
  addEventListener("online", () => { outbox.retryNow(); if (!queue.current) supply.refill({ force: true }); });
  paint();
  if (!store) outbox.onUnkept();
  for (const entry of outbox.entries) if (entry.parked) notify(entry);
  outbox.flush();
  // Of the first items those are gone that wait in the outbox: the next ones come before they are needed.
  if (ownEntries().length) supply.refill();
}

start();
