import assert from "node:assert/strict";
import { test } from "node:test";

import {
  alike, begin, commit, difference, fromGroups, fromItem, groupsOf, membersOf, newGroup, NONE, place, placeOf,
  redo, restore, serialise,
  settle, toGroups, toPayload, undo,
} from "../../../static/js/annotation/partition.js";

const item = { headlines: [{}, {}, {}, {}, {}], placements: [[2, 1], [1, 1], [4, null]] };

test("an item and what is sent of it", () => {
  const state = fromItem(item);
  assert.deepEqual([1, 2, 3, 4, 5].map((number) => placeOf(state, number)), [1, 1, null, NONE, null]);
  assert.deepEqual(toPayload(state), { placements: [[1, 1], [2, 1], [4, null]] });
  assert.throws(() => fromItem({ ...item, placements: [[6, 1]] }), RangeError);
});

test("headlines are placed, in none, and open again", () => {
  const state = place(fromItem(item), [3, 5], 2);
  assert.deepEqual(membersOf(state, 2), [3, 5]);
  assert.equal(place(state, [3, 5], 2), state);
  assert.equal(placeOf(place(state, [3], NONE), 3), NONE);
  assert.deepEqual(membersOf(place(state, [1, 2], null), null), [1, 2]);
  assert.deepEqual(groupsOf(state), [1, 2]);
});

test("a new group takes the lowest number that is free", () => {
  const state = fromItem(item);
  assert.equal(newGroup(state), 2);
  assert.equal(newGroup(place(place(state, [3], 3), [1, 2], 2)), 1);
});

test("a partition is its groups of two or more", () => {
  const state = fromGroups(5, [[4, 5], [1], [2, 3]]);
  assert.deepEqual(toGroups(state), [[4, 5], [2, 3]]);
  assert.equal(placeOf(fromGroups(3, [[1, 2]]), 3), NONE);
});

test("undo and redo go through every step, also after a reload", () => {
  let history = begin(fromItem(item));
  history = commit(history, place(history.state, [3], 1));
  history = commit(history, place(history.state, [3, 5], NONE));
  assert.equal(commit(history, history.state), history);
  history = restore(JSON.parse(JSON.stringify(serialise(history))), item);
  history = undo(history);
  assert.deepEqual(membersOf(history.state, 1), [1, 2, 3]);
  history = redo(history);
  assert.deepEqual(membersOf(history.state, NONE), [3, 4, 5]);
  history = undo(undo(history));
  assert.deepEqual(toPayload(history.state), toPayload(fromItem(item)));
  assert.equal(undo(history), history);
  assert.deepEqual(difference(history.state, redo(history).state), [[3, null, 1]]);
  assert.equal(redo(settle(history)).state, history.state);
});

test("a history of another cluster is refused", () => {
  const stored = serialise(commit(begin(fromItem(item)), place(fromItem(item), [5], 1)));
  assert.throws(() => restore(stored, { headlines: [{}, {}, {}] }), RangeError);
  assert.throws(() => restore({ placements: [], past: [[[9, null, 1]]], future: [] }, item), RangeError);
});

test("groups that are matched have one number in every partition", () => {
  const [first, second, third] = alike(6, [[[1, 2, 3, 4], [5, 6]], [[5, 6], [1, 2], [3, 4]], []]);
  assert.deepEqual([...first.values()], [1, 1, 1, 1, 2, 2]);
  assert.deepEqual([...second.values()], [1, 1, 3, 3, 2, 2]);
  assert.deepEqual([...third.values()], [NONE, NONE, NONE, NONE, NONE, NONE]);
});
