/**
 * A page on which items are worked on one by one on a bench, with drafts: the queue in front of the bench and
 * the way to the server. What an answer is and how it is made are the page's own.
 *
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./queue.js").Answer} Answer
 * @typedef {import("./saving.js").Editor} Editor
 * @typedef {import("./saving.js").Ways} Ways
 *
 * The bench: what it edits with, what its buttons do, how an item is put on it with a history (null: as it
 * is).
 * @typedef {{ editor: Editor, actions: Record<string, () => unknown>, open(item: any, history: any): void,
 *   focus(): void, timed?(action: string, from: number): void }} Bench
 *
 * What a bench calls.
 * @typedef {{ say: (message: string) => void, onEdit: (action: string) => void }} Calls
 *
 * The words of the page: an item is a `thing` and has parts, which `parts` counts; `none` says that none is
 * left, `opened` what an item is.
 * @typedef {import("./ending.js").Words & { parts(count: number): string, none: string,
 *   opened(item: any): string }} Words
 */

import { announce, tellNetwork } from "./announce.js";
import { wireAnswers } from "./answers.js";
import { request } from "./api.js";
import { wireComment } from "./comment.js";
import { Disputes } from "./disputes.js";
import { choose, Drafts } from "./drafts.js";
import { ending, standing } from "./ending.js";
import { createGuard, keyOn } from "./keyboard.js";
import { clearNotice, showConflict, warnUnkept } from "./notices.js";
import { createPace, createPaceLine } from "./pace.js";
import {
  action, embedded, focusEnding, paintEnding, paintProgress, part, rename, showLine,
} from "./page.js";
import { Queue, Supply } from "./queue.js";
import { Saving } from "./saving.js";
import { openOutbox, wirePage } from "./working.js";
import { gettext, ngettext, wordsFor } from "./texts.js";

const bootstrap = embedded("bootstrap");
const { urls } = bootstrap;
/** @type {number} */
const batch = bootstrap.queue.batch.id;
/** @param {string} message */
const say = (message) => announce(part("live"), message);
const guard = createGuard(150);
const pace = createPace();
const paceLine = createPaceLine(pace, () => queue.left);
const SUBMITTED = "submitted"; // what the queue keeps as the answer of a submitted item
/** @type {Bench} */
let bench;
/** @type {Editor} */
let editor;
/** @type {Ways} */
let answer; // how an answer is read and written
/** @type {Words} */
let words;
/** @type {Queue} */
let queue;
/** @type {import("./outbox.js").Outbox} */
let outbox;
/** @type {Drafts} */
let drafts;
/** @type {Saving} */
let saving;
/** @type {Disputes} */
let disputes;
/** @type {Supply} */
let supply;
let asked = false; // whether the open words of this item have been asked about
let openedAt = 0;
let recalled = false;

const forms = () => wordsFor(words.thing);

/** @param {Item} item @returns {Item} */
function asAnswer(item) { return { ...item, label: item.state === "done" ? SUBMITTED : null }; }

function ownEntries() {
  return outbox.entries.filter((entry) => entry.batch === batch)
    .map((entry) => ({ ...entry, body: { ...entry.body, label: entry.body.submitted ? SUBMITTED : null } }));
}

/** @param {string} action */
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
  showLine("standing", standing(queue, words.thing, words.done));
  if (item) show(item, said);
  paintCounts();
  if (!item) finish("fetching");
}

/** @param {Item} item @param {string} said */
function show(item, said) {
  const stored = drafts.get(item.assignment);
  const unsynced = outbox.entries.some((entry) => entry.assignment === item.assignment);
  let history = null;
  /** @type {ReturnType<typeof choose>} */
  let choice = { use: "item" };
  try {
    history = stored && answer.restore(stored.history, item);
    const written = (/** @type {any} */ state) => JSON.stringify(answer.toPayload(state));
    const same = Boolean(history) && written(history.state) === written(answer.fromItem(item));
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
  const place = gettext("%(Thing)s %(position)s of %(total)s.", {
    ...forms(), position: item.position, total: queue.total,
  });
  const open = gettext("%(parts)s open.", { parts: words.parts(editor.left) });
  say(`${said} ${place} ${part("standing").textContent} ${words.opened(item)} ${open}`.trim());
}

function submit() {
  const item = queue.current;
  if (!item) return;
  if (!guard.accepts(performance.now())) {
    return say(gettext("Not taken: the %(thing)s had just come.", forms()));
  }
  const { left } = editor;
  if (left && !asked) {
    asked = true;
    paintCounts();
    return say(ngettext(
      "%(parts)s is still open. Press again to submit as it is.",
      "%(parts)s are still open. Press again to submit as it is.",
      left, { parts: words.parts(left) },
    ));
  }
  leave({ label: SUBMITTED, skipped: false }, gettext("Submitted."));
}

/**
 * Sends the answer and puts the next item on the bench.
 * @param {Answer} given @param {string} said
 */
function leave(given, said) {
  const from = performance.now();
  if (!queue.current) return;
  const { assignment } = queue.current;
  // A refused save still asks for a decision after its item has been left.
  const refused = outbox.entries.some((entry) => entry.parked && entry.assignment === assignment);
  if (!refused) clearNotice(part("notices"), assignment);
  editor.settle();
  saving.submit({ skipped: given.skipped });
  if (!given.skipped) pace.record(performance.now() - openedAt);
  queue.answer(given);
  paint(said);
  bench.timed?.("next item", from);
  supply.refill();
}

/** An answer that was submitted before counts; in a second pass the first answer does. */
function skip() {
  if (queue.current?.state !== "done") {
    return leave({ label: null, skipped: true }, action("skip").dataset.said ?? gettext("Skipped."));
  }
  queue.leave();
  paint(gettext("The answer is kept."));
}

/**
 * Another item on the bench: one that was submitted or skipped before.
 * @param {Item} item
 */
function revisit(item) {
  if (queue.current && saving.dirty) saving.draft();
  queue.jump(item);
  paint(gettext("Back at %(thing)s %(position)s.", { ...forms(), position: item.position }));
}

/** One step back; at the beginning of an item, back to the item before. */
async function undo() {
  if (queue.current && editor.undo()) return;
  if (!queue.past.length && !recalled) await recall();
  if (queue.current && saving.dirty) saving.draft();
  const last = queue.undo();
  if (!last) return say(gettext("There is nothing to undo."));
  if (last.answer.label) pace.takeBack();
  paint(last.answer.skipped
    ? gettext("Back to the skipped %(thing)s.", forms())
    : gettext("Taken back: the %(thing)s is open again.", forms()));
  saving.draft({ force: true });
}

function redo() {
  if (queue.current && editor.redo()) return;
  const again = queue.future.at(-1);
  if (!again || again.item.assignment !== queue.current?.assignment) {
    return say(gettext("There is nothing to do again."));
  }
  saving.submit({ skipped: again.answer.skipped });
  queue.redo();
  paint(gettext("Submitted again."));
}

/** After a reload the items before are in the server's history and in the outbox. */
async function recall() {
  let items = [];
  try {
    const { status, data } = await request(`${urls.history}?limit=50`);
    if (status === 200) items = data.items.map(asAnswer);
    recalled = status === 200;
  } catch {
    say(gettext("The earlier %(things)s cannot be fetched without the network.", forms()));
  }
  queue.recall(items, ownEntries());
}

function flag() {
  const item = queue.current;
  if (!item) return;
  item.flagged = !item.flagged;
  saving.draft({ force: true });
  paintCounts();
  say(item.flagged ? gettext("Flagged.") : gettext("The flag is off."));
}

function paintCounts() {
  const item = queue.current;
  paintProgress(queue, outbox.counts);
  tellNetwork(part("network"), outbox.counts);
  paceLine.paint();
  part("left").hidden = !item;
  showLine("standing", standing(queue, words.thing, words.done));
  const skipping = item?.state === "done" ? gettext("Keep answer") : gettext("Skip");
  if (!bootstrap.second_pass) rename("skip", skipping);
  for (const name of ["submit", "skip", "flag", "comment"]) action(name).disabled = !item;
  action("flag").setAttribute("aria-pressed", String(Boolean(item?.flagged)));
  action("comment").setAttribute("aria-pressed", String(Boolean(item?.comment)));
  if (!item) return;
  part("left-count").textContent = editor.left === 0
    ? words.none : gettext("%(count)s left", { count: editor.left });
  part("left").classList.toggle("asking", asked);
  part("left").classList.toggle("complete", editor.left === 0);
  part("left-note").textContent = asked ? gettext("Submit all the same?") : "";
  action("redo").disabled = !editor.history.future.length && !queue.future.length;
}

/** @param {string} state @param {Error | null} error */
function finish(state, error = null) {
  if (queue.current) return;
  const { total, skipped, returning, left } = queue;
  const [title, text] = ending(state, {
    queue: { total, skipped: skipped || returning.length, left }, words,
    unsynced: outbox.counts.unsynced, undoKey: keyOn(action("undo")), error, online: navigator.onLine,
  });
  paintEnding([title, text], { lost: state === "lost", skipped: returning.length > 0 });
  if (state === "fetching") return void supply.refill({ force: true });
  say(`${title}. ${text}`);
  focusEnding();
}

/** @type {Record<string, () => unknown>} */
const actions = {
  undo, redo, submit, flag, skip, pace: () => say(paceLine.toggle()),
  again() {
    queue.goRound();
    paint(gettext("The skipped %(things)s again.", forms()));
  },
  sync: () => outbox.retryNow(), reload: () => supply.refill({ force: true }), comment: wireComment({
    current: () => queue.current,
    changed() {
      saving.draft({ force: true });
      paintCounts();
      say(gettext("Comment saved."));
    },
    closed: () => bench.focus(),
  }),
};

/**
 * Starts the page.
 * @param {{ makeBench: (calls: Calls) => Bench, ways: Ways, said: Words }} page
 */
export async function startDesk({ makeBench, ways, said }) {
  bench = makeBench({ say, onEdit: edited });
  ({ editor } = bench);
  answer = ways;
  words = said;
  Object.assign(actions, bench.actions);
  drafts = new Drafts({
    user: bootstrap.user, storage: localStorage, name: ways.drafts,
    onRefused: () => warnUnkept(part("notices")),
  });
  outbox = await openOutbox({
    user: bootstrap.user,
    onChange: () => queue && paintCounts(),
    onAcknowledged(entry, data) {
      saving.acknowledged(entry.assignment, data.version);
      supply.acknowledge(entry.assignment, data, { counts: entry.batch === batch });
    },
    onParked: (entry) => disputes.show(entry),
    onElsewhere: (entry) => disputes.follow(entry),
  });
  /** @param {number} id */
  const url = (id) => urls.assignment.replace(/\/0\/$/, `/${id}/${ways.path}/`);
  saving = new Saving({
    editor, answer, outbox, drafts, batch, url, mark: (item, state) => queue.mark(item, state),
  });
  drafts.prune();
  queue = new Queue({ ...bootstrap.queue, items: bootstrap.queue.items.map(asAnswer) }, ownEntries());
  supply = new Supply({
    queue, outbox, ask: (limit) => request(`${urls.queue}?limit=${limit}`), counted: paintCounts,
    shown: () => paint(),
    ended(state, given) {
      if (given?.preparing) location.reload(); // suggestions are being drawn: the page says how far they are
      else finish(state, state === "lost" ? given : null);
    },
  });
  disputes = new Disputes({
    place: part("notices"), queue, outbox, saving, editor, batch, answer, thing: words.thing, asAnswer, paint,
    paintCounts,
  });
  if (!bootstrap.second_pass) {
    const listAnswers = wireAnswers({
      url: urls.history, thing: words.thing, queue: () => queue, outbox: () => outbox, asItem: asAnswer,
      nameOf: ({ state }) => (state === "skipped" ? gettext("skipped") : words.done), choose: revisit,
    });
    Object.assign(actions, { answers: () => listAnswers(), skipped: () => listAnswers("skipped") });
  }
  wirePage({ actions, outbox, goOn: () => queue.current || supply.refill({ force: true }) });
  paint();
  for (const entry of outbox.entries) if (entry.parked) disputes.show(entry);
  outbox.flush();
  // Of the first items those are gone that wait in the outbox: the next ones come before they are needed.
  if (ownEntries().length) supply.refill();
}
