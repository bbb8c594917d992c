import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begin, commit, difference, redo, restore, serialise, settle, undo,
} from "../../../static/js/alignment/history.js";
import { acceptAll, cycle, fromItem, link, remove, toggleNull } from "../../../static/js/alignment/state.js";

const item = {
  a: { tokens: ["a", "b", "c"] }, b: { tokens: ["x", "y", "z"] },
  links: [[0, 0, "possible", "imported"]], null_a: [], null_b: [2], suggestions: [[1, 1], [2, 1]],
};
const steps = [
  (state) => link(state, [[1, 0], [1, 2]], "sure"),
  (state) => toggleNull(state, "a", [0]),
  (state) => acceptAll(state),
  (state) => cycle(state, 1, 1),
  (state) => remove(state, [[1, 0]]),
];
const worked = () => steps.reduce(
  (history, step) => commit(history, step(history.state)), begin(fromItem(item)),
);
const plain = (state) => [
  [...state.links].sort(), [...state.nullA].sort(), [...state.nullB].sort(), [...state.suggestions].sort(),
];

test("every step can be undone and redone to the same states", () => {
  const states = [fromItem(item)];
  for (const step of steps) states.push(step(states.at(-1)));
  let history = worked();
  for (const state of states.toReversed()) {
    assert.deepEqual(plain(history.state), plain(state));
    history = undo(history);
  }
  assert.equal(undo(history), history, "at the beginning nothing is left to undo");
  for (const state of states.slice(1)) {
    history = redo(history);
    assert.deepEqual(plain(history.state), plain(state));
  }
  assert.equal(redo(history), history);
});

test("a step that changes nothing is not recorded, a new step drops what was undone", () => {
  const history = worked();
  assert.equal(commit(history, history.state), history);
  const branched = commit(undo(history), link(undo(history).state, [[2, 2]], "sure"));
  assert.equal(branched.future.length, 0);
  assert.equal(branched.past.length, 5);
});

test("a submission gives up what was undone and keeps what can be", () => {
  const history = settle(undo(worked()));
  assert.equal(history.future.length, 0);
  assert.equal(history.past.length, 4);
  assert.equal(settle(history), history);
});

test("a history survives JSON, undone steps included", () => {
  const history = undo(undo(worked()));
  let again = restore(JSON.parse(JSON.stringify(serialise(history))), item);
  assert.deepEqual(plain(again.state), plain(history.state));
  assert.equal(again.future.length, 2);
  while (again.past.length) again = undo(again);
  assert.deepEqual(plain(again.state), plain(fromItem(item)));
});

test("a history of other sentences is refused", () => {
  const stored = serialise(worked());
  assert.throws(() => restore(stored, { ...item, a: { tokens: ["a"] } }), RangeError);
});

test("a difference names what changed and nothing else", () => {
  const before = fromItem(item);
  assert.deepEqual(difference(before, before), []);
  assert.deepEqual(difference(before, link(before, [[1, 2]], "sure")), [
    ["link", 1, 2, null, ["sure", "drawn"]], ["null", "b", 2, true, false],
  ]);
});
