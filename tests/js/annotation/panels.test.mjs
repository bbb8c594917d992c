import assert from "node:assert/strict";
import { test } from "node:test";
import { endingWords } from "../../../static/js/annotation/panels.js";

test("the end of a batch says what is done and what is not", () => {
  assert.match(endingWords("done", { total: 5, skipped: 0, unsynced: 0 })[0], /^All 5 pairs are judged$/);
  assert.match(
    endingWords("done", { total: 5, skipped: 1, unsynced: 0 })[1], /^4 of 5 are judged, 1 was skipped\./,
  );
  assert.match(endingWords("done", { total: 0, skipped: 0, unsynced: 0 })[0], /^Nothing to judge/);
  assert.match(
    endingWords("done", { total: 5, skipped: 0, unsynced: 2 })[1], /2 answers are kept in this browser/,
  );
});

test("a lost network and a server's refusal are distinguished", () => {
  const figures = { total: 5, skipped: 0, unsynced: 1 };
  assert.match(
    endingWords("lost", { ...figures, error: new TypeError("x") })[1],
    /^There is no answer from the server\..*1 answer is kept/,
  );
  assert.match(
    endingWords("lost", { ...figures, error: new Error("This batch is closed.") })[1],
    /^This batch is closed\./,
  );
});
