import assert from "node:assert/strict";
import { test } from "node:test";
import { counting } from "../../../static/js/corpus/counting.js";

/** A server whose answers come when the test says so. */
function server() {
  const asked = [];
  const shown = [];
  const failed = [];
  const send = (signal) => new Promise((resolve, reject) => asked.push({ signal, resolve, reject }));
  const counter = counting({
    send, show: (page) => shown.push(page), fail: (error) => failed.push(error.message), wait: 0,
  });
  return { asked, shown, failed, counter };
}
const until = async (true_) => { while (!true_()) await new Promise((resolve) => setTimeout(resolve, 1)); };

test("changes in a row are counted once", async () => {
  const { asked, shown, counter } = server();
  counter.soon();
  counter.soon();
  await until(() => asked.length > 0);
  asked[0].resolve("page");
  await until(() => shown.length > 0);
  assert.deepEqual([asked.length, shown], [1, ["page"]]);
});

test("an answer that came too late is not shown", async () => {
  const { asked, shown, failed, counter } = server();
  counter.soon();
  await until(() => asked.length === 1);
  counter.soon();
  assert.ok(asked[0].signal.aborted);
  await until(() => asked.length === 2);
  asked[0].resolve("old");
  asked[1].resolve("new");
  await until(() => shown.length > 0);
  counter.cancel();
  assert.deepEqual([shown, failed], [["new"], []]);
});

test("an error is shown, unless it was cancelled", async () => {
  const { asked, failed, counter } = server();
  counter.soon();
  await until(() => asked.length === 1);
  asked[0].reject(new Error("no"));
  await until(() => failed.length > 0);
  counter.soon();
  await until(() => asked.length === 2);
  counter.cancel();
  asked[1].reject(new Error("aborted"));
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(failed, ["no"]);
});
