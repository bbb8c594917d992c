/** Both sentences as they are printed, with the words marked that the ladder points at. */

import { SIDES, textNodes, toUnits } from "../shared/text.js";
import { heldIn, selected } from "./cursor.js";
import { cellOf } from "./state.js";

/** @typedef {import("../shared/text.js").Side} Side */

export class Prose {
  /** @type {HTMLElement[]} */
  #marked = [];

  /**
   * `paragraphs` are the elements that the sentences are written into.
   * @param {Record<Side, HTMLElement>} paragraphs
   */
  constructor(paragraphs) {
    this.paragraphs = paragraphs;
    /** @type {Record<Side, HTMLElement[]>} */
    this.words = { a: [], b: [] };
  }

  /** @param {Record<Side, import("../shared/text.js").Sentence>} item */
  open(item) {
    this.#marked = [];
    for (const side of SIDES) {
      const { text, tokens, starts, language, direction } = item[side];
      const begin = toUnits(text, starts);
      const paragraph = this.paragraphs[side];
      paragraph.dir = direction || "auto";
      paragraph.lang = language || "";
      /** @type {Node[]} */
      const nodes = [];
      let from = 0;
      this.words[side] = tokens.map((token, index) => {
        const word = document.createElement("span");
        word.className = "token";
        Object.assign(word.dataset, { side, index: String(index) });
        word.append(...textNodes(token));
        if (begin[index] > from) nodes.push(...textNodes(text.slice(from, begin[index])));
        nodes.push(word);
        from = begin[index] + token.length;
        return word;
      });
      if (from < text.length) nodes.push(...textNodes(text.slice(from)));
      paragraph.replaceChildren(...nodes);
    }
  }

  /**
   * @param {import("./state.js").State} state @param {import("./cursor.js").Cursor} cursor
   * @param {import("./cursor.js").Hover | null} hover
   */
  point(state, cursor, hover) {
    for (const word of this.#marked) word.classList.remove("focused", "held", "counterpart");
    this.#marked = [];
    /** @param {Side} side @param {number} index @param {string} name */
    const mark = (side, index, name) => {
      const word = this.words[side][index];
      if (!word) return;
      word.classList.add(name);
      this.#marked.push(word);
    };
    for (const side of SIDES) for (const index of heldIn(cursor, side)) mark(side, index, "held");
    if (hover?.key !== undefined) {
      const [i, j] = cellOf(hover.key);
      mark("a", i, "focused");
      mark("b", j, "focused");
      return;
    }
    const { side } = hover ?? cursor;
    const points = new Set(hover ? [hover.index] : selected(cursor));
    for (const index of points) mark(side, index, "focused");
    for (const key of state.links.keys()) {
      const [i, j] = cellOf(key);
      if (side === "a" && points.has(i)) mark("b", j, "counterpart");
      if (side === "b" && points.has(j)) mark("a", i, "counterpart");
    }
  }
}
