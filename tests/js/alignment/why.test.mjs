import assert from "node:assert/strict";
import { test } from "node:test";
import { lines } from "../../../static/js/alignment/why.js";

const words = { a: ["The", "dams", "broke"], b: ["Dams", "burst"] };
const reasons = [
  { a: 1, b: 0, reason: "identical words; the model gives 0.97" },
  { a: 2, b: 1, reason: "" },
];

/** Without the marks that isolate a word's direction. */
const said = (side, places) => (
  lines(reasons, words, side, places).map((line) => line.replace(/[\u2068\u2069]/g, "")));

test("each suggested link of the selected words has its line", () => {
  assert.deepEqual(said("a", [1]), ["dams – Dams: identical words; the model gives 0.97"]);
  assert.deepEqual(
    said("b", [0, 1]),
    ["dams – Dams: identical words; the model gives 0.97", "broke – burst: the aligner gives no reason"],
  );
});

test("a word without suggested links has its own sentence", () => {
  assert.deepEqual(lines(reasons, words, "a", [0]), ["No link is suggested for this word."]);
  assert.deepEqual(lines([], words, "b", [1]), ["No link is suggested for this word."]);
});
