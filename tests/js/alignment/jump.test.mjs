import assert from "node:assert/strict";
import { test } from "node:test";

import { counterpart, nextMatch } from "../../../static/js/alignment/jump.js";

const tokens = ["The", "fire", "at", "the", "Élysée", "firm"];

test("letters find the next word that starts with them, around the end", () => {
  assert.equal(nextMatch(tokens, "fi", 0), 1);
  assert.equal(nextMatch(tokens, "fi", 1), 1, "the focused word itself is kept while letters are added");
  assert.equal(nextMatch(tokens, "fi", 1, true), 5);
  assert.equal(nextMatch(tokens, "fi", 5, true), 1);
  assert.equal(nextMatch(tokens, "THE", 1), 3);
});

test("accents do not matter, inner letters count only when no word starts so, and nothing is nothing", () => {
  assert.equal(nextMatch(tokens, "ely", 0), 4);
  assert.equal(nextMatch(tokens, "irm", 0), 5);
  assert.equal(nextMatch(tokens, "zz", 0), -1);
  assert.equal(nextMatch(tokens, "", 0), -1);
});

test("changing the column arrives at the link, the suggestion, or an open word of the same letters", () => {
  const choice = { linked: [4], suggested: [2], token: "the", otherTokens: tokens, otherOpen: [1, 3, 5] };
  assert.equal(counterpart(choice), 4);
  assert.equal(counterpart({ ...choice, linked: [] }), 2);
  assert.equal(counterpart({ ...choice, linked: [], suggested: [] }), 3);
  assert.equal(counterpart({ ...choice, linked: [], suggested: [], token: "smoke" }), null);
});
