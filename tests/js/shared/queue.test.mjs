import assert from "node:assert/strict";
import { test } from "node:test";
import { Queue, Supply } from "../../../static/js/shared/queue.js";

const item = (assignment, more = {}) => ({
  assignment, position: assignment, version: 0, state: "open", label: null, flagged: false, comment: "",
  ...more,
});
const payload = (ids, more = {}) => ({ total: 20, done: 0, items: ids.map((id) => item(id)), ...more });
const yes = { label: "paraphrase", skipped: false };
const skip = { label: null, skipped: true };
const entry = (assignment, body, more = {}) => ({
  assignment, body: { flagged: false, comment: "", ...body }, item: item(assignment), ...more,
});
const ids = (items) => items.map(({ assignment }) => assignment);

test("an answer brings the next item; undo and redo go across items", () => {
  const queue = new Queue(payload([1, 2, 3]));
  queue.answer(yes);
  queue.answer(skip);
  assert.deepEqual([queue.current.assignment, queue.done, queue.skipped], [3, 2, 1]);
  assert.deepEqual(queue.undo().answer, skip);
  assert.equal(queue.undo().item.assignment, 1);
  assert.deepEqual(
    [queue.current.assignment, ids(queue.upcoming), queue.done, queue.skipped], [1, [2, 3], 0, 0],
  );
  assert.equal(queue.undo(), null);
  queue.redo();
  assert.deepEqual(queue.redo().answer, skip);
  assert.equal(queue.redo(), null);
  assert.deepEqual([queue.current.assignment, queue.done, queue.skipped], [3, 2, 1]);
});

test("a new answer ends the redo", () => {
  const queue = new Queue(payload([1, 2]));
  queue.answer(yes);
  queue.undo();
  queue.answer(skip);
  assert.equal(queue.redo(), null);
});

test("what is answered here is not shown again, even if the server still lists it", () => {
  const queue = new Queue(payload([1, 2]));
  queue.answer(yes);
  assert.equal(queue.add([item(1), item(2), item(3)]), 1);
  assert.deepEqual([queue.current.assignment, ids(queue.upcoming)], [2, [3]]);
  queue.undo();
  assert.equal(queue.add([item(1), item(2), item(3)]), 0);
});

test("after a reload the outbox counts: unsynced answers leave the queue, their flags are kept", () => {
  const entries = [
    entry(1, yes), entry(2, yes), entry(2, { label: null, skipped: false }),
    entry(3, { label: null, skipped: false, flagged: true, comment: "odd" }),
  ];
  const queue = new Queue(payload([1, 2, 3]), entries);
  assert.deepEqual([queue.current.assignment, ids(queue.upcoming), queue.done], [2, [3], 1]);
  assert.deepEqual([queue.upcoming[0].flagged, queue.upcoming[0].comment], [true, "odd"]);
});

test("an unsynced answer that the server has stored already is not counted twice", () => {
  assert.equal(new Queue(payload([2], { done: 1 }), [entry(1, yes)]).done, 1);
});

test("undo over a reload: history first, then the outbox", () => {
  const entries = [entry(3, yes)];
  const queue = new Queue(payload([3, 4], { done: 2 }), entries);
  queue.recall([item(2, { label: "paraphrase", state: "done" }), item(1, { state: "skipped" })], entries);
  assert.deepEqual(
    [queue.undo(), queue.undo(), queue.undo()].map((last) => [last.item.assignment, last.answer.skipped]),
    [[3, false], [2, false], [1, true]],
  );
  assert.deepEqual([ids([queue.current, ...queue.upcoming]), queue.done], [[1, 2, 3, 4], 0]);
});

test("versions reach an item wherever it is; a conflict's item takes its place", () => {
  const queue = new Queue(payload([1, 2, 3]));
  queue.answer(yes);
  for (const id of [1, 2, 3]) queue.acknowledge(id, 5);
  assert.deepEqual([queue.past[0].item.version, queue.current.version, queue.upcoming[0].version], [5, 5, 5]);
  queue.replace(item(1, { version: 6, label: "not_paraphrase" }));
  assert.deepEqual([queue.past[0].item.version, queue.past[0].answer.label], [6, "not_paraphrase"]);
});

test("what another tab answered is left out, also when it is on the screen", () => {
  const queue = new Queue(payload([1, 2, 3]));
  assert.equal(queue.forget(2), false);
  assert.equal(queue.forget(1), true);
  assert.deepEqual([queue.current.assignment, queue.upcoming], [3, []]);
});

test("more is asked for below ten ahead, enough to pass over what is known", () => {
  const queue = new Queue(payload(Array.from({ length: 11 }, (_, index) => index + 1)));
  assert.equal(queue.needsMore, false);
  queue.answer(yes);
  assert.ok(queue.needsMore);
  assert.equal(queue.limit(3), 20 + 9 + 1 + 3);
});

/** A supply over a queue, with its requests and messages; `answers` are the server's, in their order. */
function supplied(queue, answers, counts = { unsynced: 0 }) {
  const log = [];
  const timers = [];
  const supply = new Supply({
    queue, outbox: { counts },
    ask: async (limit) => { log.push(`ask ${limit}`); return answers.shift()(); },
    counted: () => log.push("counted"), shown: () => log.push(`shown ${queue.current.assignment}`),
    ended: (state, given) => log.push(`ended ${state} ${given.message ?? given.total}`),
    schedule: (work, wait) => timers.push({ work, wait }),
  });
  return { supply, log, timers };
}
const served = (ids, more = {}) => () => ({
  status: 200, data: { total: 20, done: 3, skipped: 1, items: ids.map((id) => item(id)), ...more },
});

test("a supply fills the queue, asks once at a time, and no more once the server has none", async () => {
  const queue = new Queue(payload([1]));
  const { supply, log } = supplied(queue, [served([2, 3]), served([2, 3])]);
  assert.equal(supply.refill(), supply.refill());
  await supply.refill();
  assert.deepEqual([ids(queue.upcoming), queue.done, queue.skipped, supply.exhausted], [[2, 3], 3, 1, false]);
  await supply.refill();
  assert.equal(supply.exhausted, true);
  await supply.refill();
  assert.deepEqual(log, ["ask 21", "counted", "ask 23", "counted"]);
});

test("counts that were asked for before an answer was taken are not those here", async () => {
  const queue = new Queue(payload([1, 2], { done: 5 }));
  const taken = { version: 4, done: 6, total: 20 };
  const { supply } = supplied(
    queue, [() => { supply.acknowledge(1, taken, { counts: true }); return served([1, 2])(); }],
  );
  await supply.refill();
  assert.deepEqual([queue.done, queue.current.version], [6, 4]);
});

test("without an item the next one is shown, or why there is none", async () => {
  const queue = new Queue(payload([]));
  const { supply, log } = supplied(
    queue, [() => ({ status: 500, data: null }), served([], { total: 0 }), served([7])],
  );
  await supply.refill({ force: true });
  await supply.refill({ force: true });
  await supply.refill({ force: true });
  assert.deepEqual(
    log.filter((line) => !line.startsWith("ask")),
    ["ended lost The server answered 500.", "ended done 0", "shown 7"],
  );
});

test("a server that answers 429 or is overloaded is asked again when it says, with one timer", async () => {
  const queue = new Queue(payload([]));
  const busy = () => ({ status: 429, data: { detail: "Too many requests." }, retryAfter: 23 });
  const { supply, log, timers } = supplied(queue, [busy, busy, served([7])]);
  await supply.refill({ force: true });
  await supply.refill({ force: true });
  assert.deepEqual(timers.map(({ wait }) => wait), [23_000]);
  timers[0].work();
  await supply.refill();
  assert.deepEqual(log.filter((line) => !line.startsWith("ask")), [
    "ended lost Too many requests.", "ended lost Too many requests.", "shown 7",
  ]);
});
