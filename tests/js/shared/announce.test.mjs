import assert from "node:assert/strict";
import { test } from "node:test";
import { announce, tellNetwork } from "../../../static/js/shared/announce.js";

test("the same words twice are two messages", () => {
  const region = { textContent: "" };
  announce(region, "Flagged.");
  announce(region, "Flagged.");
  assert.notEqual(region.textContent, "Flagged.");
  assert.equal(region.textContent.trim(), "Flagged.");
});

test("a lost network is announced, and that all is stored only after it", () => {
  const region = { textContent: "" };
  tellNetwork(region, { unsynced: 0, failing: false });
  tellNetwork(region, { unsynced: 1, failing: false });
  assert.equal(region.textContent, "", "an answer on its way is no news");
  tellNetwork(region, { unsynced: 2, failing: true });
  assert.match(region.textContent, /kept in this browser/);
  tellNetwork(region, { unsynced: 1, failing: false });
  assert.match(region.textContent, /kept in this browser/, "one is still on its way");
  tellNetwork(region, { unsynced: 0, failing: false });
  assert.equal(region.textContent, "All answers are stored.");
});
