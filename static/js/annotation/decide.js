/** The page on which an adjudicator decides the sub-clusters of one cluster, from what annotators made of it. */

import { announce } from "../shared/announce.js";
import { request } from "../shared/api.js";
import { startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { Board } from "./board.js";
import { begin, fromGroups, fromItem, place, restore, serialise, toGroups, toPayload } from "./partition.js";

const { user, review, urls } = JSON.parse(document.getElementById("bootstrap").textContent);
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const say = (message) => announce(part("live"), message);
const comment = document.getElementById("comment-text");
const draftName = `paragold-decision-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const size = review.headlines.length;
const disputed = new Set(review.disputed);
const groupIn = review.partitions.map((groups) => new Map(groups.flatMap((group, index) => group.map((number) => [number, index + 1]))));

let asked = false;
let sending = false;

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
  try {
    localStorage.setItem(draftName, JSON.stringify({ history: serialise(board.history), comment: comment.value }));
  } catch {
    say("This browser keeps no draft: decide and store before leaving.");
  }
}

/** The history to begin with: a draft, the decision that stands, or what is shared. */
function beginning() {
  const item = { headlines: review.headlines };
  comment.value = review.decision?.comment ?? "";
  try {
    const kept = JSON.parse(localStorage.getItem(draftName));
    if (kept) {
      comment.value = kept.comment;
      return restore(kept.history, item);
    }
  } catch (error) {
    console.error("A kept draft cannot be read and is left aside.", error);
  }
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

function notice(text, reload = false) {
  const element = document.createElement("div");
  element.className = "notice";
  element.setAttribute("role", "alert");
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  element.append(paragraph);
  if (reload) {
    const link = document.createElement("a");
    link.href = location.href;
    link.className = "button";
    link.textContent = "Reload";
    element.append(link);
  }
  part("notices").replaceChildren(element);
}

async function store() {
  if (board.left && !asked) {
    asked = true;
    paint();
    return say(`${board.left} ${board.left === 1 ? "headline is" : "headlines are"} still open and would stand alone. Press again to store it as it is.`);
  }
  if (sending) return;
  sending = true;
  try {
    const { version, basis } = review;
    const body = { subclusters: toGroups(board.state), version, basis, comment: comment.value };
    const { status, data } = await request(urls.review, { method: "PUT", body });
    if (status === 200) {
      localStorage.removeItem(draftName);
      location.assign(urls.next);
      return;
    }
    notice(data?.detail ?? `The server answered ${status}; nothing was stored.`, status === 409);
  } catch {
    notice("No network: nothing was stored. Your decision is kept in this browser; press again later.");
  } finally {
    sending = false;
  }
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
