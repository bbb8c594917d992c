import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, sendInPieces } from "../../../static/js/corpus/pieces.js";

/** A server in memory; `lost` says for each call to add what fails: "before", "after", "final" or nothing. */
function world(lost = []) {
  const held = new Map();
  const memory = new Map();
  const reports = [];
  const waits = [];
  const calls = { begin: 0, add: 0 };
  const state = (token) => {
    if (!held.has(token)) throw Object.assign(new Error("gone"), { final: true });
    const { size, data } = held.get(token);
    return { token, size, received: data.length, piece_bytes: 4 };
  };
  const server = {
    async begin(file) {
      calls.begin += 1;
      const token = `t${held.size}`;
      held.set(token, { size: file.size, data: "" });
      return state(token);
    },
    async ask(token) { return state(token); },
    async add(token, offset, piece) {
      const wrong = lost[calls.add];
      calls.add += 1;
      if (wrong === "before") throw new Error("no answer");
      if (wrong === "final") throw Object.assign(new Error("too much"), { final: true });
      assert.equal(offset, held.get(token).data.length);
      held.get(token).data += await piece.text();
      if (wrong === "after") throw new Error("no answer");
      return state(token);
    },
  };
  const kept = {
    getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => memory.set(key, value),
    removeItem: (key) => memory.delete(key),
  };
  const with_ = {
    server, kept, report: (state_) => reports.push(state_),
    pause: async (milliseconds) => { waits.push(milliseconds); },
  };
  return { held, memory, reports, waits, calls, server, with_ };
}

const file = (text, name = "a.jsonl") => {
  const blob = new Blob([text]);
  return Object.assign(blob, { name, lastModified: 7 });
};

test("a file arrives whole, piece by piece", async () => {
  const { held, memory, reports, with_ } = world();
  const token = await sendInPieces(file("0123456789"), with_);
  assert.equal(held.get(token).data, "0123456789");
  assert.deepEqual(reports.map(({ received }) => received), [0, 4, 8, 10]);
  assert.equal(memory.size, 0);
});

test("an empty file is begun and done", async () => {
  const { held, with_ } = world();
  assert.equal(held.get(await sendInPieces(file(""), with_)).data, "");
});

test("a piece or an answer that is lost is sent again, once", async () => {
  const { held, reports, waits, with_ } = world([undefined, "before", "after"]);
  const token = await sendInPieces(file("0123456789"), with_);
  assert.equal(held.get(token).data, "0123456789");
  assert.deepEqual(waits, [1_000, 2_000]);
  assert.ok(reports.some(({ waiting }) => waiting));
});

test("after a reload it goes on where it stopped", async () => {
  const { held, memory, calls, with_ } = world([undefined, "final"]);
  await assert.rejects(sendInPieces(file("0123456789"), with_), /too much/);
  assert.equal(memory.get(nameOf(file("0123456789"))), "t0");
  assert.equal(await sendInPieces(file("0123456789"), with_), "t0");
  assert.deepEqual([held.get("t0").data, calls.begin], ["0123456789", 1]);
});

test("an upload that is gone starts from scratch", async () => {
  const { memory, calls, with_ } = world();
  memory.set(nameOf(file("0123")), "t99");
  assert.equal(await sendInPieces(file("0123"), with_), "t0");
  assert.equal(calls.begin, 1);
});

test("a server that never answers is given up", async () => {
  const { waits, with_ } = world(Array(99).fill("before"));
  await assert.rejects(sendInPieces(file("0123"), with_), /no answer/);
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]);
});
