import assert from "node:assert/strict";
import { test } from "node:test";

import {
  acceptAll, acceptSuggestions, clearWords, counts, cycle, emptyState, fromItem, link, linksOf, openWords,
  remove, replace, toggleNull, toPayload,
} from "../../../static/js/alignment/state.js";

const item = () => ({
  a: { tokens: ["put", "it", "out"] }, b: { tokens: ["extinguish", "it"] },
  links: [[0, 0, "sure", "drawn"]], null_a: [], null_b: [], suggestions: [[0, 0], [1, 1], [2, 0]],
});

test("an item becomes a state and its payload again, sorted", () => {
  const state = fromItem({
    ...item(), links: [[2, 0, "possible", "accepted"], [0, 0, "sure", "drawn"]], null_b: [1],
  });
  assert.deepEqual(toPayload(state), {
    links: [[0, 0, "sure", "drawn"], [2, 0, "possible", "accepted"]], null_a: [], null_b: [1],
  });
  assert.deepEqual(
    [...state.suggestions], [], "linked cells and words without counterpart are not suggested",
  );
});

test("an index outside its sentence is refused with the word and the size named", () => {
  assert.throws(
    () => fromItem({ ...item(), links: [[3, 0, "sure", "drawn"]] }), /Word 3 of sentence a is outside its 3/,
  );
  assert.throws(() => link(emptyState(1, 1), [[0, -1]], "sure"), RangeError);
  assert.throws(() => link(emptyState(1, 1), [[0, 0]], "certain"), /Unknown strength "certain"/);
});

test("operations never change the state they are given", () => {
  const before = emptyState(2, 2);
  const after = toggleNull(link(before, [[0, 0]], "sure"), "b", [1]);
  assert.equal(before.links.size, 0);
  assert.equal(after.links.size, 1);
  assert.deepEqual([...after.nullB], [1]);
});

test("what changes nothing gives the same state back", () => {
  const state = link(emptyState(2, 2), [[0, 0]], "sure");
  assert.equal(link(state, [[0, 0]], "sure"), state);
  assert.equal(remove(state, [[1, 1]]), state);
  assert.equal(clearWords(state, "a", [1]), state);
  assert.equal(toggleNull(state, "a", []), state);
  assert.equal(acceptAll(state), state);
});

test("a block links every pair, and a word may stand in many links", () => {
  const state = link(emptyState(2, 2), [[0, 0], [0, 1], [1, 0], [1, 1]], "possible");
  assert.equal(state.links.size, 4);
  assert.deepEqual(linksOf(state, "a", 1).map((mark) => mark.other), [0, 1]);
});

test("a link in place of the others of its words leaves the other words alone", () => {
  const state = link(fromItem(item()), [[1, 0], [2, 1]], "sure");
  const after = replace(state, [[2, 0]], "possible");
  assert.deepEqual([...after.links], [["2-0", { strength: "possible", origin: "accepted" }]]);
  assert.deepEqual([...after.suggestions], ["1-1"]);
  assert.equal(replace(after, [[2, 0]], "possible"), after);
  const block = replace(state, [[0, 0], [1, 0]], "sure");
  assert.deepEqual([...block.links.keys()].sort(), ["0-0", "1-0", "2-1"]);
});

test("a cell cycles none, SURE, POSSIBLE, none", () => {
  const strengths = [];
  let state = emptyState(1, 1);
  for (let step = 0; step < 4; step += 1) {
    state = cycle(state, 0, 0);
    strengths.push(state.links.get("0-0")?.strength ?? null);
  }
  assert.deepEqual(strengths, ["sure", "possible", null, "sure"]);
});

test("no counterpart and links exclude each other, both ways", () => {
  const linked = link(emptyState(2, 2), [[0, 0], [0, 1]], "sure");
  const none = toggleNull(linked, "a", [0]);
  assert.equal(none.links.size, 0);
  assert.deepEqual([...none.nullA], [0]);
  const again = link(none, [[0, 1]], "sure");
  assert.deepEqual([...again.nullA], []);
  assert.deepEqual([...toggleNull(none, "a", [0]).nullA], [], "a second N unmarks");
  assert.deepEqual([...toggleNull(none, "a", [0, 1]).nullA], [0, 1], "a mixed run is marked as a whole");
});

test("suggestions are no links until accepted, and then say where they come from", () => {
  const state = fromItem(item());
  assert.deepEqual([...state.suggestions], ["1-1", "2-0"]);
  const one = acceptSuggestions(state, [[1, 1], [0, 1]]);
  assert.deepEqual(one.links.get("1-1"), { strength: "sure", origin: "accepted" });
  assert.equal(one.links.has("0-1"), false, "a cell that nobody suggested is not accepted");
  assert.deepEqual([...one.suggestions], ["2-0"]);
  assert.equal(counts(acceptAll(state)).suggested, 0);
  assert.equal(link(state, [[2, 0]], "possible").links.get("2-0").origin, "accepted");
});

test("no counterpart dismisses the suggestions of the word", () => {
  assert.deepEqual([...toggleNull(fromItem(item()), "a", [2]).suggestions], ["1-1"]);
});

test("open words are the ones neither linked nor marked; a suggestion does not close a word", () => {
  const state = toggleNull(fromItem(item()), "a", [1]);
  assert.deepEqual(openWords(state), { a: [2], b: [1] });
  assert.deepEqual(counts(state), { openA: 1, openB: 1, sure: 1, possible: 0, suggested: 1 });
});

test("clearing words takes links, suggestions and marks", () => {
  const state = clearWords(toggleNull(fromItem(item()), "b", [1]), "b", [0, 1]);
  assert.equal(state.links.size + state.suggestions.size + state.nullB.size, 0);
});
