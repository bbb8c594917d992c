/** Both sentences as they are printed, with the words marked that the ladder points at. */

import { textNodes, toUnits } from "../shared/text.js";
import { heldIn, selected } from "./cursor.js";
import { cellOf } from "./state.js";

export class Prose {
  #marked = [];

  /** `paragraphs`: {a, b}, the elements that the sentences are written into. */
  constructor(paragraphs) {
    this.paragraphs = paragraphs;
    this.words = { a: [], b: [] };
  }

  open(item) {
    this.#marked = [];
    for (const side of ["a", "b"]) {
      const { text, tokens, starts, language, direction } = item[side];
      const begin = toUnits(text, starts);
      const paragraph = this.paragraphs[side];
      paragraph.dir = direction || "auto";
      paragraph.lang = language || "";
      const nodes = [];
      let from = 0;
      this.words[side] = tokens.map((token, index) => {
        const word = document.createElement("span");
        word.className = "token";
        Object.assign(word.dataset, { side, index });
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

  point(state, cursor, hover) {
    for (const word of this.#marked) word.classList.remove("focused", "held", "counterpart");
    this.#marked = [];
    const mark = (side, index, name) => {
      const word = this.words[side][index];
      if (!word) return;
      word.classList.add(name);
      this.#marked.push(word);
    };
    for (const side of ["a", "b"]) for (const index of heldIn(cursor, side)) mark(side, index, "held");
    const points = hover?.key ? [] : hover ? [[hover.side, hover.index]] : selected(cursor).map((index) => [cursor.side, index]);
    for (const [side, index] of points) mark(side, index, "focused");
    if (hover?.key) cellOf(hover.key).forEach((index, which) => mark("ab"[which], index, "focused"));
    const wanted = new Set(points.map(([side, index]) => `${side}${index}`));
    for (const key of state.links.keys()) {
      const [i, j] = cellOf(key);
      if (wanted.has(`a${i}`)) mark("b", j, "counterpart");
      if (wanted.has(`b${j}`)) mark("a", i, "counterpart");
    }
  }
}
