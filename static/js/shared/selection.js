/** Selecting rows of a list: what is said of them, and which rows a range takes in. */

import { gettext } from "./texts.js";

/**
 * @param {number} count @param {string} noun @param {string} plural of the noun, "" for one with an s
 * @returns {string} how many are selected, in words
 */
export function selectedWords(count, noun, plural = "") {
  if (count === 0) return gettext("No %(noun)s selected", { noun });
  return gettext("%(count)s %(noun)s selected", { count, noun: count === 1 ? noun : plural || `${noun}s` });
}

/**
 * The places from one to another, both included, whichever comes first.
 * @param {number} from @param {number} to @returns {number[]}
 */
export function range(from, to) {
  const first = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, place) => first + place);
}
