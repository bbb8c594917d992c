/** What pages of adjudicators share: the draft of a decision in this browser, and its way to the server. */

import { request } from "./api.js";
import { offerLogin } from "./login.js";

/**
 * `name` is the draft's name in this browser, `urls` are {review, next}, `place` is where notices stand, `say` announces,
 * `kept` are the words for what stays here when the network is away.
 */
export function createSubmission({ name, urls, place, say, kept }) {
  let sending = false;
  let refused = null; // what was sent when the session had ended
  offerLogin(() => refused && send(refused));

  function keep(draft) {
    try {
      localStorage.setItem(name, JSON.stringify(draft));
    } catch {
      say("This browser keeps no draft: decide and store before leaving.");
    }
  }

  /** Gives `take` the kept draft, if there is one. Returns what it returns; null where nothing fits. */
  function recall(take) {
    try {
      const draft = JSON.parse(localStorage.getItem(name));
      return draft && take(draft);
    } catch (error) {
      console.error("A kept draft cannot be read and is left aside.", error);
      return null;
    }
  }

  /** Stores the decision and goes on to the next; what stands in its way is told. */
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

  function notice(text, reload = false) {
    const element = document.createElement("div");
    element.className = "notice";
    element.setAttribute("role", "alert");
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    element.append(paragraph);
    if (reload) {
      const link = document.createElement("a");
      link.href = location.href;
      link.className = "button";
      link.textContent = "Reload";
      element.append(link);
    }
    place.replaceChildren(element);
  }

  return { keep, recall, send };
}
