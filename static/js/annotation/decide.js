/** The page on which an adjudicator decides the sub-clusters of one cluster, from what annotators made of it. */

import { announce } from "../shared/announce.js";
import { createSubmission } from "../shared/submission.js";
import { startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { Board } from "./board.js";
import { begin, fromGroups, fromItem, place, restore, serialise, toGroups, toPayload } from "./partition.js";

const { user, review, urls } = JSON.parse(document.getElementById("bootstrap").textContent);
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const say = (message) => announce(part("live"), message);
const comment = document.getElementById("comment-text");
const name = `paragold-decision-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const submission = createSubmission({ name, urls, place: part("notices"), say, kept: "decision is" });
const size = review.headlines.length;
const disputed = new Set(review.disputed);
const groupIn = review.partitions.map((groups) => new Map(groups.flatMap((group, index) => group.map((number) => [number, index + 1]))));

let asked = false;

/** Beside a headline: where each annotator put it, and whether that is in dispute. */
function marksOf(number) {
  const marks = document.createElement("span");
  marks.className = "marks";
  marks.append(...review.annotators.map((name, index) => mark("vote", `${name} ${groupIn[index].get(number) ?? "none"}`)));
  if (disputed.has(number)) marks.append(mark("differs", "differs"));
  return [marks];
}

function mark(kind, text) {
  const made = document.createElement("span");
  made.className = kind;
  made.textContent = text;
  return made;
}

const board = new Board({ say, marksOf, onEdit: edited });
const placements = (state) => toPayload(state).placements;

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

/** The history to begin with: a draft, the decision that stands, or what is shared. */
function beginning() {
  const item = { headlines: review.headlines };
  comment.value = review.decision?.comment ?? "";
  const drafted = submission.recall((kept) => {
    comment.value = kept.comment;
    return restore(kept.history, item);
  });
  if (drafted) return drafted;
  const state = review.decision ? fromGroups(size, review.decision.subclusters) : shared();
  return begin(fromItem({ ...item, placements: placements(state) }));
}

function paint() {
  part("left-count").textContent = board.left ? `${board.left} left` : "No headline left";
  part("left-note").textContent = asked ? "still open: store all the same?" : "";
  part("left").classList.toggle("complete", board.left === 0);
  part("left").classList.toggle("asking", asked);
  document.querySelector('[data-action="undo"]').disabled = !board.history.past.length;
  document.querySelector('[data-action="redo"]').disabled = !board.history.future.length;
}

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
    return say(`${board.left} ${board.left === 1 ? "headline is" : "headlines are"} still open and would be in no group. Press again to store it as it is.`);
  }
  const { version, basis } = review;
  submission.send({ subclusters: toGroups(board.state), version, basis, comment: comment.value });
}

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
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-action], [data-start]");
  if (!button) return;
  const { action, start: from } = button.dataset;
  if (from === undefined) actions[action]?.();
  else start(review.annotators[from], fromGroups(size, review.partitions[from]));
});
comment.addEventListener("input", keepDraft);
startKeyboard();
board.open({ headlines: review.headlines, placements: [] }, beginning());
paint();
