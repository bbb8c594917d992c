/** Requests to the JSON API: same origin, session login, CSRF token from the cookie. */

/** The server could not be asked at all, or did not answer in time. */
export class NetworkError extends Error {}

export function readCookie(cookies, name) {
  const found = cookies.split("; ").find((pair) => pair.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/**
 * One request. Returns {status, data, retryAfter} for every answer the server gives, whatever its status
 * (data is null when the answer is not JSON; retryAfter is in seconds or null).
 * Throws NetworkError when there is no answer within `timeout` milliseconds.
 */
export async function request(url, { method = "GET", body, headers = {}, timeout = 20_000, fetch = globalThis.fetch, cookies = globalThis.document?.cookie ?? "" } = {}) {
  const sent = { Accept: "application/json", ...headers };
  // The server refuses it when another person has logged in on this browser since.
  const user = globalThis.document?.body?.dataset.user;
  if (user) sent["X-Paragold-User"] = user;
  if (body !== undefined) sent["Content-Type"] = "application/json";
  if (method !== "GET") sent["X-CSRFToken"] = readCookie(cookies, "csrftoken");
  let response;
  let text;
  try {
    response = await fetch(url, {
      method, headers: sent, credentials: "same-origin", signal: AbortSignal.timeout(timeout),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    text = await response.text();
  } catch (error) {
    throw new NetworkError(`${method} ${url}: ${error.message}`, { cause: error });
  }
  const wait = Number.parseInt(response.headers?.get("Retry-After") ?? "", 10);
  // After a session has ended the server may lead to the login page: that is a 200, but not an answer.
  const status = response.redirected ? 403 : response.status;
  const retryAfter = Number.isNaN(wait) ? null : wait;
  if (status !== 401) return { status, data: parse(text), retryAfter };
  globalThis.document?.dispatchEvent(new Event("paragold:logged-out"));
  return { status, data: { detail: "You are logged out. Log in to go on." }, retryAfter };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
