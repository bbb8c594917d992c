/**
 * Walks through the pairs of a comparison: J to the next one, K to the one before, across pages. The address
 * names the pair (#pair-7), so that a reload and a link lead back to it.
 */

import { announce } from "../shared/announce.js";
import { startKeyboard } from "../shared/keyboard.js";
import { action, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";

/**
 * The place to go to from `current` (-1: none yet) in a list of `count`; null where the list ends.
 * @param {number} current @param {number} delta 1 or -1 @param {number} count
 */
export function step(current, delta, count) {
  const place = current < 0 ? (delta > 0 ? 0 : -1) : current + delta;
  return place >= 0 && place < count ? place : null;
}

function wire() {
  /** @type {HTMLElement[]} */
  const pairs = [...document.querySelectorAll("article.compared-pair")].map((one) => (
    /** @type {HTMLElement} */ (one)));
  if (!pairs.length) return;
  let current = pairs.findIndex(({ id }) => `#${id}` === location.hash);

  /** @param {number} place */
  function show(place) {
    current = place;
    history.replaceState(history.state, "", `#${pairs[place].id}`);
    pairs[place].focus();
    pairs[place].scrollIntoView({ block: "start" });
  }

  /** @param {number} delta */
  function walk(delta) {
    const place = step(current, delta, pairs.length);
    if (place !== null) return show(place);
    /** @type {HTMLAnchorElement | null} */
    const page = document.querySelector(delta > 0 ? 'a[rel="next"]' : 'a[rel="prev"]');
    const end = delta > 0 ? gettext("This is the last pair.") : gettext("This is the first pair.");
    if (!page) return announce(part("said"), end);
    // The next page begins with its first pair, the one before with its last.
    location.assign(page.href.replace(/#.*$/, delta > 0 ? "#first" : "#last"));
  }

  for (const [name, delta] of /** @type {[string, number][]} */ ([["previous-pair", -1], ["next-pair", 1]])) {
    const button = action(name);
    button.hidden = false;
    button.addEventListener("click", () => walk(delta));
  }
  for (const [place, pair] of pairs.entries()) pair.addEventListener("focusin", () => { current = place; });
  if (location.hash === "#first") show(0);
  else if (location.hash === "#last") show(pairs.length - 1);
  else if (current >= 0) pairs[current].focus();
  startKeyboard();
}

if (typeof document !== "undefined") wire();
