/** Two linked words and the strength of a link, as tables show them. */

import { create } from "../shared/page.js";
import { textNodes } from "../shared/text.js";
import { gettext } from "../shared/texts.js";

/**
 * "replaces – takes", each word isolated in its direction.
 * @param {Record<import("../shared/text.js").Side, import("../shared/text.js").Sentence>} pair
 * @param {number} a @param {number} b
 */
export function namedLink(pair, a, b) {
  const name = create("span");
  for (const [side, index] of /** @type {["a" | "b", number][]} */ ([["a", a], ["b", b]])) {
    const word = create("bdi");
    word.dir = pair[side].direction || "auto";
    word.append(...textNodes(pair[side].tokens[index]));
    if (side === "b") name.append(" – ");
    name.append(word);
  }
  return name;
}

/**
 * What a link is, in the language of the page: "sure", "possible", "suggested" or "no link".
 * @param {string} strength
 */
export function strengthWord(strength) {
  if (strength === "sure") return gettext("sure");
  if (strength === "possible") return gettext("possible");
  return strength === "suggested" ? gettext("suggested") : gettext("no link");
}

/**
 * A solid line for sure, a dashed one for possible, with the word for those who hear it.
 * @param {string | null | undefined} strength
 */
export function drawnLink(strength) {
  if (!strength) return create("span", "drawn", gettext("none"));
  const sample = create("span", `drawn ${strength}`);
  sample.append(create("span", "visually-hidden", strengthWord(strength)));
  return sample;
}
