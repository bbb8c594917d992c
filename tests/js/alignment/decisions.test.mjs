import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begin, choose, cycle, DROP, restore, toLinks, toState, undecided,
} from "../../../static/js/alignment/decisions.js";

const REVIEW = {
  a: { tokens: ["put", "out", "fires"] }, b: { tokens: ["extinguish", "fires"] },
  agreed: [[2, 1, "sure"]],
  disputed: [{ a: 0, b: 0, strengths: ["sure", null] }, { a: 1, b: 0, strengths: [null, "possible"] }],
  decision: null,
};

test("one key goes from undecided to keep, the other strength, drop and round again", () => {
  const steps = [];
  let decisions = begin(REVIEW);
  for (let n = 0; n < 4; n += 1) {
    decisions = cycle(decisions, decisions.links[0]);
    steps.push(decisions.choices.get("0-0"));
  }
  assert.deepEqual(steps, ["sure", "possible", "drop", "sure"]);
  const fresh = begin(REVIEW);
  assert.equal(cycle(fresh, fresh.links.find(({ key }) => key === "1-0")).choices.get("1-0"), "possible");
});

test("what is not chosen is undecided, and the same choice again changes nothing", () => {
  const decisions = choose(begin(REVIEW), "0-0", DROP);
  assert.deepEqual(undecided(decisions), ["1-0"]);
  assert.equal(choose(decisions, "0-0", DROP), decisions);
  assert.throws(() => choose(decisions, "2-1", DROP), /not in dispute/);
  assert.throws(() => choose(decisions, "0-0", "maybe"), /Unknown choice/);
});

test("agreed links stay, dropped ones go, in order", () => {
  const decisions = choose(choose(begin(REVIEW), "1-0", "possible"), "0-0", DROP);
  assert.deepEqual(toLinks(decisions, REVIEW.agreed), [[1, 0, "possible"], [2, 1, "sure"]]);
});

test("the ladder distinguishes agreed, decided, undecided and dropped links", () => {
  const state = toState(choose(begin(REVIEW), "0-0", DROP), REVIEW);
  assert.equal(state.links.get("2-1").origin, "agreed");
  assert.deepEqual(state.links.get("1-0"), { strength: "possible", origin: "disputed" });
  assert.deepEqual([...state.suggestions], ["0-0"]);
  assert.equal(toState(choose(begin(REVIEW), "0-0", "possible"), REVIEW).links.get("0-0").origin, "decided");
});

test("an existing decision is taken over, links that it lacks as dropped", () => {
  const decisions = begin({ ...REVIEW, decision: { links: [[1, 0, "sure"], [2, 1, "sure"]] } });
  assert.deepEqual([...decisions.choices], [["0-0", "drop"], ["1-0", "sure"]]);
});

test("a stored draft keeps what belongs to the pair", () => {
  const decisions = restore(begin(REVIEW), [["0-0", "sure"], ["9-9", "sure"], ["1-0", "nonsense"]]);
  assert.deepEqual([...decisions.choices], [["0-0", "sure"]]);
});
