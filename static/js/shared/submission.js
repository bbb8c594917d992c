/** What pages of adjudicators share: the draft of a decision in this browser, and its way to the server. */

import { request } from "./api.js";
import { offerLogin } from "./login.js";
import { create } from "./page.js";

/**
 * `name` is the draft's name in this browser, `place` is where notices stand, `say` announces, `kept` are the
 * words for what stays here when the network is away.
 * @param {{ name: string, urls: { review: string, next: string }, place: Element,
 *   say: (message: string) => void, kept: string }} page
 */
export function createSubmission({ name, urls, place, say, kept }) {
  let sending = false;
  /** @type {object | null} */
  let refused = null; // what was sent when the session had ended
  offerLogin(() => { if (refused) send(refused); });

  /** @param {object} draft */
  function keep(draft) {
    try {
      localStorage.setItem(name, JSON.stringify(draft));
    } catch {
      say("This browser keeps no draft: decide and store before leaving.");
    }
  }

  /**
   * Gives `take` the kept draft, if there is one. Returns what it returns; null where nothing fits.
   * @template T
   * @param {(draft: any) => T} take @returns {T | null}
   */
  function recall(take) {
    try {
      const draft = JSON.parse(localStorage.getItem(name) ?? "null");
      return draft && take(draft);
    } catch (error) {
      console.error("A kept draft cannot be read and is left aside.", error);
      return null;
    }
  }

  /**
   * Stores the decision and goes on to the next; shows what stands in its way.
   * @param {object} body
   */
  async function send(body) {
    if (sending) return;
    sending = true;
    refused = null;
    try {
      const { status, data } = await request(urls.review, { method: "PUT", body });
      if (status === 200) {
        localStorage.removeItem(name);
        location.assign(urls.next);
        return;
      }
      if (status === 401) {
        refused = body; // the login is on the page already
        return;
      }
      notice(data?.detail ?? `The server answered ${status}; nothing was stored.`, status === 409);
    } catch {
      notice(`No network: nothing was stored. Your ${kept} kept in this browser; press again later.`);
    } finally {
      sending = false;
    }
  }

  /** @param {string} text */
  function notice(text, reload = false) {
    const element = create("div", "notice");
    element.setAttribute("role", "alert");
    element.append(create("p", "", text));
    if (reload) {
      const link = create("a", "button", "Reload");
      link.href = location.href;
      element.append(link);
    }
    place.replaceChildren(element);
  }

  return { keep, recall, send };
}
