import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beyondCounted, countAdmitted, otherOptions, parseRatio, parseThresholds, project, sameThresholds,
  thresholdsOf,
} from "../../../static/js/corpus/projection.js";

const TEXTS = {
  method: "levenshtein", ratio_strict: "no", min_edit_distance: "0", max_edit_distance: "12", first_n: "none",
  min_length_ratio: "2/3", first_length_ratio: "0", min_shared_words: "0",
  min_length: "1", max_length: "none",
};
const thresholds = (changes = {}) => parseThresholds({ ...TEXTS, ...changes });
// One pair: 9 and 12 words, distance 8, 3 shared words, the later sentence the third of its article.
const ONE = {
  columns: { cluster: [0], distance: [8], shorter: [9], longer: [12], shared: [3], position: [2] },
  work: [100],
};
const passes = (changes, alsoFirst = false) =>
  countAdmitted({ ...ONE, alsoFirst }, thresholds(changes))[0] === 1;

test("ratios are read as fractions or decimals", () => {
  assert.deepEqual(parseRatio("2/3"), [2, 3]);
  assert.deepEqual(parseRatio(" 0.66 "), [66, 100]);
  assert.deepEqual(parseRatio(".5"), [5, 10]);
  assert.deepEqual(parseRatio("1"), [1, 1]);
  for (const wrong of ["", "2", "1/0", "4/3", "x", "-1", "."]) assert.equal(parseRatio(wrong), null, wrong);
});

test("a form that cannot be read has no thresholds", () => {
  assert.equal(thresholds({ max_edit_distance: "" }).max_edit_distance, null);
  for (const changes of [{ min_edit_distance: "" }, { max_length: "lots" }, { min_length_ratio: "2" }]) {
    assert.equal(thresholds(changes), null);
  }
});

test("each bound is inclusive", () => {
  assert.ok(passes({}));
  const cases = [
    [{ min_edit_distance: "8", max_edit_distance: "8" }, true],
    [{ min_edit_distance: "9" }, false], [{ max_edit_distance: "7" }, false],
    [{ first_n: "3" }, true], [{ first_n: "2" }, false], [{ min_length_ratio: "3/4" }, true],
    [{ min_length_ratio: "0.75", ratio_strict: "yes" }, false], [{ min_length_ratio: "0.76" }, false],
    [{ min_shared_words: "3" }, true], [{ min_shared_words: "4" }, false],
    [{ min_length: "9", max_length: "12" }, true],
    [{ min_length: "10" }, false], [{ max_length: "11" }, false],
  ];
  for (const [changes, expected] of cases) assert.equal(passes(changes), expected, JSON.stringify(changes));
});

test("either of two ways in is enough", () => {
  const either = { method: "either", first_n: "3", min_length_ratio: "0.9", first_length_ratio: "1/2" };
  assert.ok(passes(either, true));
  assert.ok(!passes({ ...either, first_n: "2" }, true));
  assert.ok(passes({ ...either, first_n: "2", min_length_ratio: "0.7" }, true));
  assert.ok(passes({ ...either, max_edit_distance: "3" }, true));
  assert.ok(!passes({ ...either, min_shared_words: "4" }, true));
});

test("pairs are counted by cluster", () => {
  const numbers = {
    columns: {
      cluster: [0, 0, 2], distance: [1, 9, 2], shorter: [5, 5, 5], longer: [5, 5, 5], shared: [0, 0, 0],
      position: [0, 0, 0],
    },
    work: [9, 9, 9],
  };
  assert.deepEqual(countAdmitted(numbers, thresholds({ max_edit_distance: "5" })), [1, 0, 1]);
});

test("the projection is that of the server", () => {
  const sample = { work: [10, 10], weight: 1, clusters: 4, allWork: 40 };
  const { pairs, low, high } = project([2, 8], sample);
  assert.deepEqual([pairs, low], [20, 10]);
  assert.ok(Math.abs(high - (20 + 1.959963984540054 * 4 * Math.sqrt(4.5))) < 1e-9);
  assert.deepEqual(
    project([3, 1], { work: [9, 4], weight: 2.5, clusters: 2, allWork: 13 }),
    { pairs: 10, low: 10, high: 10 },
  );
  assert.deepEqual(
    project([5], { work: [10], weight: 1, clusters: 3, allWork: 40 }), { pairs: 20, low: 5, high: Infinity },
  );
});

test("thresholds wider than what was counted are named", () => {
  const counted = {
    method: "levenshtein", min_edit_distance: 0, max_edit_distance: 17, first_n: null,
    min_length_ratio: "1/2", first_length_ratio: "0",
    min_shared_words: 1, min_length: 3, max_length: null,
  };
  assert.deepEqual(beyondCounted(thresholds({ min_shared_words: "1", min_length: "3" }), counted), []);
  const asked = thresholds({ max_edit_distance: "none", min_length_ratio: "0.4", method: "either" });
  assert.deepEqual(beyondCounted(asked, counted),
    ["min_shared_words", "min_length", "max_edit_distance", "min_length_ratio"]);
});

test("options of which the pairs at hand tell nothing are named", () => {
  const counted = {
    method: "levenshtein", distance: "levenshtein", placeholders: false, same_article: false,
    clusters: "all", shared_word_length: 4,
  };
  const texts = {
    method: "levenshtein", distance: "levenshtein", placeholders: "no", same_article: "no",
    clusters: "all", shared_word_length: " 4 ",
  };
  assert.equal(otherOptions(texts, counted), null);
  assert.equal(otherOptions({}, counted), null);
  const others = {
    method: "either", distance: "indel", placeholders: "yes", same_article: "yes", clusters: "rest",
    shared_word_length: "3",
  };
  for (const [name, text] of Object.entries(others)) {
    assert.equal(otherOptions({ ...texts, [name]: text }, counted), name);
  }
});

test("thresholds are the same whatever way they are written", () => {
  const settings = {
    ...TEXTS, ratio_strict: false, min_edit_distance: 0, max_edit_distance: 12, first_n: null,
    min_length_ratio: "2/3", max_length: null,
  };
  assert.ok(sameThresholds(thresholds(), thresholdsOf(settings)));
  assert.ok(sameThresholds(
    thresholds({ min_length_ratio: "0.5" }), thresholdsOf({ ...settings, min_length_ratio: "1/2" }),
  ));
  for (const changes of [
    { max_edit_distance: "13" }, { first_n: "1" }, { min_length_ratio: "0.6" }, { ratio_strict: "yes" },
  ]) {
    assert.ok(!sameThresholds(thresholds(changes), thresholdsOf(settings)), JSON.stringify(changes));
  }
});
