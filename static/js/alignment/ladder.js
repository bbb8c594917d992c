/**
 * The ladder: the words of each sentence in a column, the links as curves between the columns. Draws a state
 * and a cursor and changes only the elements that differ; knows nothing of undo, saving or the network.
 */

import { find } from "../shared/page.js";
import { directionOf, SIDES, textNodes, wordDirection } from "../shared/text.js";
import { gettext } from "../shared/texts.js";
import { heldIn, selected } from "./cursor.js";
import { curveOf, nearestCurve, pathOf, ports } from "./geometry.js";
import { wordLabel, wordStatus } from "./labels.js";
import { cellOf, emptyState, keyOf, otherSide } from "./state.js";

/**
 * @typedef {import("./cursor.js").Cursor} Cursor
 * @typedef {import("./cursor.js").Hover} Hover
 * @typedef {import("./state.js").State} State
 * @typedef {import("../shared/text.js").Side} Side
 *
 * @typedef {{ path: SVGPathElement, d: string, curve: import("./geometry.js").Curve }} Path a drawn link
 * @typedef {"selected" | "held" | "counterpart"} Look how words are marked
 */

const SVG = "http://www.w3.org/2000/svg";
const REACH = 7; // pixels around a curve that still mean it

export class Ladder {
  /** @type {Map<string, Path>} */
  #paths = new Map(); // by "i-j"
  /** @type {Set<string>} */
  #near = new Set();
  /** @type {Record<Look, Set<HTMLElement>>} */
  #marked = { selected: new Set(), held: new Set(), counterpart: new Set() };
  /** @type {Record<Side, HTMLElement | null>} */
  #stops = { a: null, b: null };
  #state = emptyState(0, 0);

  /**
   * `root` holds [data-column="a"], [data-column="b"] and an <svg>.
   * @param {HTMLElement} root
   */
  constructor(root) {
    this.root = root;
    this.columns = {
      a: find('[data-column="a"]', HTMLElement, root), b: find('[data-column="b"]', HTMLElement, root),
    };
    this.svg = find("svg", SVGSVGElement, root);
    /** @type {Record<Side, HTMLElement[]>} */
    this.words = { a: [], b: [] };
    /** @type {import("./state.js").Words} */
    this.tokens = { a: [], b: [] };
    // In the second pass, the links that annotators differ on, and their words.
    /** @type {Set<string>} */
    this.disputed = new Set();
    /** @type {Record<Side, Set<number>>} */
    this.questioned = { a: new Set(), b: new Set() };
    this.ghost = document.createElementNS(SVG, "path");
    this.ghost.setAttribute("class", "ghost");
    this.box = { rowHeight: 24, width: 200 };
    new ResizeObserver(() => { if (this.#measure()) this.#placeLinks(true); }).observe(this.svg);
  }

  /**
   * Builds the columns of an item.
   * @param {import("./state.js").Pair} item @param {State} state
   */
  open(item, state) {
    this.#paths.clear();
    this.#near.clear();
    for (const set of Object.values(this.#marked)) set.clear();
    this.#stops = { a: null, b: null };
    this.tokens = { a: item.a.tokens, b: item.b.tokens };
    this.disputed = new Set((item.disputed ?? []).map(([i, j]) => keyOf(i, j)));
    this.questioned = { a: new Set(), b: new Set() };
    for (const [i, j] of item.disputed ?? []) {
      this.questioned.a.add(i);
      this.questioned.b.add(j);
    }
    for (const side of SIDES) {
      const column = this.columns[side];
      column.lang = item[side].language || "";
      const direction = directionOf(item[side]);
      this.words[side] = this.tokens[side].map((token, index) => (
        wordElement(token, side, index, wordDirection(token, direction))));
      column.replaceChildren(...this.words[side]);
    }
    this.svg.replaceChildren(this.ghost);
    this.#state = state;
    this.#measure();
    this.#placeLinks(true);
    for (const side of SIDES) this.tokens[side].forEach((_, index) => this.#describe(side, index));
  }

  /**
   * Draws the state after a patch of history.js: the links, and the words that the patch touches.
   * @param {State} state @param {import("./history.js").Change[]} patch
   */
  update(state, patch) {
    this.#state = state;
    this.#placeLinks(false);
    /** @type {Record<Side, Set<number>>} */
    const touched = { a: new Set(), b: new Set() };
    for (const change of patch) {
      if (change[0] === "null") touched[change[1]].add(change[2]);
      else {
        touched.a.add(change[1]);
        touched.b.add(change[2]);
      }
    }
    for (const side of SIDES) for (const index of touched[side]) this.#describe(side, index);
  }

  /**
   * Shows where the annotator is; `hover` comes before the focus.
   * @param {Cursor} cursor @param {Hover | null} hover
   */
  point(cursor, hover) {
    /** @param {Side} side @param {number} index */
    const at = (side, index) => this.words[side][index];
    const run = selected(cursor);
    const chosen = new Set(run.map((index) => at(cursor.side, index)));
    const opposite = otherSide(cursor.side);
    const held = new Set(SIDES.flatMap((side) => heldIn(cursor, side).map((index) => at(side, index))));
    /** @type {Set<string>} */
    const near = new Set();
    /** @type {Set<HTMLElement>} */
    const counterpart = new Set();
    /** @param {Side} side @param {Set<number>} wanted */
    const look = (side, wanted) => {
      for (const key of this.#paths.keys()) {
        const [i, j] = cellOf(key);
        if (!wanted.has(side === "a" ? i : j)) continue;
        near.add(key);
        counterpart.add(side === "a" ? at("b", j) : at("a", i));
      }
    };
    if (hover?.key !== undefined) {
      const [i, j] = cellOf(hover.key);
      if (this.#paths.has(hover.key)) near.add(hover.key);
      counterpart.add(at("a", i)).add(at("b", j));
    } else if (hover) look(hover.side, new Set([hover.index]));
    else look(cursor.side, new Set(run));
    this.#mark("selected", chosen);
    this.#mark("held", held);
    this.#mark("counterpart", counterpart);
    this.#fade(near);
    this.#stop(cursor.side, cursor.focus);
    this.#stop(opposite, Math.min(cursor.last[opposite], this.words[opposite].length - 1));
    this.#haunt(cursor, hover);
  }

  /** @param {Side} side @param {number} index */
  focus(side, index) {
    this.words[side][index]?.focus({ preventScroll: true });
    this.words[side][index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /**
   * The key of the link under a point of the window, or null.
   * @param {MouseEvent} event
   */
  linkAt(event) {
    for (const [key, { path }] of this.#paths) if (path === event.target) return key;
    const origin = this.svg.getBoundingClientRect();
    /** @type {[string, Path["curve"]][]} */
    const curves = [...this.#paths].map(([key, { curve }]) => [key, curve]);
    return nearestCurve(curves, event.clientX - origin.left, event.clientY - origin.top, REACH);
  }

  #measure() {
    const { width } = this.svg.getBoundingClientRect();
    const { a, b } = this.columns;
    const column = a.childElementCount >= b.childElementCount ? a : b;
    const rows = column.childElementCount;
    const rowHeight = rows ? column.getBoundingClientRect().height / rows : 24;
    if (!width || (width === this.box.width && rowHeight === this.box.rowHeight)) return false;
    this.box = { rowHeight, width };
    return true;
  }

  /** @param {boolean} all */
  #placeLinks(all) {
    const { links, suggestions } = this.#state;
    for (const [key, { path }] of this.#paths) {
      if (links.has(key) || suggestions.has(key)) continue;
      path.remove();
      this.#paths.delete(key);
      this.#near.delete(key);
    }
    const keys = [...links.keys(), ...suggestions];
    const offsets = ports(keys.map(cellOf), this.box.rowHeight);
    for (const key of keys) {
      const mark = links.get(key);
      const [i, j] = cellOf(key);
      const curve = curveOf(i, j, this.box, offsets.get(key));
      const entry = this.#paths.get(key) ?? this.#addPath(key, curve);
      const d = pathOf(curve);
      if (all || d !== entry.d) {
        entry.path.setAttribute("d", d);
        Object.assign(entry, { d, curve });
      }
      const strength = mark?.strength ?? "suggested";
      if (entry.path.dataset.strength !== strength) entry.path.dataset.strength = strength;
      const origin = mark?.origin ?? "suggested";
      if (entry.path.dataset.origin !== origin) entry.path.dataset.origin = origin;
    }
  }

  /** @param {string} key @param {Path["curve"]} curve */
  #addPath(key, curve) {
    const path = document.createElementNS(SVG, "path");
    const [i, j] = cellOf(key);
    Object.assign(path.dataset, { a: String(i), b: String(j) });
    if (this.disputed.has(key)) path.dataset.disputed = "";
    const entry = { path, d: "", curve };
    this.#paths.set(key, entry);
    this.svg.insertBefore(path, this.ghost);
    return entry;
  }

  /** @param {Side} side @param {number} index */
  #describe(side, index) {
    const word = this.words[side][index];
    const status = wordStatus(this.#state, side, index);
    if (word.dataset.status !== status) word.dataset.status = status;
    const questioned = this.questioned[side].has(index);
    word.classList.toggle("questioned", questioned);
    const dispute = questioned ? gettext(", in dispute") : "";
    const label = wordLabel(this.#state, this.tokens, side, index) + dispute;
    if (word.getAttribute("aria-label") !== label) word.setAttribute("aria-label", label);
  }

  /** @param {Look} name @param {Set<HTMLElement>} wanted */
  #mark(name, wanted) {
    const current = this.#marked[name];
    for (const word of current) if (!wanted.has(word)) this.#toggle(word, name, false);
    for (const word of wanted) if (!current.has(word)) this.#toggle(word, name, true);
    this.#marked[name] = wanted;
  }

  /** @param {HTMLElement} word @param {Look} name @param {boolean} on */
  #toggle(word, name, on) {
    if (name === "selected") word.setAttribute("aria-selected", String(on));
    else word.classList.toggle(name, on);
  }

  /** @param {Set<string>} near */
  #fade(near) {
    for (const key of this.#near) if (!near.has(key)) this.#paths.get(key)?.path.classList.remove("near");
    for (const key of near) if (!this.#near.has(key)) this.#paths.get(key)?.path.classList.add("near");
    this.#near = near;
    this.svg.classList.toggle("fading", near.size > 0);
  }

  /**
   * Tab reaches one word of each column.
   * @param {Side} side @param {number} index
   */
  #stop(side, index) {
    const word = this.words[side][index] ?? null;
    const former = this.#stops[side];
    if (former === word) return;
    if (former) former.tabIndex = -1;
    if (word) word.tabIndex = 0;
    this.#stops[side] = word;
  }

  /**
   * The link that the next press would draw: from the held words to the focused one, or the cell pointed at.
   * @param {Cursor} cursor @param {Hover | null} hover
   */
  #haunt(cursor, hover) {
    /** @type {import("./state.js").Cell | null} */
    let cell = null;
    if (hover?.key !== undefined) cell = this.#paths.has(hover.key) ? null : cellOf(hover.key);
    else {
      const { side, index } = hover ?? { side: cursor.side, index: cursor.focus };
      const held = heldIn(cursor, otherSide(side));
      const middle = (held[0] + held[held.length - 1]) / 2;
      if (held.length) cell = side === "a" ? [index, middle] : [middle, index];
    }
    if (cell) this.ghost.setAttribute("d", pathOf(curveOf(...cell, this.box)));
    else this.ghost.removeAttribute("d");
  }
}

/** @param {string} token @param {Side} side @param {number} index @param {string} direction */
function wordElement(token, side, index, direction) {
  const word = document.createElement("span");
  word.setAttribute("role", "option");
  word.setAttribute("aria-selected", "false");
  word.className = "word";
  word.tabIndex = -1;
  Object.assign(word.dataset, { side, index: String(index) });
  const text = document.createElement("bdi");
  text.dir = direction;
  text.append(...textNodes(token));
  word.append(text);
  if (token.length > 14) word.title = token;
  return word;
}
