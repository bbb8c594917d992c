/** The judging page: one key saves an answer and shows the next pair. */

import { announce, tellNetwork } from "../shared/announce.js";
import { wireAnswers } from "../shared/answers.js";
import { request } from "../shared/api.js";
import { dropDraft, typedComment, wireComment } from "../shared/comment.js";
import { ending, standing } from "../shared/ending.js";
import { createGuard, keyOn, onPainted } from "../shared/keyboard.js";
import { showConflict, showRefusal } from "../shared/notices.js";
import { createPace, createPaceLine } from "../shared/pace.js";
import {
  action, around, embedded, find, focusEnding, paintEnding, paintProgress, part, rename, showLine,
} from "../shared/page.js";
import { AHEAD, Queue, Supply } from "../shared/queue.js";
import { bothSentences, sentenceNode, SIDES } from "../shared/text.js";
import { gettext, within, wordsFor } from "../shared/texts.js";
import { openOutbox, wirePage } from "../shared/working.js";
import { showLook } from "./looks.js";
import { recall } from "./panels.js";

/**
 * @typedef {import("../shared/outbox.js").Entry} Entry
 * @typedef {import("../shared/queue.js").Answer} Answer
 * @typedef {import("../shared/text.js").Sentence} Sentence
 * @typedef {import("../shared/text.js").Side} Side
 * @typedef {import("./looks.js").Looks} Looks
 *
 * A pair to judge; `phenomena` are what was counted with the answer that counts.
 * @typedef {import("../shared/api.js").Item & Record<Side, Sentence> & {
 *   phenomena?: Record<string, number> }} Pair
 */

const bootstrap = embedded("bootstrap");
/** @type {Record<"assignment" | "history" | "queue", string>} */
const urls = bootstrap.urls;
/** @type {number} */
const batch = bootstrap.queue.batch.id;
const sides = { a: find('[data-side="a"]'), b: find('[data-side="b"]') };
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll("button[data-label]");
const labelButtons = [...buttons];
const guard = createGuard(150);
const TOO_SOON = gettext("Not taken: the %(thing)s had just come.", wordsFor("pair"));
const pace = createPace();
const paceLine = createPaceLine(pace, () => queue.left);
const TINTED = 500; // milliseconds that the button of an answer is tinted
const MOMENT = 6000; // milliseconds that the last answer is shown beside Undo
/** @type {{ assignment: number | null, milliseconds: number }[]} */
const timings = [];
Object.assign(window, { paragoldTimings: timings });
/** @param {number} id */
const assignmentUrl = (id, rest = "") => urls.assignment.replace(/\/0\/$/, `/${id}/`) + rest;

/** @type {Queue<Pair>} */
let queue;
/** @type {import("../shared/outbox.js").Outbox} */
let outbox;
/** @type {Supply} */
let supply;
/** @type {ReturnType<typeof setTimeout>[]} */
let moments = []; // what ends when a moment is over
let paintedAt = 0;
/** @type {number | null} */
let pressedAt = null; // when the key went down that is being acted on
/** @type {Looks} */
let looks = { differences: false, context: false };
let recalled = false;
const again = document.querySelector('[data-part="rows"]') !== null; // in a second pass, see second_pass.js
const WORDS = {
  thing: "pair", nothing: gettext("Nothing to judge here yet"),
  done: gettext("judged"), answered: gettext("judged"),
};

/** @param {{ label?: string | null, skipped?: boolean }} answer */
function nameOf({ label, skipped }) {
  if (skipped) return again ? gettext("first answer kept") : gettext("skipped");
  const button = labelButtons.find((one) => one.dataset.label === label);
  return within(button?.dataset.name ?? label ?? gettext("open"));
}

/** @param {Pair} item @param {Partial<Answer>} answer */
function save(item, answer = {}, milliseconds = 0) {
  const { label = null, skipped = false, phenomena } = answer;
  const { assignment, flagged, version } = item;
  item.comment = typedComment(item);
  const spent = Math.round(milliseconds);
  const { comment } = item;
  const body = { label, skipped, flagged, comment, version, milliseconds: spent, phenomena };
  dropDraft(item);
  return outbox.put({ assignment, batch, url: assignmentUrl(assignment, "judgement/"), body, item });
}

/** @param {Answer} given */
function answer(given) {
  const now = pressedAt ?? performance.now();
  if (!queue.current) return;
  if (!guard.accepts(now)) {
    part("last").textContent = TOO_SOON;
    return say(TOO_SOON);
  }
  const spent = now - paintedAt;
  const item = queue.answer(given);
  item.phenomena = given.phenomena;
  save(item, given, spent);
  paint(gettext("Saved: %(answer)s.", { answer: nameOf(given) + compared(item, given) }));
  showLast(item, given);
  onPainted(() => {
    if (given.label != null) pace.record(spent);
    paceLine.paint();
    supply.refill();
  });
}

/**
 * The answer just given, beside Undo for a moment; its button is tinted.
 * @param {Pair} item @param {Answer} given
 */
function showLast(item, given) {
  const answer = nameOf(given) + compared(item, given);
  part("last").textContent = `${wordsFor("pair").Thing} ${item.position}: ${answer}`;
  tint(given.label);
  moments = [
    setTimeout(() => tint(null), TINTED), setTimeout(() => { part("last").textContent = ""; }, MOMENT),
  ];
}

/**
 * What became of the first answer, in a second pass.
 * @param {Pair} item @param {Answer} given
 */
function compared({ first }, { label, skipped }) {
  if (!first || skipped) return "";
  return label === first
    ? gettext(", as before") : gettext(", changed from %(answer)s", { answer: nameOf({ label: first }) });
}

/** @param {string | null | undefined} label */
function tint(label) {
  for (const button of labelButtons) button.classList.toggle("given", button.dataset.label === label);
}

async function undo() {
  if (!queue.past.length && !recalled) recalled = await recall(queue, urls.history, ownEntries());
  const last = queue.undo();
  if (!last) return say(gettext("There is nothing to take back."));
  save(last.item);
  if (last.answer.label != null) pace.takeBack();
  const taken = gettext("Taken back: %(answer)s", { answer: nameOf(last.answer) });
  paint(`${taken}.`, taken);
  tint(last.answer.label);
  if (again) showRow(last.item, last.answer.label);
}

function redo() {
  const again = queue.redo();
  if (!again) return say(gettext("There is nothing to give again."));
  save(again.item, again.answer);
  paint(gettext("Given again: %(answer)s.", { answer: nameOf(again.answer) }));
  showLast(again.item, again.answer);
}

function ownEntries() { return outbox.entries.filter((entry) => entry.batch === batch); }

/** An answer that was given before counts until another one is. */
function skip() {
  if (queue.current?.state !== "done") return answer({ label: null, skipped: true });
  queue.leave();
  paint(gettext("The answer is kept."));
}

/**
 * Another pair on the screen: one that was answered or skipped before.
 * @param {Pair} item
 */
function revisit(item) {
  queue.jump(item);
  paint(gettext("Back at %(thing)s %(position)s.", { ...wordsFor("pair"), position: item.position }));
}

/**
 * A flag or a comment is saved at once and leaves the pair as it is: open, skipped or answered.
 * @param {Pair} item @param {{ flagged?: boolean }} changes @param {string} said
 */
function amend(item, changes, said) {
  const { state, label, phenomena } = Object.assign(item, changes);
  if (state === "done") save(item, { label, phenomena });
  else save(item, { skipped: state === "skipped" });
  paintAsides();
  say(said);
}

function flag() {
  const item = queue.current;
  const said = item?.flagged ? gettext("The flag is off.") : gettext("Flagged.");
  if (item) amend(item, { flagged: !item.flagged }, said);
}

const comment = wireComment({
  current: () => queue.current,
  changed: () => queue.current && amend(queue.current, {}, gettext("Comment saved.")),
  closed: paintAsides,
});

/**
 * For second_pass.js, which shows the pair as a row in dispute.
 * @param {Pair} item @param {string | null} [given] the answer that was taken back
 */
function showRow(item, given = null) {
  document.dispatchEvent(new CustomEvent("paragold:pair", { detail: { item, given } }));
}

function paint(said = "", earlier = "") {
  const item = queue.current;
  looks = { differences: false, context: false };
  for (const moment of moments) clearTimeout(moment);
  part("last").textContent = "";
  tint(null);
  part("pair").hidden = !item;
  if (item) part("finished").hidden = true;
  showLine("standing", standing(queue, "pair", nameOf({ label: item?.label })));
  const first = item?.first && !again ? nameOf({ label: item.first }) : "";
  part("earlier").textContent = earlier || (first && gettext(
    "Second pass: people differ on this pair. Your first answer: %(answer)s.", { answer: first },
  ));
  paintCounts();
  if (item) {
    paintSentences(item);
    if (again) showRow(item, item.label);
    tint(item.label);
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
    if (!item || item !== queue.current) return;
    const note = part("standing").textContent;
    const answer = nameOf({ label: item.first });
    const first = item.first ? ` ${gettext("Disputed, your first answer was %(answer)s.", { answer })}` : "";
    const place = gettext("%(Thing)s %(position)s of %(total)s.", {
      ...wordsFor("pair"), position: item.position, total: queue.total,
    });
    say(`${said}${first} ${place} ${note} ${bothSentences(item)}`.trim());
  });
}

function paintAsides() {
  const item = queue.current;
  for (const button of labelButtons) button.disabled = !item;
  for (const name of ["skip", "flag", "comment", "differences", "context"]) action(name).disabled = !item;
  if (!again) rename("skip", item?.state === "done" ? gettext("Keep answer") : gettext("Skip"));
  action("flag").setAttribute("aria-pressed", String(Boolean(item?.flagged)));
  action("comment").setAttribute("aria-pressed", String(Boolean(item && typedComment(item))));
  for (const [name, shown] of Object.entries(looks)) action(name).setAttribute("aria-pressed", String(shown));
  action("redo").hidden = !queue.future.length;
}

function paintCounts() {
  paintProgress(queue, outbox.counts);
  paceLine.paint();
  tellNetwork(part("network"), outbox.counts);
}

/**
 * The page without a pair: "fetching", "lost" (no answer from the server), "paused" or "done".
 * @param {string} state @param {Error | null} error
 */
function finish(state, error = null) {
  if (queue.current) return;
  const { unsynced } = outbox.counts;
  const undoKey = keyOn(action("undo"));
  const online = navigator.onLine;
  const [title, text] = ending(state, { queue, words: WORDS, unsynced, undoKey, error, online });
  paintEnding([title, text], { lost: state === "lost", skipped: queue.returning.length > 0 });
  if (state === "fetching") return;
  say(`${title}. ${text}`);
  focusEnding();
}

/** @param {string} message */
function say(message) { announce(part("live"), message); }

/** @param {keyof Looks} name */
async function look(name) {
  const item = queue.current;
  if (!item) return;
  looks[name] = !looks[name];
  paintAsides();
  const stillHere = () => item === queue.current;
  const url = assignmentUrl(item.assignment, "context/");
  const said = await showLook(name, looks, {
    item, sides, url, paint: (only) => paintSentences(item, only), stillHere,
  });
  if (said) say(said);
}

/** @param {Entry} entry */
function notify(entry) {
  const { assignment, parked, body } = entry;
  if (!parked) return;
  const { current } = parked;
  const place = part("notices");
  if (parked.status !== 409 || !current) return showRefusal(place, { entry, outbox, thing: "pair" });
  const stored = { label: current.label, skipped: current.state === "skipped" };
  showConflict(place, {
    item: entry.item, mine: body, current, thing: "pair",
    compare: () => ({
      mine: [{ text: nameOf(body), note: "" }], stored: [{ text: nameOf(stored), note: "" }],
    }),
    keep: () => outbox.resend(assignment, current.version),
    async take() {
      await outbox.discard(assignment);
      queue.replace(current);
      paint();
    },
  });
}

/** @type {Record<string, () => unknown>} */
const actions = {
  undo, redo, flag, comment, skip, pace: () => say(paceLine.toggle()),
  again() {
    queue.goRound();
    paint(gettext("The skipped %(things)s again.", wordsFor("pair")));
  },
  differences: () => look("differences"), context: () => look("context"),
  sync: () => outbox.retryNow(), reload: () => supply.refill({ force: true }),
};

async function start() {
  outbox = await openOutbox({
    user: bootstrap.user,
    onChange: () => queue && paintCounts(),
    onAcknowledged(entry, data) {
      supply.acknowledge(entry.assignment, data, { counts: entry.batch === batch });
      // To training.js.
      document.dispatchEvent(new CustomEvent("paragold:acknowledged", { detail: { entry, data } }));
    },
    onParked: notify,
    onElsewhere(entry) {
      if (entry.batch !== batch || !(entry.body.label ?? entry.body.skipped)) return;
      const skipped = entry.body.skipped && entry.item?.first == null;
      if (queue.forget(entry.assignment, { skipped })) paint(gettext("Answered in another tab."));
    },
  });
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
  const listAnswers = wireAnswers({
    url: urls.history, thing: "pair", queue: () => queue, outbox: () => outbox, choose: revisit,
    nameOf: (item) => nameOf({ label: item.label, skipped: item.state === "skipped" }),
  });
  Object.assign(actions, { answers: () => listAnswers(), skipped: () => listAnswers("skipped") });
  document.addEventListener("click", (event) => {
    const label = around(event, "[data-label]")?.dataset.label;
    if (label) answer({ label, skipped: false });
  });
  // From phenomena.js.
  document.addEventListener("paragold:answer", (event) => answer(/** @type {CustomEvent} */ (event).detail));
  wirePage({
    actions, outbox, goOn: () => queue.current || supply.refill({ force: true }),
    activate(button, event) {
      pressedAt = event.timeStamp;
      button.click();
      pressedAt = null;
    },
  });
  paint();
  for (const entry of outbox.entries) if (entry.parked) notify(entry);
  outbox.flush();
  // Of the first items those are gone that wait in the outbox: the next ones come before they are needed.
  if (ownEntries().length) supply.refill();
}

start();
