import { gettext } from "./texts.js";

/**
 * Says in the page's live region what has changed, for those who hear the page.
 * @param {Element} region @param {string} message
 */
export function announce(region, message) {
  // The same words twice would not be read again: a no-break space makes them new.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message;
}

/**
 * Says once that answers cannot be sent, and once that all of them are stored again: in a region of its own.
 * @param {Element} region @param {{ unsynced: number, failing: boolean }} counts
 */
export function tellNetwork(region, { unsynced, failing }) {
  if (failing && unsynced) {
    region.textContent = gettext(
      "No answer from the server: your answers are kept in this browser and sent when it is back.",
    );
  } else if (unsynced === 0 && region.textContent) region.textContent = gettext("All answers are stored.");
}
