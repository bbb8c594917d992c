import assert from "node:assert/strict";
import { test } from "node:test";

import { ending, standing } from "../../../static/js/shared/ending.js";

const queue = { total: 5, skipped: 0 };

test("the end says what was done, what was skipped and what is still on its way", () => {
  assert.equal(ending("done", { queue, unsynced: 0 })[0], "All 5 pairs are answered");
  assert.match(
    ending("done", { queue: { total: 5, skipped: 2 }, unsynced: 0 })[1],
    /^3 of 5 are linked, 2 were skipped\. Go through/,
  );
  assert.match(ending("done", { queue, unsynced: 2 })[1], /2 answers are kept in this browser/);
  assert.equal(
    ending("done", { queue: { total: 0, skipped: 0 }, unsynced: 0 })[0], "Nothing to link here yet",
  );
});

test("the page for judging has its own words, and says when a manager has paused the work", () => {
  const words = { thing: "pair", verb: "judge", done: "judged", answered: "judged" };
  assert.equal(ending("done", { queue, words, unsynced: 0 })[0], "All 5 pairs are judged");
  assert.match(
    ending("done", { queue: { total: 5, skipped: 1 }, words, unsynced: 1 })[1],
    /^4 of 5 are judged, 1 was skipped\..*1 answer is kept in this browser and sent by itself\./,
  );
  assert.match(ending("paused", { queue, words, unsynced: 0 })[1], /has paused your work/);
});

test("what comes again and what is answered already is said beside the item", () => {
  const skipped = { state: "skipped" };
  assert.equal(
    standing({ current: skipped, returned: true, skipped: 3 }, "pair", ""),
    "3 skipped pairs left; these are the last ones.",
  );
  assert.equal(
    standing({ current: skipped, returned: true, skipped: 1 }, "cluster", ""),
    "1 skipped cluster left; this is the last one.",
  );
  assert.equal(standing({ current: skipped, returned: false, skipped: 1 }, "pair", ""), "");
  assert.match(
    standing({ current: { state: "done" }, returned: false, skipped: 0 }, "pair", "paraphrase"),
    /^Your answer: paraphrase\./,
  );
  assert.equal(standing({ current: null, returned: false, skipped: 0 }, "pair", ""), "");
});

test("a server that refuses is quoted, one that is silent is named so", () => {
  const error = new Error("The batch is closed.");
  assert.match(ending("lost", { queue, unsynced: 0, error })[1], /^The batch is closed\./);
  assert.match(ending("lost", { queue, unsynced: 0, error, online: false })[1], /^There is no answer/);
  assert.match(ending("lost", { queue, unsynced: 0, error: new TypeError("x") })[1], /^There is no answer/);
  const none = { ...queue, left: 0 };
  assert.equal(ending("lost", { queue: none, unsynced: 0, error })[0], "All 5 pairs are answered");
});
