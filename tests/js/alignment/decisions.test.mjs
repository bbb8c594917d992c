import assert from "node:assert/strict";
import { test } from "node:test";

import { byRule, choicesOf, DROP, toLinks, toState } from "../../../static/js/alignment/decisions.js";

const REVIEW = {
  a: { tokens: ["put", "out", "fires"] }, b: { tokens: ["extinguish", "fires"] },
  agreed: [[2, 1, "sure"]],
  disputed: [{ a: 0, b: 0, strengths: ["sure", null] }, { a: 1, b: 0, strengths: [null, "possible"] }],
};

test("the papers' rule is sure where all said sure, else possible", () => {
  assert.equal(byRule({ strengths: ["sure", "sure", "sure"] }), "sure");
  for (const strengths of [["sure", null], ["sure", "possible"], [null, "possible", null]]) {
    assert.equal(byRule({ strengths }), "possible");
  }
});

test("agreed links stay, dropped and open ones go, in order", () => {
  const choices = new Map([["1-0", "possible"], ["0-0", DROP]]);
  assert.deepEqual(toLinks(choices, REVIEW), [[1, 0, "possible"], [2, 1, "sure"]]);
  assert.deepEqual(toLinks(new Map(), REVIEW), REVIEW.agreed);
});

test("the views distinguish agreed, decided, open and dropped links", () => {
  const state = toState(new Map([["0-0", DROP]]), REVIEW);
  assert.equal(state.links.get("2-1").origin, "agreed");
  assert.deepEqual(state.links.get("1-0"), { strength: "possible", origin: "disputed" });
  assert.deepEqual([...state.suggestions], ["0-0"]);
  assert.equal(toState(new Map([["0-0", "possible"]]), REVIEW).links.get("0-0").origin, "decided");
});

test("an existing decision is taken over, links that it lacks as dropped", () => {
  const links = [[1, 0, "sure"], [2, 1, "sure"]];
  assert.deepEqual(choicesOf(REVIEW, links), [["0-0", "drop"], ["1-0", "sure"]]);
});
