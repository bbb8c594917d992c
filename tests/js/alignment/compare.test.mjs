import assert from "node:assert/strict";
import { test } from "node:test";
import { step } from "../../../static/js/alignment/compare.js";

test("the first key leads to the first pair, further ones from pair to pair", () => {
  assert.equal(step(-1, 1, 3), 0);
  assert.equal(step(0, 1, 3), 1);
  assert.equal(step(2, -1, 3), 1);
});

test("where the list ends there is no pair to go to", () => {
  assert.equal(step(2, 1, 3), null);
  assert.equal(step(0, -1, 3), null);
  assert.equal(step(-1, -1, 3), null);
});
