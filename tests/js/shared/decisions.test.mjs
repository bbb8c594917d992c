import assert from "node:assert/strict";
import { test } from "node:test";

import { begin, decide, fitting, openOf, redo, undo } from "../../../static/js/shared/decisions.js";

const KEYS = ["a", "b", "c"];

test("what is not chosen is open, and the same choice again changes nothing", () => {
  const decisions = decide(begin(), [["b", "sure"]]);
  assert.deepEqual(openOf(KEYS, decisions), ["a", "c"]);
  assert.equal(decide(decisions, [["b", "sure"]]), decisions);
  assert.deepEqual(openOf(KEYS, begin([["a", "drop"]])), ["b", "c"]);
});

test("several rows decided at once are one step back and forth", () => {
  const one = decide(begin(), [["a", "sure"]]);
  const all = decide(one, [["b", "possible"], ["c", "possible"]]);
  assert.deepEqual(openOf(KEYS, all), []);
  assert.deepEqual([...undo(all).choices], [["a", "sure"]]);
  assert.deepEqual(redo(undo(all)).choices, all.choices);
  const fresh = begin();
  assert.equal(undo(fresh), fresh);
  assert.equal(redo(all), all);
  assert.equal(redo(decide(undo(all), [["b", "drop"]])).choices.get("b"), "drop");
});

test("a kept draft keeps what belongs to the rows", () => {
  const kept = [["a", "sure"], ["z", "sure"], ["b", "nonsense"]];
  assert.deepEqual(fitting(kept, KEYS, ["sure", "drop"]), [["a", "sure"]]);
});
