/**
 * The ladder: the words of each sentence in a column, the links as curves between the columns. Draws a state and a
 * cursor and changes only the elements that differ; knows nothing of undo, saving or the network.
 */

import { textNodes } from "../shared/text.js";
import { heldIn, selected } from "./cursor.js";
import { curveOf, nearestCurve, pathOf, ports } from "./geometry.js";
import { wordLabel, wordStatus } from "./labels.js";
import { cellOf, keyOf, otherSide } from "./state.js";

const SVG = "http://www.w3.org/2000/svg";
const REACH = 7; // pixels around a curve that still mean it

export class Ladder {
  #paths = new Map(); // "i-j" -> {path, d, curve}
  #near = new Set();
  #marked = { selected: new Set(), held: new Set(), counterpart: new Set() };
  #stops = { a: null, b: null };
  #state = null;

  /** `root` holds [data-column="a"], [data-column="b"] and an <svg>. */
  constructor(root) {
    this.root = root;
    this.columns = { a: root.querySelector('[data-column="a"]'), b: root.querySelector('[data-column="b"]') };
    this.svg = root.querySelector("svg");
    this.words = { a: [], b: [] };
    this.ghost = document.createElementNS(SVG, "path");
    this.ghost.setAttribute("class", "ghost");
    this.box = { rowHeight: 24, width: 200 };
    new ResizeObserver(() => this.#measure() && this.#state && this.#placeLinks(true)).observe(this.svg);
  }

  /** Builds the columns of an item anew. */
  open(item, state) {
    this.#paths.clear();
    this.#near.clear();
    for (const set of Object.values(this.#marked)) set.clear();
    this.#stops = { a: null, b: null };
    this.tokens = { a: item.a.tokens, b: item.b.tokens };
    // In the second pass, what annotators differ on.
    this.disputed = new Set((item.disputed ?? []).map(([i, j]) => keyOf(i, j)));
    this.questioned = { a: new Set(), b: new Set() };
    for (const [i, j] of item.disputed ?? []) {
      this.questioned.a.add(i);
      this.questioned.b.add(j);
    }
    for (const side of ["a", "b"]) {
      const column = this.columns[side];
      column.lang = item[side].language || "";
      this.words[side] = this.tokens[side].map((token, index) => wordElement(token, side, index));
      column.replaceChildren(...this.words[side]);
    }
    this.svg.replaceChildren(this.ghost);
    this.#state = state;
    this.#measure();
    this.#placeLinks(true);
    for (const side of ["a", "b"]) this.tokens[side].forEach((_, index) => this.#describe(side, index));
  }

  /** Draws the state after a patch of history.js: the links, and the words that the patch touches. */
  update(state, patch) {
    this.#state = state;
    this.#placeLinks(false);
    const touched = { a: new Set(), b: new Set() };
    for (const [kind, p, q] of patch) {
      if (kind === "null") touched[p].add(q);
      else {
        touched.a.add(p);
        touched.b.add(q);
      }
    }
    for (const side of ["a", "b"]) for (const index of touched[side]) this.#describe(side, index);
  }

  /** Shows where the annotator is; `hover` is null, {side, index} or {key}, and comes before the focus. */
  point(cursor, hover) {
    const at = (side, index) => this.words[side][index];
    const run = selected(cursor);
    const chosen = new Set(run.map((index) => at(cursor.side, index)));
    const opposite = otherSide(cursor.side);
    const held = new Set([...heldIn(cursor, "a").map((i) => at("a", i)), ...heldIn(cursor, "b").map((j) => at("b", j))]);
    const near = new Set();
    const counterpart = new Set();
    const look = (side, wanted) => {
      for (const key of this.#paths.keys()) {
        const [i, j] = cellOf(key);
        if (!wanted.has(side === "a" ? i : j)) continue;
        near.add(key);
        counterpart.add(side === "a" ? at("b", j) : at("a", i));
      }
    };
    if (hover?.key) {
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

  focus(side, index) {
    this.words[side][index]?.focus({ preventScroll: true });
    this.words[side][index]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The key of the link under a point of the window, or null. */
  linkAt(event) {
    const { a, b } = event.target.dataset ?? {};
    if (a !== undefined && b !== undefined) return keyOf(a, b);
    const origin = this.svg.getBoundingClientRect();
    const curves = [...this.#paths].map(([key, { curve }]) => [key, curve]);
    return nearestCurve(curves, event.clientX - origin.left, event.clientY - origin.top, REACH);
  }

  #measure() {
    const { width } = this.svg.getBoundingClientRect();
    const column = this.columns.a.childElementCount >= this.columns.b.childElementCount ? this.columns.a : this.columns.b;
    const rowHeight = column.childElementCount ? column.getBoundingClientRect().height / column.childElementCount : 24;
    if (!width || (width === this.box.width && rowHeight === this.box.rowHeight)) return false;
    this.box = { rowHeight, width };
    return true;
  }

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
      const entry = this.#paths.get(key) ?? this.#addPath(key, i, j);
      const curve = curveOf(i, j, this.box, offsets.get(key));
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

  #addPath(key, i, j) {
    const path = document.createElementNS(SVG, "path");
    Object.assign(path.dataset, { a: i, b: j });
    if (this.disputed.has(key)) path.dataset.disputed = "";
    const entry = { path, d: "", curve: null };
    this.#paths.set(key, entry);
    this.svg.insertBefore(path, this.ghost);
    return entry;
  }

  #describe(side, index) {
    const word = this.words[side][index];
    const status = wordStatus(this.#state, side, index);
    if (word.dataset.status !== status) word.dataset.status = status;
    const questioned = this.questioned[side].has(index);
    word.classList.toggle("questioned", questioned);
    const label = wordLabel(this.#state, this.tokens, side, index) + (questioned ? ", in dispute" : "");
    if (word.getAttribute("aria-label") !== label) word.setAttribute("aria-label", label);
  }

  #mark(name, wanted) {
    const current = this.#marked[name];
    for (const word of current) if (!wanted.has(word)) this.#toggle(word, name, false);
    for (const word of wanted) if (!current.has(word)) this.#toggle(word, name, true);
    this.#marked[name] = wanted;
  }

  #toggle(word, name, on) {
    if (name === "selected") word.setAttribute("aria-selected", String(on));
    else word.classList.toggle(name, on);
  }

  #fade(near) {
    for (const key of this.#near) if (!near.has(key)) this.#paths.get(key)?.path.classList.remove("near");
    for (const key of near) if (!this.#near.has(key)) this.#paths.get(key)?.path.classList.add("near");
    this.#near = near;
    this.svg.classList.toggle("fading", near.size > 0);
  }

  /** Tab reaches one word of each column. */
  #stop(side, index) {
    const word = this.words[side][index] ?? null;
    const former = this.#stops[side];
    if (former === word) return;
    if (former) former.tabIndex = -1;
    if (word) word.tabIndex = 0;
    this.#stops[side] = word;
  }

  /** The link that the next press would draw: from the held words to the focused one, or the cell pointed at. */
  #haunt(cursor, hover) {
    let cell = null;
    if (hover?.key) cell = this.#paths.has(hover.key) ? null : cellOf(hover.key);
    else {
      const [side, index] = hover ? [hover.side, hover.index] : [cursor.side, cursor.focus];
      const held = heldIn(cursor, otherSide(side));
      const middle = (held[0] + held.at(-1)) / 2;
      if (held.length) cell = side === "a" ? [index, middle] : [middle, index];
    }
    if (cell) this.ghost.setAttribute("d", pathOf(curveOf(...cell, this.box)));
    else this.ghost.removeAttribute("d");
  }
}

function wordElement(token, side, index) {
  const word = document.createElement("span");
  word.setAttribute("role", "option");
  word.setAttribute("aria-selected", "false");
  word.className = "word";
  word.tabIndex = -1;
  Object.assign(word.dataset, { side, index });
  const text = document.createElement("bdi");
  text.dir = "auto";
  text.append(...textNodes(token));
  word.append(text);
  if (token.length > 14) word.title = token;
  return word;
}
