import assert from "node:assert/strict";
import { test } from "node:test";

import { range, selectedWords } from "../../../static/js/shared/selection.js";

test("how many are selected is said in words", () => {
  assert.equal(selectedWords(0, "pair"), "No pair selected");
  assert.equal(selectedWords(1, "batch", "batches"), "1 batch selected");
  assert.equal(selectedWords(2, "batch", "batches"), "2 batches selected");
  assert.equal(selectedWords(3, "pair"), "3 pairs selected");
});

test("a range reaches from either end", () => {
  assert.deepEqual(range(2, 4), [2, 3, 4]);
  assert.deepEqual(range(4, 2), [2, 3, 4]);
  assert.deepEqual(range(3, 3), [3]);
});
