/**
 * The page on which an adjudicator decides the sub-clusters of one cluster, from what annotators made of it.
 */

import { announce } from "../shared/announce.js";
import { createSubmission } from "../shared/submission.js";
import { startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { action, around, create, embedded, find, part } from "../shared/page.js";
import { Board } from "./board.js";
import { begin, fromGroups, fromItem, place, restore, serialise, toGroups, toPayload } from "./partition.js";

/**
 * A cluster to decide: what each annotator made of it, what is in all of these, and the decision so far.
 * @typedef {{ item: number, version: number, basis: number[], headlines: import("./partition.js").Headline[],
 *   annotators: string[], partitions: number[][][], shared: number[][], disputed: number[],
 *   decision: { comment: string, subclusters: number[][] } | null }} Review
 * @typedef {import("./partition.js").State} State
 */

/** @type {{ user: number, review: Review, urls: { review: string, next: string } }} */
const { user, review, urls } = embedded("bootstrap");
/** @param {string} message */
const say = (message) => announce(part("live"), message);
const comment = find("#comment-text", HTMLTextAreaElement);
const name = `paragold-decision-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const submission = createSubmission({ name, urls, place: part("notices"), say, kept: "decision is" });
const size = review.headlines.length;
const disputed = new Set(review.disputed);
// For each annotator, the group of each headline.
const groupIn = review.partitions.map((groups) => fromGroups(size, groups).places);

let asked = false;

/**
 * Beside a headline: where each annotator put it, and whether that is in dispute.
 * @param {number} number
 */
function marksOf(number) {
  const marks = create("span", "marks");
  for (const [index, name] of review.annotators.entries()) {
    marks.append(create("span", "vote", `${name} ${groupIn[index].get(number) || "none"}`));
  }
  if (disputed.has(number)) marks.append(create("span", "differs", "differs"));
  return [marks];
}

const board = new Board({ say, marksOf, onEdit: edited });

/** What everybody put together, and what everybody left alone; the rest is open. */
function shared() {
  const rest = review.headlines.map(({ number }) => number)
    .filter((number) => disputed.has(number) && !review.shared.some((group) => group.includes(number)));
  return place(fromGroups(size, review.shared), rest, null);
}

function edited() {
  asked = false;
  keepDraft();
  paint();
}

function keepDraft() {
  submission.keep({ history: serialise(board.history), comment: comment.value });
}

/** The history to begin with: a draft, the decision so far, or what is shared. */
function beginning() {
  const item = { headlines: review.headlines };
  comment.value = review.decision?.comment ?? "";
  const drafted = submission.recall((kept) => {
    comment.value = kept.comment;
    return restore(kept.history, item);
  });
  if (drafted) return drafted;
  const state = review.decision ? fromGroups(size, review.decision.subclusters) : shared();
  return begin(fromItem({ ...item, ...toPayload(state) }));
}

function paint() {
  part("left-count").textContent = board.left ? `${board.left} left` : "No headline left";
  part("left-note").textContent = asked ? "still open: store all the same?" : "";
  part("left").classList.toggle("complete", board.left === 0);
  part("left").classList.toggle("asking", asked);
  action("undo").disabled = !board.history.past.length;
  action("redo").disabled = !board.history.future.length;
}

/** @param {string} from @param {State} state */
function start(from, state) {
  board.take(state, "start", `Started from ${from}.`);
  board.focus();
}

function nextDispute() {
  const following = review.disputed.find((number) => number > board.current) ?? review.disputed[0];
  if (following === undefined) return say("Nothing is in dispute.");
  board.goTo(following);
}

function store() {
  if (board.left && !asked) {
    asked = true;
    paint();
    const open = `${board.left} ${board.left === 1 ? "headline is" : "headlines are"} still open`;
    return say(`${open} and would be in no group. Press again to store it as it is.`);
  }
  const { version, basis } = review;
  submission.send({ subclusters: toGroups(board.state), version, basis, comment: comment.value });
}

/** @type {Record<string, () => unknown>} */
const actions = {
  ...board.actions,
  undo: () => board.undo() || say("There is nothing to undo."),
  redo: () => board.redo() || say("There is nothing to do again."),
  shared: () => start("what everybody shares", shared()),
  next: nextDispute,
  store,
};

part("bench").hidden = false;
wireDialogs();
document.addEventListener("click", (event) => {
  const button = around(event, "[data-action], [data-start]");
  if (!button) return;
  const { action = "", start: from } = button.dataset;
  if (from === undefined) actions[action]?.();
  else start(review.annotators[Number(from)], fromGroups(size, review.partitions[Number(from)]));
});
comment.addEventListener("input", keepDraft);
startKeyboard();
board.open({ headlines: review.headlines, placements: [] }, beginning());
paint();
