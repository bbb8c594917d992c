/**
 * The page on which an adjudicator decides the sub-clusters of one cluster: the headlines on which annotators
 * differ as rows, or all of them on the board.
 */

import { action, around, create, part } from "../shared/page.js";
import { changed, reviewed, say, startReview } from "../shared/review.js";
import { declaredOptions, Rows } from "../shared/rows.js";
import { sentenceNode } from "../shared/text.js";
import { gettext, ngettext } from "../shared/texts.js";
import { Board } from "./board.js";
import {
  alike, begin, difference, fromGroups, fromItem, newGroup, NONE, place, placeOf, restore, serialise,
  toGroups, toPayload,
} from "./partition.js";

/**
 * A cluster to decide: what each annotator made of it, what is in all of these, and the decision so far.
 * @typedef {{ item: number, number: number, headlines: import("./partition.js").Headline[],
 *   annotators: string[], partitions: number[][][], shared: number[][], disputed: number[],
 *   decision: { comment: string, subclusters: number[][] } | null }} Review
 * @typedef {import("./partition.js").State} State
 */

/** @type {Review} */
const review = reviewed;
const size = review.headlines.length;
// For each annotator, the group of each headline; groups that are matched have one number.
const placed = alike(size, review.partitions);
const none = declaredOptions();

/** @param {number} group */
const groupName = (group) => (group === NONE ? "none" : String(group));

/** @param {number} group */
function badge(group) {
  const made = create("span", "badge", groupName(group));
  if (group !== NONE) made.dataset.hue = String((group - 1) % 8);
  return made;
}

/**
 * Beside a headline of the board: where each annotator put it, and whether that is in dispute.
 * @param {number} number
 */
function marksOf(number) {
  const marks = create("span", "marks");
  for (const [index, name] of review.annotators.entries()) {
    marks.append(create("span", "vote", `${name} ${groupName(placed[index].get(number) ?? NONE)}`));
  }
  if (review.disputed.includes(number)) marks.append(create("span", "differs", "differs"));
  return [marks];
}

/** What nobody disputes, where the first annotator put it; the rest is open. @returns {State} */
function agreed() {
  return place(Object.freeze({ size, places: placed[0] }), review.disputed, null);
}

const board = new Board({ say, marksOf, onEdit: edited });
const rows = new Rows({
  annotators: review.annotators,
  choose: (key, value) => choose(Number(key), value === "new" ? value : Number(value)),
  moved: (row) => board.stand(Number(row.key)),
});

function edited() {
  paintRows();
  changed();
}

function paintRows() {
  rows.paint(new Map([...board.state.places].map(([number, group]) => [String(number), String(group)])));
}

const onBoard = () => part("frame").dataset.view === "board";

/**
 * Puts a headline of the rows into a group and goes on to the next open one.
 * @param {number} number @param {number | "new" | null} group
 */
function choose(number, group) {
  board.put(group, [number]);
  if (group === null) rows.focus();
  else if (!rows.toOpen()) action("store").focus();
}

/** Every open headline with those that everybody put together with it, else alone. */
function applyRule() {
  let state = board.state;
  for (const number of review.disputed.filter((one) => placeOf(state, one) === null)) {
    const mates = review.shared.find((group) => group.includes(number)) ?? [];
    const there = mates.map((mate) => placeOf(state, mate)).find(Boolean);
    state = place(state, [number], there ?? (mates.length ? newGroup(state) : NONE));
  }
  board.take(state, "rule", gettext("Together only what everybody put together."));
  if (onBoard()) board.focus();
  else action("store").focus();
}

/** @param {string} from @param {State} state */
function start(from, state) {
  board.take(state, "start", gettext("Started from %(from)s.", { from }));
  focus();
}

function focus() {
  if (onBoard()) board.focus();
  else if (board.left || !review.disputed.length) rows.focus();
  else action("store").focus({ preventScroll: true });
}

/** @param {() => boolean} step undo or redo; its headline becomes the current one */
function stepped(step) {
  const before = board.state;
  const done = step();
  const [changes] = difference(before, board.state);
  if (done && !onBoard() && !(changes && rows.goToKey(String(changes[0])))) rows.focus();
  return done;
}

/** @param {string} view "rows" or "board" */
function show(view) {
  part("frame").dataset.view = view;
  action("view").setAttribute("aria-pressed", String(view === "board"));
  if (view === "rows") rows.goToKey(String(board.current));
  focus();
}

/** The actions of the board; where the rows are shown, on the headline of the current row. */
function grouping() {
  return Object.fromEntries(Object.entries(board.actions).map(([name, work]) => {
    const group = name === "none" ? NONE : name === "new" ? name : name === "open" ? null
      : Number(name.replace("group", ""));
    const here = () => { if (rows.row) choose(Number(rows.row.key), /** @type {any} */ (group)); };
    return [name, name === "sources" ? work : () => (onBoard() ? work() : here())];
  }));
}

/** @param {State} state @param {State} other */
function onlyIn(state, other) {
  return review.headlines.filter(({ number }) => placeOf(state, number) !== placeOf(other, number))
    .map(({ number, text }) => ({ text, note: groupName(placeOf(state, number) ?? NONE) }));
}

rows.open(review.disputed.map((number) => {
  const groups = placed.map((places) => places.get(number) ?? NONE);
  const proposed = [...new Set(groups)].filter((group) => group !== NONE).sort((p, q) => p - q);
  const headline = review.headlines[number - 1];
  const given = review.annotators.map((name, n) => `${name} ${groupName(groups[n])}`);
  return {
    key: String(number), name: sentenceNode(headline), cells: groups.map(badge),
    said: [headline.text, ...given].join(", "),
    options: [
      ...proposed.map((group) => ({ value: String(group), text: String(group), keyed: "" })), ...none,
    ],
  };
}));

part("bench").hidden = false;
const item = { headlines: review.headlines };
const state = review.decision ? fromGroups(size, review.decision.subclusters) : agreed();
board.open({ ...item, placements: [] }, begin(fromItem({ ...item, ...toPayload(state) })));
paintRows();
document.addEventListener("click", (event) => {
  const from = around(event, "[data-start]")?.dataset.start;
  if (from === undefined) return;
  start(review.annotators[Number(from)], Object.freeze({ size, places: placed[Number(from)] }));
});

startReview({
  left: () => board.left,
  toOpen() {
    if (onBoard()) board.focus();
    else rows.stayOrToOpen();
  },
  undo: () => stepped(() => board.undo()),
  redo: () => stepped(() => board.redo()),
  draft: () => ({ history: serialise(board.history) }),
  take(draft) {
    board.open({ ...item, placements: [] }, restore(draft.history, item));
    paintRows();
  },
  answer: () => ({ subclusters: toGroups(board.state) }),
  decided() {
    const groups = toGroups(board.state).length;
    return ngettext("Cluster %(number)s: %(count)s group.", "Cluster %(number)s: %(count)s groups.", groups, {
      number: review.number,
    });
  },
  compare(current) {
    const [mine, theirs] = alike(size, [toGroups(board.state), current.content])
      .map((places) => Object.freeze({ size, places }));
    return { mine: onlyIn(mine, theirs), stored: onlyIn(theirs, mine) };
  },
  focus,
  actions: {
    ...grouping(),
    rule: applyRule,
    shared: () => start(gettext("what everybody put together"), agreed()),
    next: () => (onBoard() ? board.goTo(nextDisputed()) : rows.toOpen() || say(gettext("Nothing is open."))),
    view: () => show(onBoard() ? "rows" : "board"),
  },
});
rows.goToKey(String(review.disputed.find((number) => placeOf(board.state, number) === null)));

function nextDisputed() {
  return review.disputed.find((number) => number > board.current) ?? review.disputed[0] ?? 1;
}
