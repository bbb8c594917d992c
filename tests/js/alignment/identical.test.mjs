import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sameForm } from "../../../static/js/alignment/identical.js";

test("case and the style of quotes and dashes do not matter, all else does", () => {
  for (const words of [["Don’t", "don't", "DON‘T"], ["“", '"', "„", "»"], ["--", "—", "–", "-"]]) {
    assert.equal(new Set(words.map(sameForm)).size, 1, words.join(" "));
  }
  for (const [word, other] of [["e", "é"], ["'", '"'], ["co", "co-"], ["-LRB-", "LRB"]]) {
    assert.notEqual(sameForm(word), sameForm(other));
  }
});

test("the library and the page have one table", () => {
  const files = ["paragold/text/tokenisation.py", "static/js/alignment/identical.js"];
  const [library, page] = files.map((path) => (
    readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")));
  const lines = library.match(/^_(?:APOSTROPHES|QUOTES|DASHES) = "(.*)"$/gm);
  const tables = lines.map((line) => line.split('"')[1]);
  assert.deepEqual(page.match(/\["(.*?)", ["']/g).map((line) => line.split('"')[1]), tables);
});
