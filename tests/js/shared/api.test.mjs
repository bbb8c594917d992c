import assert from "node:assert/strict";
import { test } from "node:test";
import { NetworkError, readCookie, request } from "../../../static/js/shared/api.js";

const response = (status, text, more = {}) => ({
  status, redirected: false, headers: new Headers(), text: async () => text, ...more,
});

test("a write carries the CSRF token and JSON; a read carries neither", async () => {
  const sent = [];
  const fetch = async (url, options) => { sent.push(options); return response(200, '{"version": 2}'); };
  const token = () => readCookie("a=b; paragold-csrf-1=t%20k", "paragold-csrf-1");
  assert.deepEqual(
    await request(
      "/x", { method: "PUT", body: { label: null }, headers: { "Idempotency-Key": "k" }, fetch, token },
    ),
    { status: 200, data: { version: 2 }, retryAfter: null },
  );
  await request("/x", { fetch, token });
  assert.deepEqual(
    [sent[0].headers["X-CSRFToken"], sent[0].headers["Idempotency-Key"], sent[0].body],
    ["t k", "k", '{"label":null}'],
  );
  assert.deepEqual([sent[1].headers["X-CSRFToken"], sent[1].body], [undefined, undefined]);
  assert.equal(readCookie("xcsrftoken=1", "csrftoken"), "");
});

test("every answer is an answer; only silence is an error", async () => {
  const headers = new Headers({ "Retry-After": "5" });
  assert.deepEqual(
    await request("/x", { fetch: async () => response(503, "<html>", { headers }), token: () => "" }),
    { status: 503, data: null, retryAfter: 5 },
  );
  assert.equal(
    (await request(
      "/x", { fetch: async () => response(200, "<html>", { redirected: true }), token: () => "" },
    )).status,
    403,
  );
  await assert.rejects(
    request("/x", { fetch: async () => { throw new TypeError("failed"); }, token: () => "" }), NetworkError,
  );
});
