/** The matrix of the same links: rows are the words of the first sentence, columns those of the second. */

import { find } from "../shared/page.js";
import { directionOf, splitInvisible, wordDirection } from "../shared/text.js";
import { cellFocus } from "./cursor.js";
import { cellAt, cellSize } from "./geometry.js";
import { cellOf, emptyState } from "./state.js";

/**
 * @typedef {import("./cursor.js").Cursor} Cursor
 * @typedef {import("./cursor.js").Hover} Hover
 * @typedef {import("./state.js").Cell} Cell
 * @typedef {import("./state.js").Pair} Pair
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Strength} Strength
 *
 * Where the cells are in the drawing, in pixels.
 * @typedef {{ available: number, rows: number, columns: number,
 *   left: number, top: number, cell: number }} Layout
 *
 * A corner of a rectangle of cells.
 * @typedef {{ i: number, j: number }} Corner
 */

const SVG = "http://www.w3.org/2000/svg";
// Pixels of a cell, minimum and maximum: for a mouse, and for a finger, which is wider.
/** @type {Record<"fine" | "coarse", [number, number]>} */
const SIZES = { fine: [5, 24], coarse: [24, 44] };
const coarse = matchMedia("(pointer: coarse)");
const LONGEST = 14; // characters of a heading before it is cut

export class Matrix {
  /** @type {Map<string, { mark: SVGElement, strength: string }>} */
  #marks = new Map(); // by "i-j"
  /** @type {SVGElement[]} */
  #on = [];
  #state = emptyState(0, 0);
  /** @type {[Cursor, Hover | null] | null} */
  #cursor = null;
  /** @type {Pair | null} */
  #item = null;

  /**
   * `root` is the element that holds the <svg>; `sizes` are those of a cell, minimum and maximum.
   * @param {HTMLElement} root @param {typeof SIZES} sizes
   */
  constructor(root, sizes = SIZES) {
    this.root = root;
    this.sizes = sizes;
    this.svg = find("svg", SVGSVGElement, root);
    /** @type {Layout | null} */
    this.layout = null;
    this.rowBand = shape("rect", { class: "band" });
    this.columnBand = shape("rect", { class: "band" });
    this.selection = shape("rect", { class: "frame" });
    this.marks = shape("g", { class: "marks" });
    /** @type {Record<import("../shared/text.js").Side, SVGElement[]>} */
    this.headings = { a: [], b: [] };
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width && this.#item && width !== this.layout?.available) this.#build(width, this.#item);
    }).observe(root);
  }

  /** @param {Pair} item @param {State} state */
  open(item, state) {
    this.#item = item;
    this.#state = state;
    this.layout = null;
    const width = Math.round(this.root.clientWidth);
    if (width) this.#build(width, item);
  }

  /** @param {State} state */
  update(state) {
    this.#state = state;
    if (!this.layout) return;
    for (const [key, { mark }] of this.#marks) {
      if (state.links.has(key) || state.suggestions.has(key)) continue;
      mark.remove();
      this.#marks.delete(key);
    }
    for (const [key, { strength, origin }] of state.links) {
      // In a review: what is agreed is kept, what is disputed waits for a decision.
      const reviewed = origin === "agreed" || origin === "disputed";
      this.#place(this.layout, key, reviewed ? origin : strength);
    }
    for (const key of state.suggestions) this.#place(this.layout, key, "suggested");
  }

  /** @param {Cursor} cursor @param {Hover | null} hover */
  point(cursor, hover) {
    this.#cursor = [cursor, hover];
    if (!this.layout) return;
    const { i, j, from } = cellFocus(cursor);
    const { cell, left, top, rows, columns } = this.layout;
    // Outside of the matrix where there is none.
    const none = -9;
    let [row, column] = [none, none];
    if (hover?.key !== undefined) [row, column] = cellOf(hover.key);
    else if (hover?.side === "a") row = hover.index;
    else if (hover) column = hover.index;
    else {
      if (cursor.side === "a" || cursor.held) row = i;
      if (cursor.side === "b" || cursor.held) column = j;
    }
    attributes(this.rowBand, {
      y: top + row * cell, x: left, width: columns * cell, height: row === none ? 0 : cell,
    });
    attributes(this.columnBand, {
      x: left + column * cell, y: top, height: rows * cell, width: column === none ? 0 : cell,
    });
    if (cursor.held) this.#frame(this.layout, from, { i, j });
    else attributes(this.selection, { width: 0, height: 0 });
    for (const heading of this.#on) heading.classList.remove("on");
    this.#on = [this.headings.a[row], this.headings.b[column]].filter(Boolean);
    for (const heading of this.#on) heading.classList.add("on");
  }

  /**
   * Shows the rectangle between two cells.
   * @param {Layout} layout @param {Corner} from @param {Corner} to
   */
  #frame({ cell, left, top }, from, to) {
    attributes(this.selection, {
      x: left + Math.min(from.j, to.j) * cell, y: top + Math.min(from.i, to.i) * cell,
      width: (Math.abs(from.j - to.j) + 1) * cell, height: (Math.abs(from.i - to.i) + 1) * cell,
    });
  }

  /**
   * Shows the rectangle between two cells while it is dragged.
   * @param {Cell} from @param {Cell} to
   */
  stretch([i, j], [k, l]) { if (this.layout) this.#frame(this.layout, { i, j }, { i: k, j: l }); }

  /**
   * The cell [i, j] under a pointer event; null outside unless `clamped`.
   * @param {MouseEvent} event
   */
  cellUnder(event, clamped = false) {
    if (!this.layout) return null;
    const origin = this.svg.getBoundingClientRect();
    const { left, top, cell, rows, columns } = this.layout;
    const [x, y] = [event.clientX - origin.left - left, event.clientY - origin.top - top];
    return cellAt(x, y, cell, rows, columns, clamped);
  }

  /** @param {number} available pixels @param {Pair} item */
  #build(available, item) {
    const words = { a: headings(item.a), b: headings(item.b) };
    const [rows, columns] = [words.a.length, words.b.length];
    /** @param {"a" | "b"} side */
    const longest = (side) => Math.max(1, ...words[side].map((text) => [...text].length - 2));
    const left = Math.min(116, 12 + longest("a") * 7);
    const cell = cellSize(available - left - 1, columns, ...this.sizes[coarse.matches ? "coarse" : "fine"]);
    const top = Math.min(112, 12 + longest("b") * 7);
    this.layout = { available, rows, columns, left, top, cell };
    const [width, height] = [left + columns * cell + 1, top + rows * cell + 1];
    attributes(this.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    const lines = shape("path", { class: "grid", d: gridPath(this.layout) });
    const size = Math.max(6, Math.min(13, cell));
    this.headings = {
      a: words.a.map((text, i) => shape("text", {
        "font-size": size, class: "row", x: left - 6, y: top + (i + 0.5) * cell,
      }, text)),
      b: words.b.map((text, j) => shape("text", {
        "font-size": size, class: "column",
        transform: `translate(${left + (j + 0.5) * cell} ${top - 6}) rotate(-90)`,
      }, text)),
    };
    this.#marks.clear();
    this.marks.replaceChildren();
    this.svg.classList.toggle("small", cell < 10);
    this.svg.replaceChildren(
      this.rowBand, this.columnBand, lines, this.marks, this.selection,
      ...this.headings.a, ...this.headings.b,
    );
    this.#on = [];
    this.update(this.#state);
    if (this.#cursor) this.point(...this.#cursor);
  }

  /**
   * @param {Layout} layout @param {string} key
   * @param {Strength | "suggested" | "agreed" | "disputed"} strength
   */
  #place({ cell, left, top }, key, strength) {
    const known = this.#marks.get(key);
    if (known?.strength === strength) return;
    known?.mark.remove();
    const [i, j] = cellOf(key);
    const [x, y] = [left + j * cell, top + i * cell];
    const inset = cell >= 10 ? 3 : 1;
    const [side, half] = [cell - 2 * inset, cell / 2];
    const mark = {
      sure: () => shape("rect", { x: x + inset, y: y + inset, width: side, height: side }),
      possible: () => shape("rect", {
        x: x + inset + 0.75, y: y + inset + 0.75, width: side - 1.5, height: side - 1.5,
      }),
      suggested: () => shape("circle", { cx: x + half, cy: y + half, r: Math.max(1.5, half - inset - 0.5) }),
      agreed: () => shape("rect", { x: x + inset, y: y + inset, width: side, height: side }),
      disputed: () => shape("text", { x: x + half, y: y + half, "font-size": Math.min(16, cell) }, "?"),
    }[strength]();
    mark.setAttribute("class", strength);
    mark.dataset.mark = key;
    this.marks.append(mark);
    this.#marks.set(key, { mark, strength });
  }
}

/** @param {Layout} layout */
function gridPath({ left, top, cell, rows, columns }) {
  const lines = [];
  for (let i = 0; i <= rows; i += 1) lines.push(`M${left} ${top + i * cell + 0.5}h${columns * cell}`);
  for (let j = 0; j <= columns; j += 1) lines.push(`M${left + j * cell + 0.5} ${top}v${rows * cell}`);
  return lines.join("");
}

/**
 * The words of a sentence as headings, each isolated in its own direction.
 * @param {import("../shared/text.js").Sentence} sentence
 */
function headings(sentence) {
  const direction = directionOf(sentence);
  return sentence.tokens.map((token) => (
    `${wordDirection(token, direction) === "rtl" ? "\u2067" : "\u2066"}${heading(token)}\u2069`));
}

/**
 * A word as a heading: short, and without characters that would disturb its neighbours.
 * @param {string} token
 */
function heading(token) {
  const seen = splitInvisible(token).map((part) => (part.name ? "▯" : part.text)).join("");
  const characters = [...seen];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : seen;
}

/** @param {"rect" | "circle" | "path" | "text" | "g"} name @param {Record<string, string | number>} values */
function shape(name, values, text = "") {
  const made = document.createElementNS(SVG, name);
  attributes(made, values);
  if (text) made.textContent = text;
  return made;
}

/** @param {SVGElement} element @param {Record<string, string | number>} values */
function attributes(element, values) {
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
}
