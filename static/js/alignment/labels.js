/**
 * What the page says aloud: the label of a word and the sentence that describes a change.
 *
 * @typedef {import("./history.js").Change} Change
 * @typedef {import("./state.js").State} State
 * @typedef {import("../shared/text.js").Side} Side
 * @typedef {import("./state.js").Words} Words
 */

import { gettext } from "../shared/texts.js";
import { cellOf, linksOf, nullsOf, POSSIBLE, SURE, suggestionsOf } from "./state.js";
import { strengthWord } from "./words.js";

/**
 * For example "extinguish, linked sure with put, out" or "were, open".
 * @param {State} state @param {Words} words @param {Side} side @param {number} index
 */
export function wordLabel(state, words, side, index) {
  const others = words[side === "a" ? "b" : "a"];
  const links = linksOf(state, side, index);
  /** @param {string} strength */
  const named = (strength) => (
    links.filter((mark) => mark.strength === strength).map((mark) => others[mark.other]));
  const suggested = suggestionsOf(state, side, [index]).map(([i, j]) => others[side === "a" ? j : i]);
  const parts = [words[side][index]];
  if (named(SURE).length) {
    parts.push(gettext("linked sure with %(words)s", { words: named(SURE).join(", ") }));
  }
  if (named(POSSIBLE).length) {
    parts.push(gettext("linked possible with %(words)s", { words: named(POSSIBLE).join(", ") }));
  }
  if (suggested.length) parts.push(gettext("suggested with %(words)s", { words: suggested.join(", ") }));
  if (nullsOf(state, side).has(index)) parts.push(gettext("no counterpart"));
  else if (!links.length) parts.push(gettext("open"));
  return parts.join(", ");
}

/**
 * The status of a word that its shape shows: "sure", "possible", "null", "suggested" or "open".
 * @param {State} state @param {Side} side @param {number} index
 */
export function wordStatus(state, side, index) {
  if (nullsOf(state, side).has(index)) return "null";
  const links = linksOf(state, side, index);
  if (links.some((mark) => mark.strength === SURE)) return SURE;
  if (links.length) return POSSIBLE;
  return suggestionsOf(state, side, [index]).length ? "suggested" : "open";
}

/**
 * @param {string} first @param {string} second
 */
export const both = (first, second) => gettext("%(first)s with %(second)s", { first, second });

/**
 * One sentence for a patch of history.js, for example "put with extinguish: sure. 3 left."
 * @param {Change[]} patch @param {Words} words @param {number} left
 */
export function changeSentence(patch, words, left) {
  /** @type {Map<string, string[]>} */
  const links = new Map(); // what has become of links -> their words
  /** @type {string[]} */
  const marked = [];
  /** @type {string[]} */
  const unmarked = [];
  let dismissed = 0;
  for (const change of patch) {
    if (change[0] === "link") {
      const [, i, j, , after] = change;
      const strength = strengthWord(after?.[0] ?? "no link");
      links.set(strength, [...(links.get(strength) ?? []), both(words.a[i], words.b[j])]);
    } else if (change[0] === "null") {
      const [, side, index, , after] = change;
      (after ? marked : unmarked).push(words[side][index]);
    } else if (!change[4]) dismissed += 1;
  }
  const parts = [...links].map(([strength, pairs]) => {
    const many = gettext("%(count)s links", { count: pairs.length });
    return `${pairs.length > 3 ? many : pairs.join("; ")}: ${strength}`;
  });
  if (marked.length) parts.push(`${marked.join(", ")}: ${gettext("no counterpart")}`);
  if (unmarked.length && !links.size) parts.push(`${unmarked.join(", ")}: ${gettext("open again")}`);
  if (!parts.length && dismissed) parts.push(gettext("%(count)s suggested: dismissed", { count: dismissed }));
  parts.push(left ? gettext("%(count)s left", { count: left }) : gettext("No word left open"));
  return `${parts.join(". ")}.`;
}

/**
 * The links as a readable list, for comparing one's own with the server's.
 * @param {State} state @param {Words} words
 */
export function listed(state, words) {
  return [...state.links].map(([key, { strength }]) => {
    const [i, j] = cellOf(key);
    return { i, j, text: `${words.a[i]} – ${words.b[j]}`, strength };
  }).sort((p, q) => p.i - q.i || p.j - q.j);
}

