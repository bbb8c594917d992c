/** Requests to the JSON API: same origin, session login, CSRF token from the cookie. */

import { gettext } from "./texts.js";

/**
 * What the server gives, whatever its status.
 * @typedef {object} Reply
 * @property {number} status
 * @property {any} data the JSON, null when the answer is none
 * @property {number | null} retryAfter seconds
 *
 * An assignment: what a person works on, and what is stored of it. Judging, linking and splitting have more.
 * @typedef {object} Item
 * @property {number} assignment
 * @property {number} position
 * @property {number} version
 * @property {string} state "open", "done" or "skipped"
 * @property {string | null} [label]
 * @property {string | null} [first] the person's own first answer, in a second pass of judgements
 * @property {number[][]} [disputed] the links on which people differ, in a second pass of links
 * @property {boolean} flagged
 * @property {string} comment
 */

/** The server could not be asked at all, or did not answer in time. */
export class NetworkError extends Error {}

/** @param {string} cookies @param {string} name */
export function readCookie(cookies, name) {
  const found = cookies.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/** The token that every write carries; the page names its cookie, which each installation has of its own. */
export function csrfToken() {
  return readCookie(document.cookie, document.documentElement.dataset.csrfCookie ?? "");
}

/**
 * One request. Throws NetworkError when there is no answer within `timeout` milliseconds.
 * @param {string} url
 * @param {{ method?: string, body?: unknown, headers?: Record<string, string>, timeout?: number,
 *   fetch?: typeof globalThis.fetch, token?: () => string }} [options]
 * @returns {Promise<Reply>}
 */
export async function request(url, options = {}) {
  const { method = "GET", body, headers = {}, timeout = 20_000 } = options;
  const { fetch = globalThis.fetch, token = csrfToken } = options;
  /** @type {Record<string, string>} */
  const sent = { Accept: "application/json", ...headers };
  // The server refuses it when another person has logged in on this browser since.
  const user = globalThis.document?.body?.dataset.user;
  if (user) sent["X-Paragold-User"] = user;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (method !== "GET") sent["X-CSRFToken"] = token();
  let response;
  let text;
  try {
    response = await fetch(url, {
      method, headers: sent, credentials: "same-origin",
      // @ts-ignore - TypeScript before 4.9 does not know AbortSignal.timeout.
      signal: AbortSignal.timeout(timeout),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (error) {
    throw new NetworkError(`${method} ${url}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
  const wait = Number.parseInt(response.headers?.get("Retry-After") ?? "", 10);
  // After a session has ended the server may lead to the login page: that is a 200, but not an answer.
  const status = response.redirected ? 403 : response.status;
  const retryAfter = Number.isNaN(wait) ? null : wait;
  if (status !== 401) return { status, data: parse(text), retryAfter };
  globalThis.document?.dispatchEvent(new Event("paragold:logged-out"));
  return { status, data: { detail: gettext("You are logged out. Log in to go on.") }, retryAfter };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
