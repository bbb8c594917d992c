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

/** A queue of so many open items, all of which are there. */
const whole = (size, more = {}) => new Queue(
  payload(Array.from({ length: size }, (_, index) => index + 1), { total: size, ...more }));
const counts = ({ done, skipped, left }) => [done, skipped, left];

test("skipped items come again at the end, in the order in which they were skipped", () => {
  const queue = whole(5);
  queue.answer(skip);
  queue.answer(yes);
  queue.answer(skip);
  assert.deepEqual([queue.current.assignment, queue.returned, counts(queue)], [4, false, [3, 2, 2]]);
  queue.answer(yes);
  queue.answer(yes);
  assert.deepEqual([queue.current.assignment, queue.returned, counts(queue)], [1, true, [5, 2, 0]]);
  queue.answer(skip); // a second skip puts it at the end again
  assert.deepEqual([queue.current.assignment, ids(queue.returning), counts(queue)], [3, [1], [5, 2, 0]]);
  queue.answer(yes);
  assert.deepEqual([queue.current.assignment, queue.returned, counts(queue)], [1, true, [5, 1, 0]]);
  queue.answer(yes);
  assert.deepEqual([queue.current, counts(queue)], [null, [5, 0, 0]]);
});

test("a round without an answer ends; it can be gone through again", () => {
  const queue = whole(3);
  for (let turn = 0; turn < 3; turn += 1) queue.answer(skip);
  assert.equal(queue.current.assignment, 1);
  for (let turn = 0; turn < 3; turn += 1) queue.answer(skip);
  assert.deepEqual([queue.current, ids(queue.returning), counts(queue)], [null, [1, 2, 3], [3, 3, 0]]);
  assert.equal(queue.goRound().assignment, 1);
  queue.answer(yes);
  assert.equal(queue.current.assignment, 2);
});

test("undo opens a skipped item again, a skip given twice is taken back once", () => {
  const queue = whole(2);
  queue.answer(yes);
  queue.answer(skip);
  queue.answer(skip);
  assert.deepEqual([queue.current, queue.past.length], [null, 2]);
  assert.equal(queue.undo().item.assignment, 2);
  assert.deepEqual([queue.current.state, queue.returning, counts(queue)], ["open", [], [1, 0, 1]]);
  queue.redo();
  assert.deepEqual([ids(queue.returning.concat(queue.current ?? [])), counts(queue)], [[2], [2, 1, 0]]);
});

test("what the server lists as skipped comes after all that is open there", () => {
  const items = [item(1), item(2), item(7, { state: "skipped" }), item(5, { state: "skipped" })];
  const queue = new Queue({ total: 9, done: 4, skipped: 2, items });
  queue.answer(yes);
  queue.answer(yes);
  assert.equal(queue.current, null, "there are open items that the server has not given yet");
  assert.equal(queue.add([item(8), item(7, { state: "skipped" })]), 1);
  queue.advance();
  assert.equal(queue.current.assignment, 8);
  queue.answer(yes);
  queue.complete = true;
  assert.deepEqual([queue.advance().assignment, ids(queue.returning)], [7, [5]]);
});

test("skips in the outbox come after those that the server knows", () => {
  const items = [item(1), item(2), item(3, { state: "skipped" })];
  const queue = new Queue({ total: 3, done: 1, skipped: 1, items }, [entry(1, skip), entry(2, yes)]);
  assert.deepEqual(
    [queue.current.assignment, ids(queue.returning), counts(queue)], [3, [1], [3, 2, 0]],
  );
});

test("in a second pass a skipped pair keeps its first answer and does not come again", () => {
  const queue = new Queue({ total: 1, done: 0, items: [item(1, { first: "paraphrase" })] });
  queue.answer(skip);
  assert.deepEqual([queue.current, counts(queue), queue.answers[0].label], [null, [1, 0, 0], "paraphrase"]);
});

test("a jump to an answer leaves it as it is, and leads back to where one was", () => {
  const queue = whole(4);
  queue.answer(yes);
  queue.answer(skip);
  const earlier = item(1, { state: "done", label: "paraphrase", version: 9 });
  assert.equal(queue.jump(earlier), queue.past[0].item, "the item held here, not a copy");
  assert.deepEqual([queue.current.state, counts(queue)], ["done", [2, 1, 2]]);
  queue.leave();
  assert.deepEqual([queue.current.assignment, ids(queue.upcoming)], [3, [4]]);
  queue.jump(earlier);
  queue.answer({ label: "not_paraphrase", skipped: false });
  assert.deepEqual([queue.current.assignment, counts(queue)], [3, [2, 1, 2]]);
  assert.deepEqual(queue.answers.map(({ assignment, label }) => [assignment, label]).sort(), [
    [1, "not_paraphrase"], [2, null],
  ]);
  queue.jump(item(2, { state: "skipped" }));
  queue.answer(yes);
  assert.deepEqual([queue.current.assignment, ids(queue.returning), counts(queue)], [3, [], [2, 0, 2]]);
});

test("a jump from a skipped item that came again does not lose it", () => {
  const queue = whole(2);
  queue.answer(skip);
  queue.answer(yes);
  queue.jump(item(2, { state: "done" }));
  assert.deepEqual([queue.current.assignment, ids(queue.returning)], [2, [1]]);
  queue.leave();
  assert.equal(queue.current.assignment, 1);
});

test("what another tab skipped comes again here", () => {
  const queue = whole(2);
  queue.forget(1, { skipped: true });
  queue.answer(yes);
  assert.deepEqual([queue.current.assignment, queue.returned, counts(queue)], [1, true, [2, 1, 0]]);
  queue.forget(1);
  assert.deepEqual([queue.current, counts(queue)], [null, [2, 0, 0]]);
});
