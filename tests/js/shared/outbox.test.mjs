import assert from "node:assert/strict";
import { test } from "node:test";
import { Outbox, backoff, memoryStore, newKey } from "../../../static/js/shared/outbox.js";

/** A server of versioned assignments that keeps its answers by key; `script` is for the next requests. */
function fakeServer(script = []) {
  const versions = new Map();
  const answers = new Map();
  const stored = [];
  return {
    stored, versions,
    async send({ key, assignment, body }) {
      const trouble = script.shift() ?? "";
      if (trouble === "lost") throw new Error("no network");
      if (typeof trouble === "object") return trouble;
      if (!answers.has(key)) {
        const version = versions.get(assignment) ?? 0;
        if (body.version !== version) {
          const current = { assignment, version, label: "paraphrase" };
          return { status: 409, data: { detail: "stale", current } };
        }
        versions.set(assignment, version + 1);
        stored.push([assignment, body.label]);
        answers.set(key, { status: 200, data: { version: version + 1, done: stored.length, total: 9 } });
      }
      if (trouble === "answer lost") throw new Error("no answer");
      return answers.get(key);
    },
  };
}

function open({ server, store = memoryStore(), user = 1, ...rest }) {
  const waits = [];
  const outbox = new Outbox({
    user, store, send: server.send, locks: null, schedule: (work, wait) => waits.push({ work, wait }),
    ...rest,
  });
  return { outbox, waits, store };
}

const answer = (assignment, label = "paraphrase", version = 0) => ({
  assignment, batch: 1, url: `/${assignment}/`, body: { label, version },
});

test("an entry is stored before it is sent and gone once it is acknowledged", async () => {
  const store = memoryStore();
  const server = fakeServer();
  const keptWhenSent = [];
  const send = async (entry) => {
    keptWhenSent.push((await store.all(1)).length);
    return server.send(entry);
  };
  const { outbox } = open({ server: { send }, store });
  await outbox.put(answer(7));
  await outbox.flush();
  assert.deepEqual(keptWhenSent, [1]);
  assert.deepEqual(await store.all(1), []);
  assert.equal(outbox.counts.unsynced, 0);
});

test("thirty answers without a network, a new page, thirty stored once and in order", async () => {
  const store = memoryStore();
  const away = open({ server: { send: async () => { throw new Error("no network"); } }, store });
  for (let id = 1; id <= 30; id += 1) await away.outbox.put(answer(id));
  await away.outbox.flush();
  assert.deepEqual(away.outbox.counts, { unsynced: 30, parked: 0, failing: true });
  const server = fakeServer();
  const back = open({ server, store });
  assert.equal((await back.outbox.load()).length, 30);
  await back.outbox.flush();
  assert.deepEqual(server.stored.map(([id]) => id), Array.from({ length: 30 }, (_, index) => index + 1));
});

test("a stored answer whose acknowledgement was lost is not stored twice", async () => {
  const server = fakeServer(["answer lost", "answer lost"]);
  const { outbox, waits } = open({ server });
  await outbox.put(answer(7));
  await outbox.flush();
  for (const { work } of waits.splice(0)) work();
  await outbox.flush();
  for (const { work } of waits.splice(0)) work();
  await outbox.flush();
  assert.deepEqual(server.stored, [[7, "paraphrase"]]);
  assert.equal(outbox.counts.unsynced, 0);
});

test("answer, undo and answer again while away: each takes the version of the one before", async () => {
  const server = fakeServer(["lost"]);
  const { outbox } = open({ server });
  for (const label of ["paraphrase", null, "not_paraphrase"]) await outbox.put(answer(7, label));
  await outbox.flush();
  await outbox.retryNow();
  assert.deepEqual(server.stored, [[7, "paraphrase"], [7, null], [7, "not_paraphrase"]]);
});

test("409 parks the entry with the server's item; others go on, later ones for it wait", async () => {
  const server = fakeServer();
  server.versions.set(7, 4);
  const parked = [];
  const { outbox } = open({ server, onParked: (entry) => parked.push(entry) });
  await outbox.put(answer(7, "not_paraphrase"));
  await outbox.put(answer(7, null));
  await outbox.put(answer(8));
  await outbox.flush();
  assert.deepEqual(server.stored, [[8, "paraphrase"]]);
  assert.equal(parked.length, 1);
  assert.equal(parked[0].parked.current.version, 4);
  assert.deepEqual(outbox.counts, { unsynced: 2, parked: 1, failing: false });
  await outbox.resend(7, 4);
  await outbox.flush();
  assert.deepEqual(server.stored.at(-1), [7, null]);
  assert.equal(outbox.counts.unsynced, 0);
});

test("400, 403 and 404 park; the next page tries again what another login may answer", async () => {
  const store = memoryStore();
  const server = fakeServer([400, 403, 404].map((status) => ({ status, data: { detail: `no ${status}` } })));
  const { outbox } = open({ server, store });
  for (const id of [1, 2, 3]) await outbox.put(answer(id));
  await outbox.flush();
  assert.deepEqual(outbox.entries.map(({ parked }) => parked.detail), ["no 400", "no 403", "no 404"]);
  const next = open({ server, store }).outbox;
  await next.load();
  await next.flush();
  assert.deepEqual(server.stored, [[2, "paraphrase"], [3, "paraphrase"]]);
  await next.retry(next.entries[0].key);
  assert.deepEqual(server.stored.at(-1), [1, "paraphrase"]);
  assert.deepEqual(await store.all(1), []);
});

test("a conflict of an earlier page is settled when the server has the same answer by now", async () => {
  const store = memoryStore();
  const refusing = fakeServer();
  refusing.versions.set(7, 1);
  const before = open({ server: refusing, store }).outbox;
  await before.put(answer(7));
  await before.flush();
  assert.deepEqual(before.counts, { unsynced: 1, parked: 1, failing: false });
  const acknowledged = [];
  const agreeing = { send: async () => ({ status: 200, data: { version: 1, done: 1, total: 9 } }) };
  const { outbox } = open({
    server: agreeing, store, onAcknowledged: (entry) => acknowledged.push(entry.assignment),
  });
  await outbox.load();
  await outbox.flush();
  assert.deepEqual([acknowledged, outbox.counts.unsynced, await store.all(1)], [[7], 0, []]);
});

test("a conflict that is still one is parked again, and nothing is overwritten", async () => {
  const store = memoryStore();
  const server = fakeServer();
  server.versions.set(7, 1);
  const before = open({ server, store }).outbox;
  await before.put(answer(7));
  await before.flush();
  const parked = [];
  const { outbox } = open({ server, store, onParked: (entry) => parked.push(entry.assignment) });
  await outbox.load();
  await outbox.flush();
  assert.deepEqual([parked, server.stored], [[7], []]);
});

for (const status of [429, 503]) test(`a ${status} waits as long as the server asks`, async () => {
  const server = fakeServer([{ status, data: null, retryAfter: 7 }]);
  const { outbox, waits } = open({ server });
  await outbox.put(answer(1));
  await outbox.flush();
  assert.equal(waits[0].wait, 7000);
  await outbox.retryNow();
  assert.deepEqual([outbox.entries, server.stored.length], [[], 1]);
});

test("a 200 without an answer in it is a lost login", async () => {
  const server = fakeServer([{ status: 200, data: null }]);
  const { outbox } = open({ server });
  await outbox.put(answer(1));
  await outbox.flush();
  assert.equal(outbox.entries[0].parked.status, 403);
});

test("another user of the same browser neither sees nor sends them", async () => {
  const store = memoryStore();
  const first = open({ server: { send: async () => { throw new Error("no network"); } }, store }).outbox;
  await first.put(answer(1));
  await first.flush();
  const server = fakeServer();
  const second = open({ server, store, user: 2 }).outbox;
  assert.deepEqual(await second.load(), []);
  await second.flush();
  assert.deepEqual(server.stored, []);
  assert.equal((await store.all(1)).length, 1);
});

test("a browser without a database still sends, and says that it cannot keep", async (context) => {
  context.mock.method(console, "error", () => {});
  const server = fakeServer();
  let warned = 0;
  const store = { ...memoryStore(), async add() { throw new Error("quota"); } };
  const { outbox } = open({ server, store, onUnkept: () => { warned += 1; } });
  await outbox.put(answer(1));
  await outbox.flush();
  assert.equal(warned, 1);
  assert.deepEqual(server.stored, [[1, "paraphrase"]]);
});

test("one tab informs the other", async () => {
  const heard = [];
  const channel = { postMessage: ({ what }) => heard.push(what) };
  const { outbox } = open({ server: fakeServer(), channel });
  const elsewhere = [];
  outbox.onElsewhere = ({ assignment }) => elsewhere.push(assignment);
  await outbox.put(answer(1));
  await outbox.flush();
  assert.deepEqual(heard, ["put", "acknowledged"]);
  const entry = { key: "k", ...answer(5) };
  channel.onmessage({ data: { what: "put", entry } });
  assert.equal(outbox.counts.unsynced, 1);
  channel.onmessage({ data: { what: "acknowledged", entry, data: { version: 1 } } });
  assert.deepEqual([outbox.counts.unsynced, elsewhere], [0, [5]]);
});

test("waits grow to half a minute; keys are version 4 UUIDs with and without randomUUID", () => {
  assert.deepEqual(
    [1, 2, 3, 9].map((failures) => backoff(failures, null, () => 0.5)), [1000, 2000, 4000, 30000],
  );
  const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(newKey(), shape);
  assert.match(newKey({ getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes) }), shape);
});
