import assert from "node:assert/strict";
import { test } from "node:test";

import { between, tally } from "../../../static/js/corpus/block_range.js";

test("the blocks between two, in either direction", () => {
  assert.deepEqual(between(2, 5), [2, 3, 4, 5]);
  assert.deepEqual(between(5, 2), [2, 3, 4, 5]);
  assert.deepEqual(between(3, 3), [3]);
});

test("how many are story", () => {
  assert.equal(tally([true, false, true]), "2 of 3 are story");
  assert.equal(tally([]), "0 of 0 are story");
});
