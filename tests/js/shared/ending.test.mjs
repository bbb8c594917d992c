import assert from "node:assert/strict";
import { test } from "node:test";

import { ending } from "../../../static/js/shared/ending.js";

const queue = { total: 5, skipped: 0 };

test("the end says what was done, what was skipped and what is still on its way", () => {
  assert.equal(ending("done", { queue, unsynced: 0 })[0], "All 5 pairs are answered");
  assert.match(
    ending("done", { queue: { total: 5, skipped: 2 }, unsynced: 0 })[1], /^3 of 5 are linked; 2 skipped/,
  );
  assert.match(ending("done", { queue, unsynced: 2 })[1], /2 unsynced: kept in this browser/);
  assert.equal(
    ending("done", { queue: { total: 0, skipped: 0 }, unsynced: 0 })[0], "Nothing to link here yet",
  );
});

test("a server that refuses is quoted, one that is silent is named so", () => {
  const error = new Error("The batch is closed.");
  assert.match(ending("lost", { queue, unsynced: 0, error })[1], /^The batch is closed\./);
  assert.match(ending("lost", { queue, unsynced: 0, error, online: false })[1], /^There is no answer/);
});
