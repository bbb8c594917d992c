/** The judging page: one key saves an answer and shows the next pair. */

import { request } from "../shared/api.js";
import { createGuard, keyOn, onPainted, startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { Outbox, memoryStore, openStore } from "../shared/outbox.js";
import { action, around, embedded, find, paintProgress, part } from "../shared/page.js";
import { AHEAD, Queue, Supply } from "../shared/queue.js";
import { sentenceNode, SIDES } from "../shared/text.js";

/**
 * @typedef {import("../shared/outbox.js").Entry} Entry
 * @typedef {import("../shared/queue.js").Answer} Answer
 * @typedef {import("../shared/text.js").Sentence} Sentence
 * @typedef {import("../shared/text.js").Side} Side
 * @typedef {import("./looks.js").Looks} Looks
 *
 * A pair to judge; `first` is the person's own first answer where the pair is in dispute.
 * @typedef {import("../shared/api.js").Item & Record<Side, Sentence> & { first?: string | null }} Pair
 */

const bootstrap = embedded("bootstrap");
/** @type {Record<"assignment" | "history" | "queue", string>} */
const urls = bootstrap.urls;
/** @type {number} */
const batch = bootstrap.queue.batch.id;
const sides = { a: find('[data-side="a"]'), b: find('[data-side="b"]') };
const commentDialog = find("#comment", HTMLDialogElement);
const commentText = find("#comment-text", HTMLTextAreaElement);
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-label]");
const labelButtons = [...buttons];
const guard = createGuard(150);
/** @type {{ assignment: number | null, milliseconds: number }[]} */
const timings = [];
Object.assign(window, { paragoldTimings: timings });
/** @param {number} id */
const assignmentUrl = (id, rest = "") => urls.assignment.replace(/\/0\/$/, `/${id}/`) + rest;
/** @param {Pair} item */
const draftName = (item) => `paragold-comment-${item.assignment}`;

/** @type {Queue<Pair>} */
let queue;
/** @type {Outbox} */
let outbox;
/** @type {Supply} */
let supply;
/** @type {ReturnType<import("../shared/pace.js").createPace> | null} */
let pace = null;
let paintedAt = 0;
/** @type {number | null} */
let pressedAt = null; // when the key went down that is being acted on
/** @type {Looks} */
let looks = { differences: false, context: false };
let recalled = false;

/** @param {{ label?: string | null, skipped?: boolean }} answer */
function nameOf({ label, skipped }) {
  if (skipped) return "skipped";
  const button = labelButtons.find((one) => one.dataset.label === label);
  return (button?.dataset.name ?? label ?? "open").toLowerCase();
}

/** @param {Pair} item @param {Partial<Answer>} answer */
function save(item, answer = {}, milliseconds = 0) {
  const { label = null, skipped = false, phenomena } = answer;
  const { assignment, flagged, comment, version } = item;
  const spent = Math.round(milliseconds);
  const body = { label, skipped, flagged, comment, version, milliseconds: spent, phenomena };
  sessionStorage.removeItem(draftName(item));
  return outbox.put({ assignment, batch, url: assignmentUrl(assignment, "judgement/"), body, item });
}

/** @param {Answer} given */
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
  if (!queue.past.length && !recalled) {
    const { recall } = await later.panels();
    recalled = await recall(queue, urls.history, ownEntries());
  }
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

/**
 * A flag or a comment is saved at once and leaves the pair open.
 * @param {Pair} item @param {{ flagged?: boolean, comment?: string }} changes @param {string} said
 */
function amend(item, changes, said) {
  save(Object.assign(item, changes));
  paintAsides();
  say(said);
}

function flag() {
  const item = queue.current;
  if (item) amend(item, { flagged: !item.flagged }, item.flagged ? "The flag is off." : "Flagged.");
}

function comment() {
  if (!queue.current) return;
  commentText.value = queue.current.comment;
  commentDialog.showModal();
}

function closeComment() {
  const item = queue.current;
  const comment = commentText.value;
  if (item && comment !== item.comment) amend(item, { comment }, "Comment saved.");
}

function paint(said = "", earlier = "") {
  const item = queue.current;
  looks = { differences: false, context: false };
  part("pair").hidden = part("looks").hidden = !item;
  if (item) part("finished").hidden = true;
  const first = item?.first ? `Your first answer: ${nameOf({ label: item.first })}.` : "";
  part("earlier").textContent = earlier || (first && `Second pass: people differ on this pair. ${first}`);
  paintCounts();
  if (item) {
    item.comment = sessionStorage.getItem(draftName(item)) ?? item.comment;
    paintSentences(item);
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

/** @param {Pair} item @param {Record<Side, Set<number>> | null} only the tokens to mark */
function paintSentences(item, only = null) {
  for (const side of SIDES) {
    part("sentence", HTMLElement, sides[side]).replaceChildren(sentenceNode(item[side], only?.[side]));
    if (looks.context) continue;
    /** @type {NodeListOf<HTMLElement>} */
    const others = sides[side].querySelectorAll('[data-part]:not([data-part="sentence"])');
    for (const place of others) {
      place.replaceChildren();
      place.hidden = true;
    }
  }
}

/** @param {number} from @param {Pair | null} item @param {string} said */
function afterPaint(from, item, said) {
  performance.mark("paragold:key", { startTime: from });
  onPainted(() => {
    const { startTime } = performance.mark("paragold:painted");
    paintedAt = startTime;
    guard.painted(startTime);
    timings.push({ assignment: item?.assignment ?? null, milliseconds: startTime - from });
    if (!said || !item || item !== queue.current) return;
    const first = item.first ? ` Disputed, your first answer was ${nameOf({ label: item.first })}.` : "";
    const sentences = `First sentence: ${item.a.text} Second sentence: ${item.b.text}`;
    say(`${said}${first} Pair ${item.position} of ${queue.total}. ${sentences}`);
  });
}

function paintAsides() {
  const item = queue.current;
  for (const button of labelButtons) button.disabled = !item;
  for (const name of ["skip", "flag", "comment"]) action(name).disabled = !item;
  action("flag").setAttribute("aria-pressed", String(Boolean(item?.flagged)));
  action("comment").setAttribute("aria-pressed", String(Boolean(item?.comment)));
  for (const [name, shown] of Object.entries(looks)) action(name).setAttribute("aria-pressed", String(shown));
  action("redo").hidden = !queue.future.length;
}

function paintCounts() {
  const network = part("network");
  paintProgress(queue, outbox.counts);
  if (!outbox.counts.failing && !network.textContent) return;
  later.announce().then(({ tellNetwork }) => tellNetwork(network, outbox.counts), () => {});
}

/**
 * The page without a pair: "fetching", "lost" (no answer from the server), "paused" or "done".
 * @param {string} state @param {Error | null} error
 */
async function finish(state, error = null) {
  const { endingWords } = await later.panels();
  if (queue.current) return;
  const { total, skipped } = queue;
  const { unsynced } = outbox.counts;
  const undoKey = keyOn(action("undo"));
  const [title, text] = endingWords(state, { total, skipped, unsynced, undoKey, error });
  part("finished").hidden = false;
  part("finished-title").textContent = title;
  part("finished-text").textContent = text;
  action("reload").hidden = state !== "lost";
  if (state === "fetching") return;
  say(`${title}. ${text}`);
  part("finished").focus({ preventScroll: true });
}

/**
 * The parts that the first pair does not need come with the first key or touch, before the network can go
 * away.
 */
const later = {
  announce: () => import("../shared/announce.js"), login: () => import("../shared/login.js"),
  looks: () => import("./looks.js"),
  pace: () => import("../shared/pace.js"), panels: () => import("./panels.js"),
};

function loadLater() {
  for (const load of Object.values(later)) load().catch(() => {});
}

/** @param {string} message */
async function say(message) {
  const { announce } = await later.announce();
  announce(part("live"), message);
}

/** @param {number | null} milliseconds */
async function keepPace(milliseconds) {
  const { createPace, paceLines } = await later.pace();
  pace ??= createPace();
  if (milliseconds !== null) pace.record(milliseconds);
  const { sittingNodes } = await later.panels();
  part("pace").replaceChildren(...sittingNodes(paceLines(pace.summary(), queue.left)));
}

/** @param {keyof Looks} name */
async function look(name) {
  const item = queue.current;
  if (!item) return;
  looks[name] = !looks[name];
  paintAsides();
  try {
    const { showLook } = await later.looks();
    const stillHere = () => item === queue.current;
    const url = assignmentUrl(item.assignment, "context/");
    const said = await showLook(name, looks, {
      item, sides, url, paint: (only) => paintSentences(item, only), stillHere,
    });
    if (said) say(said);
  } catch {
    say("This needs the network.");
  }
}

/** The session has ended: the login comes to the page, and what waits is sent after it. */
async function askLogin() {
  document.removeEventListener("paragold:logged-out", askLogin);
  const { offerLogin } = await later.login();
  offerLogin(goOn);
  document.dispatchEvent(new Event("paragold:logged-out"));
}

/** The network or the session is back. */
function goOn() {
  outbox.retryNow();
  if (!queue.current) supply.refill({ force: true });
}

/** @param {Entry} entry */
async function notify(entry) {
  const { showNotice } = await later.panels();
  showNotice(entry, { outbox, queue, nameOf, place: part("notices"), repaint: () => paint() });
}

/** @type {Record<string, () => unknown>} */
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
    onAcknowledged(entry, data) {
      supply.acknowledge(entry.assignment, data, { counts: entry.batch === batch });
    },
    onParked: notify,
    onElsewhere(entry) {
      if (entry.batch !== batch || !(entry.body.label ?? entry.body.skipped)) return;
      if (queue.forget(entry.assignment)) paint("Answered in another tab.");
    },
    onUnkept: async () => (await later.panels()).warnUnkept(part("notices")),
  });
  await outbox.load();
  queue = new Queue(bootstrap.queue, ownEntries());
  supply = new Supply({
    queue, outbox, ask: (limit) => request(`${urls.queue}?limit=${limit}`), counted: paintCounts,
    shown: () => paint(),
    ended(state, given) {
      if (state === "lost") finish(state, given);
      else finish(given.paused ? "paused" : state);
    },
  });
  supply.exhausted = bootstrap.queue.items.length < AHEAD;
  wireDialogs();
  document.addEventListener("click", (event) => {
    const button = around(event, "[data-label], [data-action]");
    if (button?.dataset.label) answer({ label: button.dataset.label, skipped: false });
    else if (button) actions[button.dataset.action ?? ""]();
  });
  document.addEventListener("paragold:logged-out", askLogin);
  // From phenomena.js.
  document.addEventListener("paragold:answer", (event) => answer(/** @type {CustomEvent} */ (event).detail));
  startKeyboard({
    activate(button, event) {
      pressedAt = event.timeStamp;
      button.click();
      pressedAt = null;
    },
  });
  for (const first of ["keydown", "pointerdown"]) {
    addEventListener(first, () => onPainted(loadLater), { once: true });
  }
  commentText.addEventListener("input", () => {
    if (queue.current) sessionStorage.setItem(draftName(queue.current), commentText.value);
  });
  commentDialog.addEventListener("close", closeComment);
  addEventListener("online", goOn);
  paint();
  if (!store) outbox.onUnkept();
  for (const entry of outbox.entries) if (entry.parked) notify(entry);
  outbox.flush();
  // Of the first items those are gone that wait in the outbox: the next ones come before they are needed.
  if (ownEntries().length) supply.refill();
}

start();
