/**
 * A page on which items are worked on one by one on a bench, with drafts: the queue in front of the bench and the way to
 * the server. What an answer is and how it is made are the page's own.
 */

import { announce, tellNetwork } from "./announce.js";
import { request } from "./api.js";
import { wireComment } from "./comment.js";
import { Disputes } from "./disputes.js";
import { choose, Drafts } from "./drafts.js";
import { ending } from "./ending.js";
import { createGuard, keyOn, startKeyboard, wireDialogs } from "./keyboard.js";
import { offerLogin } from "./login.js";
import { clearNotice, showConflict, warnUnkept } from "./notices.js";
import { memoryStore, openStore, Outbox } from "./outbox.js";
import { createPace, paceLines } from "./pace.js";
import { Queue, Supply } from "./queue.js";
import { Saving } from "./saving.js";

const bootstrap = JSON.parse(document.getElementById("bootstrap").textContent);
const { urls } = bootstrap;
const batch = bootstrap.queue.batch.id;
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const action = (name) => document.querySelector(`[data-action="${name}"]`);
const say = (message) => announce(part("live"), message);
const guard = createGuard(150);
const pace = createPace();
const SUBMITTED = "submitted"; // what the queue keeps as the answer of a submitted item
const capital = (word) => word[0].toUpperCase() + word.slice(1);

let bench;
let editor;
let answer; // how an answer is read and written: see startDesk
let words;
let queue;
let outbox;
let drafts;
let saving;
let disputes;
let asked = false; // whether the open words of this item have been asked about
let openedAt = 0;
let supply;
let recalled = false;

function asAnswer(item) { return { ...item, label: item.state === "done" ? SUBMITTED : null }; }

function ownEntries() {
  return outbox.entries.filter((entry) => entry.batch === batch)
    .map((entry) => ({ ...entry, body: { ...entry.body, label: entry.body.submitted ? SUBMITTED : null } }));
}

function edited(action) {
  asked = false;
  // What was taken back cannot be given again once something else has been done.
  if (action !== "undo" && action !== "redo") queue.future = [];
  saving.edited();
  paintCounts();
}

/** Shows the current item: from the browser's own history where that is newer than the server's answer. */
function paint(said = "") {
  const item = queue.current;
  part("bench").hidden = !item;
  part("tools").hidden = !item;
  part("finished").hidden = Boolean(item);
  asked = false;
  if (item) show(item, said);
  paintCounts();
  if (!item) finish("fetching");
}

function show(item, said) {
  const stored = drafts.get(item.assignment);
  const unsynced = outbox.entries.some((entry) => entry.assignment === item.assignment);
  let history = null;
  let choice = { use: "item" };
  try {
    history = stored && answer.restore(stored.history, item);
    const same = Boolean(history) && JSON.stringify(answer.toPayload(history.state)) === JSON.stringify(answer.toPayload(answer.fromItem(item)));
    choice = choose(stored, item, { unsynced, same });
  } catch (error) {
    console.error("A kept history does not fit its item and is left aside.", error);
  }
  bench.open(item, choice.use === "stored" ? history : null);
  saving.open(item, { dirty: Boolean(choice.resave) });
  openedAt = performance.now();
  guard.painted(openedAt);
  if (choice.conflict) {
    showConflict(part("notices"), {
      item, mine: answer.toPayload(history.state), current: item, thing: words.thing, compare: answer.compare,
      keep: () => saving.draft({ force: true }), take: () => disputes.adopt(item),
    });
  }
  say(`${said} ${capital(words.thing)} ${item.position} of ${queue.total}. ${words.opened(item)} ${editor.left} ${words.part}${editor.left === 1 ? "" : "s"} open.`.trim());
}

function submit() {
  const item = queue.current;
  if (!item || !guard.accepts(performance.now())) return;
  const { left } = editor;
  if (left && !asked) {
    asked = true;
    paintCounts();
    return say(`${left} ${left === 1 ? `${words.part} is` : `${words.part}s are`} still open. Press again to submit as it is.`);
  }
  leave({ label: SUBMITTED, skipped: false }, "Submitted.");
}

/** Sends the answer and puts the next item on the bench. */
function leave(given, said) {
  const from = performance.now();
  const { assignment } = queue.current;
  // A refused save still asks for a decision after its item has been left.
  if (!outbox.entries.some((entry) => entry.parked && entry.assignment === assignment)) clearNotice(part("notices"), assignment);
  editor.settle();
  saving.submit({ skipped: given.skipped });
  if (!given.skipped) pace.record(performance.now() - openedAt);
  queue.answer(given);
  paint(said);
  bench.timed?.("next item", from);
  supply.refill();
}

/** One step back; at the beginning of an item, back to the item before. */
async function undo() {
  if (queue.current && editor.undo()) return;
  if (!queue.past.length && !recalled) await recall();
  if (queue.current && saving.dirty) saving.draft();
  const last = queue.undo();
  if (!last) return say("There is nothing to undo.");
  if (last.answer.label) pace.takeBack();
  paint(last.answer.skipped ? `Back to the skipped ${words.thing}.` : `Taken back: the ${words.thing} is open again.`);
  saving.draft({ force: true });
}

function redo() {
  if (queue.current && editor.redo()) return;
  const again = queue.future.at(-1);
  if (!again || again.item.assignment !== queue.current?.assignment) return say("There is nothing to do again.");
  saving.submit({ skipped: again.answer.skipped });
  queue.redo();
  paint("Submitted again.");
}

/** After a reload the items before are in the server's history and in the outbox. */
async function recall() {
  let items = [];
  try {
    const { status, data } = await request(`${urls.history}?limit=50`);
    if (status === 200) items = data.items.map(asAnswer);
    recalled = status === 200;
  } catch {
    say(`The earlier ${words.thing}s cannot be fetched without the network.`);
  }
  queue.recall(items, ownEntries());
}

function flag() {
  const item = queue.current;
  if (!item) return;
  item.flagged = !item.flagged;
  saving.draft({ force: true });
  paintCounts();
  say(item.flagged ? "Flagged." : "The flag is off.");
}

function paintCounts() {
  const item = queue.current;
  const { unsynced, failing } = outbox.counts;
  part("counter").textContent = `${queue.done} of ${queue.total}`;
  part("progress").max = queue.total || 1;
  part("progress").value = queue.done;
  const badge = part("unsynced");
  badge.hidden = unsynced === 0;
  badge.firstElementChild.textContent = `${unsynced} unsynced`;
  badge.lastElementChild.hidden = !failing;
  tellNetwork(part("network"), outbox.counts);
  part("pace").textContent = paceLines(pace.summary(), queue.left).join(", ");
  part("left").hidden = !item;
  for (const name of ["submit", "skip", "flag", "comment"]) action(name).disabled = !item;
  action("flag").setAttribute("aria-pressed", String(Boolean(item?.flagged)));
  action("comment").setAttribute("aria-pressed", String(Boolean(item?.comment)));
  if (!item) return;
  part("left-count").textContent = editor.left === 0 ? `No ${words.part} left` : `${editor.left} left`;
  part("left").classList.toggle("asking", asked);
  part("left").classList.toggle("complete", editor.left === 0);
  part("left-note").textContent = asked ? "still open: submit all the same?" : "";
  action("redo").disabled = !editor.history.future.length && !queue.future.length;
}

function finish(state, error = null) {
  if (queue.current) return;
  const [title, text] = ending(state, { queue, words, unsynced: outbox.counts.unsynced, undoKey: keyOn(action("undo")), error, online: navigator.onLine });
  part("finished-title").textContent = title;
  part("finished-text").textContent = text;
  action("reload").hidden = state !== "lost";
  if (state === "fetching") return void supply.refill({ force: true });
  say(`${title}. ${text}`);
  part("finished").focus({ preventScroll: true });
}

const actions = {
  undo, redo, submit, flag, skip: () => queue.current && leave({ label: null, skipped: true }, "Skipped."),
  sync: () => outbox.retryNow(), reload: () => supply.refill({ force: true }), comment: wireComment({
    current: () => queue.current,
    changed() {
      saving.draft({ force: true });
      paintCounts();
      say("Comment saved.");
    },
    closed: () => bench.focus(),
  }),
};

/**
 * Starts the page. makeBench({say, onEdit(action)}) gives {editor, actions, open(item, history), focus(), timed?()}; the
 * editor has history, state, left, undo(), redo(), settle() and adopt(item). `ways` says how an answer is read and
 * written: {path (of its address), drafts (their name), fromItem, toPayload, restore, serialise, compare}. `said` are the
 * words: {thing, part, verb, done, opened(item)}.
 */
export async function startDesk({ makeBench, ways, said }) {
  bench = makeBench({ say, onEdit: edited });
  ({ editor } = bench);
  answer = ways;
  words = said;
  Object.assign(actions, bench.actions);
  const store = await openStore().catch(() => null);
  drafts = new Drafts({ user: bootstrap.user, storage: localStorage, name: ways.drafts, onRefused: () => warnUnkept(part("notices")) });
  outbox = new Outbox({
    user: bootstrap.user,
    store: store ?? memoryStore(),
    send: ({ url, body, key }) => request(url, { method: "PUT", body, headers: { "Idempotency-Key": key } }),
    channel: new BroadcastChannel(`paragold-outbox-${bootstrap.user}`),
    onChange: () => queue && paintCounts(),
    onAcknowledged(entry, data) {
      saving.acknowledged(entry.assignment, data.version);
      // In the second pass the queue counts the disputed pairs, the answer all of the batch.
      supply.acknowledge(entry.assignment, data, { counts: entry.batch === batch && !bootstrap.second_pass });
    },
    onParked: (entry) => disputes.show(entry),
    onElsewhere: (entry) => disputes.follow(entry),
    onUnkept: () => warnUnkept(part("notices")),
  });
  const url = (id) => urls.assignment.replace(/\/0\/$/, `/${id}/${ways.path}/`);
  saving = new Saving({ editor, answer, outbox, drafts, batch, url });
  await outbox.load();
  drafts.prune();
  queue = new Queue({ ...bootstrap.queue, items: bootstrap.queue.items.map(asAnswer) }, ownEntries());
  supply = new Supply({
    queue, outbox, ask: (limit) => request(`${urls.queue}?limit=${limit}`), counted: paintCounts, shown: () => paint(),
    ended: (state, given) => finish(state, state === "lost" ? given : null),
  });
  disputes = new Disputes({ place: part("notices"), queue, outbox, saving, editor, batch, answer, words, asAnswer, paint, paintCounts });
  wireDialogs();
  document.addEventListener("click", ({ target }) => actions[target.closest("[data-action]")?.dataset.action]?.());
  startKeyboard();
  offerLogin(() => { outbox.retryNow(); if (!queue.current) supply.refill({ force: true }); });
  addEventListener("online", () => { outbox.retryNow(); if (!queue.current) supply.refill({ force: true }); });
  paint();
  if (!store) warnUnkept(part("notices"));
  for (const entry of outbox.entries) if (entry.parked) disputes.show(entry);
  outbox.flush();
  // Of the first items those are gone that wait in the outbox: the next ones come before they are needed.
  if (ownEntries().length) supply.refill();
}
