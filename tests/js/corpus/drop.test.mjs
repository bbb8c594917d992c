import assert from "node:assert/strict";
import { test } from "node:test";
import { dropped, howFar } from "../../../static/js/corpus/drop.js";

const entry = (isDirectory = false) => ({ webkitGetAsEntry: () => ({ isDirectory }) });

test("one file is taken; folders, several files and text are refused with what to do", () => {
  const file = { name: "a.jsonl" };
  assert.equal(dropped({ files: [file], items: [entry()] }).file, file);
  assert.match(dropped({ files: [file], items: [entry(true)] }).problem, /zip/);
  assert.match(dropped({ files: [file, file], items: [entry(), entry()] }).problem, /2 files/);
  assert.equal(dropped({ files: [], items: [] }).file, null);
});

test("the time left is that of the rate since sending began", () => {
  const total = 100 * 2 ** 20;
  assert.equal(howFar({ sent: 2 ** 20, total, seconds: 0.5 }), "1\u00a0MB of 100\u00a0MB sent");
  const later = howFar({ sent: 10 * 2 ** 20, total, seconds: 2 });
  assert.match(later, /5\u00a0MB per second, about 18\u00a0s left/);
  assert.doesNotMatch(howFar({ sent: total, total, seconds: 9 }), /left/);
});
