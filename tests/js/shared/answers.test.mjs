import assert from "node:assert/strict";
import { test } from "node:test";

import { fits, merged } from "../../../static/js/shared/answers.js";

const pair = (assignment, more = {}) => ({
  assignment, position: assignment, version: 1, state: "done", label: "paraphrase", flagged: false,
  comment: "",
  a: { text: "The Dam broke." }, b: { text: "A weir failed." }, ...more,
});
const filters = (show = "", words = "") => ({ show, words });

test("answers are narrowed by label, state, flag and words", () => {
  assert.ok(fits(pair(1), filters()));
  assert.equal(fits(pair(1, { state: "open" }), filters()), false);
  assert.ok(fits(pair(1), filters("paraphrase", "dam")));
  assert.equal(fits(pair(1), filters("not_paraphrase")), false);
  assert.equal(fits(pair(1), filters("", "flood")), false);
  assert.ok(fits(pair(1, { comment: "Flood?" }), filters("", "flood")));
  const skipped = pair(2, { state: "skipped", label: null, flagged: true });
  assert.ok(fits(skipped, filters("skipped")) && fits(skipped, filters("flagged")));
  assert.equal(fits(skipped, filters("done")), false);
  const cluster = { ...pair(3), a: undefined, b: undefined, headlines: [{ text: "Dam fails" }] };
  assert.ok(fits(cluster, filters("done", "FAILS")));
});

test("what the server does not know yet comes first, once", () => {
  const changed = pair(2, { label: "not_paraphrase" });
  const rows = merged([pair(1), pair(2), pair(3)], [changed], (item) => fits(item, filters("paraphrase")));
  assert.deepEqual(rows.map(({ assignment }) => assignment), [1, 3]);
  const every = merged([pair(1), pair(2)], [pair(4), changed], () => true);
  assert.deepEqual(every.map(({ assignment }) => assignment), [4, 2, 1]);
});
