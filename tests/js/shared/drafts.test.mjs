import assert from "node:assert/strict";
import { test } from "node:test";

import { choose, Drafts } from "../../../static/js/shared/drafts.js";

function webStorage(limit = Infinity) {
  const kept = new Map();
  return {
    get length() { return kept.size; },
    key: (index) => [...kept.keys()][index],
    getItem: (name) => kept.get(name) ?? null,
    removeItem: (name) => kept.delete(name),
    setItem(name, value) {
      if (!kept.has(name) && kept.size >= limit) throw new DOMException("full", "QuotaExceededError");
      kept.set(name, value);
    },
  };
}
const draft = (extra = {}) => ({ version: 3, dirty: false, history: { past: [] }, ...extra });

test("a draft comes back, and only to its own user", () => {
  const storage = webStorage();
  new Drafts({ user: 1, storage }).put(7, draft());
  assert.equal(new Drafts({ user: 1, storage }).get(7).version, 3);
  assert.equal(new Drafts({ user: 2, storage }).get(7), null);
});

test("an acknowledged version is taken over, the edit stays dirty", () => {
  const drafts = new Drafts({ user: 1, storage: webStorage() });
  drafts.put(7, draft({ dirty: true }));
  drafts.acknowledge(7, 4);
  const { version, dirty } = drafts.get(7);
  assert.deepEqual({ version, dirty }, { version: 4, dirty: true });
  drafts.acknowledge(8, 1);
  assert.equal(drafts.get(8), null);
});

test("a full storage gives settled drafts up, never an unsaved edit, and says when it cannot", () => {
  let refused = 0;
  const drafts = new Drafts({ user: 1, storage: webStorage(2), onRefused: () => { refused += 1; } });
  drafts.put(1, draft());
  drafts.put(2, draft({ dirty: true }));
  drafts.put(3, draft({ dirty: true }));
  assert.equal(drafts.get(1), null);
  assert.ok(drafts.get(2) && drafts.get(3));
  assert.equal(refused, 0);
  drafts.put(4, draft());
  assert.equal(refused, 1);
});

test("what is unreadable is nothing", () => {
  const storage = webStorage();
  storage.setItem("paragold-links-1-7", "{broken");
  assert.equal(new Drafts({ user: 1, storage }).get(7), null);
});

test("the server's item is shown unless something here is newer", () => {
  const item = { version: 3 };
  const settled = { unsynced: false, same: false };
  assert.deepEqual(choose(null, item, settled), { use: "item" });
  assert.deepEqual(choose(draft(), item, settled), { use: "item" });
  assert.deepEqual(choose(draft(), item, { ...settled, same: true }), { use: "stored" });
  assert.deepEqual(choose(draft({ dirty: true }), item, settled), { use: "stored", resave: true });
  assert.deepEqual(choose(draft(), item, { unsynced: true, same: false }), { use: "stored", resave: false });
  assert.deepEqual(
    choose(draft({ dirty: true, version: 2 }), item, settled), { use: "stored", conflict: true },
  );
});
