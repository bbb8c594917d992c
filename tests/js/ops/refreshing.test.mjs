import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { changedTexts, refreshing } from "../../../static/js/ops/refreshing.js";

function started({ parts, visible = () => true }) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const shown = [];
  const asked = { count: 0 };
  const page = refreshing({
    load: async () => {
      asked.count += 1;
      const part = parts.shift();
      if (part instanceof Error) throw part;
      return part;
    },
    show: (part) => Boolean(shown.push(part)),
    visible,
    wait: () => 1_000,
  });
  const turn = async () => {
    mock.timers.tick(1_000);
    for (let count = 0; count < 10; count += 1) await Promise.resolve();
  };
  return { page, shown, asked, turn, end: () => mock.timers.reset() };
}

test("what has not changed is not shown again", async () => {
  const { page, shown, asked, turn, end } = started({ parts: ["a", "a", "b"] });
  page.plan();
  assert.equal(asked.count, 0);
  await turn();
  await turn();
  await turn();
  assert.deepEqual([asked.count, shown], [3, ["a", "b"]]);
  end();
});

test("a hidden page asks for nothing, and at once when it is seen again", async () => {
  let visible = false;
  const { page, shown, asked, turn, end } = started({ parts: ["a", "b"], visible: () => visible });
  page.plan();
  await turn();
  await turn();
  assert.equal(asked.count, 0);
  visible = true;
  await page.seen();
  assert.deepEqual(shown, ["a"]);
  await turn();
  assert.deepEqual(shown, ["a", "b"]);
  visible = false;
  await page.seen();
  await turn();
  assert.equal(asked.count, 2);
  end();
});

test("it goes on after an error and ends when there is nothing more to ask for", async () => {
  const { page, shown, asked, turn, end } = started({ parts: [new Error("no answer"), "a", null, "b"] });
  page.plan();
  for (let count = 0; count < 5; count += 1) await turn();
  assert.deepEqual([asked.count, shown], [3, ["a"]]);
  end();
});

test("only what is new is announced", () => {
  const before = new Map([["next", "Import a corpus."], ["running", "Running 1"], ["gone", "x"]]);
  const after = new Map([["next", "Import a corpus."], ["running", "Running"], ["needs", "Needs you 2"]]);
  assert.deepEqual(changedTexts(before, after), ["Running", "Needs you 2"]);
});
