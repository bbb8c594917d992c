import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellFocus, cross, focusAt, focusCell, heldIn, letGo, move, pick, selected, startCursor, targetCells,
} from "../../../static/js/alignment/cursor.js";

test("moving stays within the column and extends with Shift", () => {
  const down = move(move(startCursor(), 1, 5), 2, 5, true);
  assert.deepEqual(selected(down), [1, 2, 3]);
  assert.equal(move(down, 9, 5).focus, 4);
  assert.deepEqual(selected(move(down, -9, 5)), [0]);
});

test("changing the column holds the run, and a strength key links it with the focused run", () => {
  const over = cross(move(startCursor(), 1, 5, true), 3);
  assert.equal(over.side, "b");
  assert.deepEqual(heldIn(over, "a"), [0, 1]);
  assert.deepEqual(targetCells(over), [[0, 3], [1, 3]]);
  assert.deepEqual(targetCells(cross(over)), [[1, 3]], "back again: the focused word of b is the held one");
  assert.deepEqual(targetCells(startCursor()), []);
});

test("two clicks link one word with one word and leave nothing held", () => {
  const first = pick(startCursor(), "a", 2, 2);
  assert.deepEqual(first.cells, []);
  const second = pick(first.cursor, "b", 4, 4);
  assert.deepEqual(second.cells, [[2, 4]]);
  assert.equal(second.cursor.held, null);
  assert.deepEqual(pick(second.cursor, "b", 1, 1).cells, [], "the next click begins a new link");
});

test("a click in the first column after one in the second links as [first, second]", () => {
  assert.deepEqual(pick(pick(startCursor(), "b", 4, 4).cursor, "a", 2, 2).cells, [[2, 4]]);
});

test("a second click on the held word lets it go; another word of the column takes its place", () => {
  const held = pick(startCursor(), "a", 2, 2).cursor;
  assert.equal(pick(held, "a", 2, 2).cursor.held, null);
  assert.deepEqual(heldIn(pick(held, "a", 3, 3).cursor, "a"), [3]);
  assert.equal(letGo(held).held, null);
});

test("two drags link every pair of the block, whichever way they went", () => {
  const { cells } = pick(pick(startCursor(), "a", 1, 0).cursor, "b", 3, 2);
  assert.deepEqual(cells, [[0, 2], [0, 3], [1, 2], [1, 3]]);
});

test("arrow keys after a click let the held word of their column go", () => {
  const held = pick(startCursor(), "a", 2, 2).cursor;
  assert.equal(move(held, 1, 5).held, null);
  assert.deepEqual(heldIn(focusAt(held, "b", 0), "a"), [2]);
});

test("the matrix has the same cursor: row held, column focused", () => {
  const cell = focusCell(focusCell(startCursor(), 1, 2), 2, 4, true);
  assert.deepEqual(cellFocus(cell), { i: 2, j: 4, from: { i: 1, j: 2 } });
  assert.equal(targetCells(cell).length, 6);
  assert.deepEqual(cellFocus(move(startCursor(), 3, 9)), { i: 3, j: 0, from: { i: 3, j: 0 } });
});
