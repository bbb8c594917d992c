/** Two linked words and the strength of a link, as tables show them. */

import { create } from "../shared/page.js";
import { textNodes } from "../shared/text.js";

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
 * A solid line for sure, a dashed one for possible, with the word for those who hear it.
 * @param {string | null | undefined} strength
 */
export function drawnLink(strength) {
  if (!strength) return create("span", "drawn", "none");
  const sample = create("span", `drawn ${strength}`);
  sample.append(create("span", "visually-hidden", strength));
  return sample;
}
