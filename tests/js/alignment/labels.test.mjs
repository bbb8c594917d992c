import assert from "node:assert/strict";
import { test } from "node:test";

import { difference } from "../../../static/js/alignment/history.js";
import { changeSentence, listed, wordLabel, wordStatus } from "../../../static/js/alignment/labels.js";
import { emptyState, fromItem, link, remove, toggleNull } from "../../../static/js/alignment/state.js";

const words = { a: ["put", "out", "were"], b: ["extinguish", "now"] };
const state = link(emptyState(3, 2), [[0, 0], [1, 0]], "sure");

test("the label of a word says its links", () => {
  assert.equal(wordLabel(state, words, "b", 0), "extinguish, linked sure with put, out");
  assert.equal(wordLabel(state, words, "a", 2), "were, open");
  assert.equal(wordLabel(toggleNull(state, "a", [2]), words, "a", 2), "were, no counterpart");
  assert.equal(wordLabel(link(state, [[0, 1]], "possible"), words, "a", 0),
    "put, linked sure with extinguish, linked possible with now");
});

test("suggestions are named as such", () => {
  const item = { a: { tokens: words.a }, b: { tokens: words.b }, suggestions: [[1, 1]] };
  assert.equal(wordLabel(fromItem(item), words, "a", 1), "out, suggested with now, open");
  assert.equal(wordStatus(fromItem(item), "a", 1), "suggested");
});

test("a status for every word", () => {
  const all = toggleNull(link(state, [[2, 1]], "possible"), "a", [0]);
  assert.deepEqual([0, 1, 2].map((index) => wordStatus(all, "a", index)), ["null", "sure", "possible"]);
  assert.equal(wordStatus(state, "b", 1), "open");
});

test("a change is announced in one line with what is left", () => {
  assert.equal(
    changeSentence(difference(emptyState(3, 2), state), words, 2),
    "put with extinguish; out with extinguish: sure. 2 left.",
  );
  assert.equal(
    changeSentence(difference(state, remove(state, [[0, 0]])), words, 3),
    "put with extinguish: no link. 3 left.",
  );
  assert.equal(
    changeSentence(difference(state, toggleNull(state, "a", [2])), words, 0),
    "were: no counterpart. No word left open.",
  );
  const many = link(emptyState(3, 2), [[0, 0], [0, 1], [1, 0], [1, 1]], "possible");
  assert.equal(changeSentence(difference(emptyState(3, 2), many), words, 1), "4 links: possible. 1 left.");
});

test("links are listed in reading order", () => {
  assert.deepEqual(listed(state, words).map(({ text }) => text), ["put – extinguish", "out – extinguish"]);
});
