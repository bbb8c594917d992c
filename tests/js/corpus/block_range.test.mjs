import assert from "node:assert/strict";
import { test } from "node:test";

import { between, ranges, tally } from "../../../static/js/corpus/block_range.js";

test("the blocks between two, in either direction", () => {
  assert.deepEqual(between(2, 5), [2, 3, 4, 5]);
  assert.deepEqual(between(5, 2), [2, 3, 4, 5]);
  assert.deepEqual(between(3, 3), [3]);
});

test("how many are main text", () => {
  assert.equal(tally([true, false, true]), "2 of 3 are main text");
  assert.equal(tally([]), "0 of 0 are main text");
});

test("marks as ranges from 1", () => {
  assert.equal(ranges([false, true, true, true, false, true]), "2-4,6");
  assert.equal(ranges([true, true]), "1-2");
  assert.equal(ranges([false]), "");
  assert.equal(ranges(Array(5000).fill(true)), "1-5000");
});
