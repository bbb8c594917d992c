/**
 * Where the annotator is: the focused word, the selected run of words around it, and the words held in the
 * other column. Pure and immutable, like the links; moving is never undone, so it lives apart from them.
 *
 * The run goes from `from` to `focus` (either may be the smaller); `held` is what the next link starts at;
 * `last` remembers each column's focus.
 * @typedef {Readonly<{ side: Side, focus: number, from: number,
 *   held: { side: Side, from: number, to: number } | null, last: Record<Side, number> }>} Cursor
 *
 * What the pointer is over: a word, or the link (or cell) "i-j".
 * @typedef {{ side: Side, index: number, key?: undefined }
 *   | { key: string, side?: undefined, index?: undefined }} Hover
 *
 * @typedef {import("./state.js").Cell} Cell
 * @typedef {import("../shared/text.js").Side} Side
 */

import { otherSide } from "./state.js";

export const startCursor = () => freeze({ side: "a", focus: 0, from: 0, held: null, last: { a: 0, b: 0 } });

/**
 * Indices of the selected run, ascending.
 * @param {Cursor} cursor
 */
export const selected = (cursor) => indices(cursor.from, cursor.focus);

/**
 * Indices held in the column, ascending; empty when nothing is held there.
 * @param {Cursor} cursor @param {Side} side
 */
export function heldIn({ held }, side) {
  return held?.side === side ? indices(held.from, held.to) : [];
}

/**
 * The run from one index to another, ascending, both included.
 * @param {number} from @param {number} to
 */
export function indices(from, to) {
  const low = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => low + step);
}

/**
 * Focus on a word. `extend` keeps the other end of the run; a held run of the same column is let go.
 * @param {Cursor} cursor @param {Side} side @param {number} index
 */
export function focusAt(cursor, side, index, extend = false) {
  const extending = extend && side === cursor.side;
  const held = cursor.held?.side === side ? null : cursor.held;
  return freeze({
    ...cursor, side, focus: index, from: extending ? cursor.from : index, held,
    last: { ...cursor.last, [side]: index },
  });
}

/**
 * `delta` words down (negative: up) in the column of `size` words.
 * @param {Cursor} cursor @param {number} delta @param {number} size
 */
export function move(cursor, delta, size, extend = false) {
  const index = Math.max(0, Math.min(size - 1, cursor.focus + delta));
  return focusAt(cursor, cursor.side, index, extend);
}

/**
 * Over to the other column; the run stays behind as the held one. `target` is the word to arrive at.
 * @param {Cursor} cursor
 */
export function cross(cursor, target = cursor.last[otherSide(cursor.side)]) {
  const held = { side: cursor.side, from: cursor.from, to: cursor.focus };
  return freeze({ ...focusAt({ ...cursor, held: null }, otherSide(cursor.side), target), held });
}

/** @param {Cursor} cursor */
export const letGo = (cursor) => (cursor.held || cursor.from !== cursor.focus
  ? freeze({ ...cursor, held: null, from: cursor.focus })
  : cursor);

/**
 * A click on a word or a drag over a run of words. Words held in the other column are linked with the run and
 * let go; otherwise the run becomes the held one (or is let go when it already was).
 * `cells` are those to link, empty when there are none.
 * @param {Cursor} cursor @param {Side} side @param {number} from @param {number} to
 * @returns {{ cursor: Cursor, cells: Cell[] }}
 */
export function pick(cursor, side, from, to) {
  const run = indices(from, to);
  const opposite = heldIn(cursor, otherSide(side));
  const there = freeze({
    ...cursor, side, focus: to, from, held: null, last: { ...cursor.last, [side]: to },
  });
  if (opposite.length) {
    const cells = side === "a" ? block(run, opposite) : block(opposite, run);
    return { cursor: freeze({ ...there, from: to }), cells };
  }
  const again = heldIn(cursor, side);
  const same = again.length === run.length && again[0] === run[0];
  const next = same ? { ...there, from: to } : { ...there, held: { side, from, to } };
  return { cursor: freeze(next), cells: [] };
}

/**
 * The cells that a strength key acts on: held words with the selected run. Empty when nothing is held
 * opposite.
 * @param {Cursor} cursor
 */
export function targetCells(cursor) {
  const opposite = heldIn(cursor, otherSide(cursor.side));
  return cursor.side === "a" ? block(selected(cursor), opposite) : block(opposite, selected(cursor));
}

/**
 * The cell cursor of the matrix: row `i` held, column `j` focused. `extend` grows the rectangle.
 * @param {Cursor} cursor @param {number} i @param {number} j
 */
export function focusCell(cursor, i, j, extend = false) {
  const here = cellFocus(cursor);
  const from = extend ? here.from : { i, j };
  return freeze({
    side: "b", focus: j, from: from.j, held: { side: "a", from: from.i, to: i }, last: { a: i, b: j },
  });
}

/**
 * The focused cell {i, j} and the far corner {from: {i, j}} of the matrix' rectangle.
 * @param {Cursor} cursor
 */
export function cellFocus(cursor) {
  const { held, side, focus, last } = cursor;
  const run = (/** @type {Side} */ column) => {
    if (column === side) return [cursor.from, focus];
    return held?.side === column ? [held.from, held.to] : [last[column], last[column]];
  };
  const [[fromI, i], [fromJ, j]] = [run("a"), run("b")];
  return { i, j, from: { i: fromI, j: fromJ } };
}

/**
 * Every pair of the two runs.
 * @param {number[]} rows @param {number[]} columns @returns {Cell[]}
 */
export function block(rows, columns) {
  return rows.flatMap((i) => columns.map((j) => /** @type {Cell} */ ([i, j])));
}

/** @param {Cursor} cursor @returns {Cursor} */
const freeze = (cursor) => Object.freeze(cursor);
