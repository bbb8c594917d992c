import assert from "node:assert/strict";
import { test } from "node:test";
import { differingTokens } from "../../../static/js/shared/diff.js";
import { createPace, paceLines } from "../../../static/js/shared/pace.js";
import {
  directionOf, spansOf, splitInvisible, toUnits, wordDirection,
} from "../../../static/js/shared/text.js";

const words = (text) => (text ? text.split(" ") : []);
const differing = (a, b) => {
  const only = differingTokens(words(a), words(b));
  return [[...only.a], [...only.b]];
};

test("differences are the words outside the longest common subsequence, whatever their case", () => {
  assert.deepEqual(differing("The plan was approved", "the council approved it"), [[1, 2], [1, 3]]);
  assert.deepEqual(differing("a b c", "A B C"), [[], []]);
  assert.deepEqual(differing("", "a b"), [[], [0, 1]]);
  const [a, b] = differing("a b a c b d a", "b d c a b a");
  assert.deepEqual([7 - a.length, 6 - b.length], [4, 4]);
});

test("what cannot be seen is named, and nothing of the text is lost", () => {
  const text = "safe\u202edlo\u200b <b>\u0000";
  const parts = splitInvisible(text);
  assert.deepEqual(parts.filter(({ name }) => name).map(({ name }) => name), ["U+202E", "U+200B", "U+0000"]);
  assert.equal(parts.map((part) => part.text).join(""), text);
  assert.deepEqual(splitInvisible(""), [{ text: "" }]);
});

test("joiners that spell an emoji or a word are no tricks", () => {
  assert.equal(splitInvisible("👩\u200d🚒 👩🏽\u200d🚒 ❤\ufe0f\u200d🔥").length, 1);
  assert.equal(splitInvisible("می\u200cخواهم").length, 1);
  assert.equal(splitInvisible("pay\u200dpal").length, 3);
  assert.equal(splitInvisible("flag \u{e0067}").length, 2);
});

test("offsets in code points find their place in UTF-16", () => {
  assert.deepEqual(toUnits("a🚒b", [0, 1, 2, 3]), [0, 1, 3, 4]);
  const sentence = {
    text: "🚒 red truck , gone", tokens: ["🚒", "red", "truck", ",", "gone"], starts: [0, 2, 6, 12, 14],
  };
  const texts = (chosen) => (
    spansOf(sentence, new Set(chosen)).map(([from, to]) => sentence.text.slice(from, to)));
  assert.deepEqual(texts([0, 2, 1, 4]), ["🚒 red truck", "gone"]);
});

test("the pace leaves breaks out and speaks of the rest", () => {
  const pace = createPace();
  assert.deepEqual(paceLines(pace.summary(), 10), ["nothing answered in this sitting yet"]);
  for (const milliseconds of [4000, 8000, 600_000]) pace.record(milliseconds);
  assert.deepEqual(pace.summary(), { count: 3, seconds: 6 });
  pace.takeBack();
  assert.deepEqual(paceLines(pace.summary(), 20), ["2 in this sitting, 6.0 s a pair", "about 2 min left"]);
  assert.deepEqual(paceLines(pace.summary(), 0), ["2 in this sitting, 6.0 s a pair"]);
});

test("a text has the direction of its first letter, a word without letters that of its sentence", () => {
  assert.equal(directionOf({ text: "2024 – ראש הממשלה said" }), "rtl");
  assert.equal(directionOf({ text: "(35%) of the أعلنت" }), "ltr");
  assert.equal(directionOf({ text: "12" }), "ltr");
  assert.equal(directionOf({ text: "12", direction: "rtl" }), "rtl");
  const words = ["(", "35", "ב-2024", "NATO"].map((word) => wordDirection(word, "rtl"));
  assert.deepEqual(words, ["rtl", "rtl", "rtl", "ltr"]);
});
