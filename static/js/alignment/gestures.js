/**
 * Mouse, pen and fingers on the ladder, the matrix and the prose; arrow keys on the words and in the matrix.
 */

import { around } from "../shared/page.js";
import { focusAt } from "./cursor.js";
import { Finger } from "./finger.js";
import { rectangleCells, rowAt } from "./geometry.js";
import { SIDES } from "../shared/text.js";
import { cellOf, link, otherSide, POSSIBLE, replace, SURE } from "./state.js";

/**
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {import("../shared/text.js").Side} Side
 */

/**
 * The word around what an event happened to.
 * @param {Event} event
 */
export function wordUnder(event) {
  const word = around(event, "[data-side][data-index]");
  return word && { side: /** @type {Side} */ (word.dataset.side), index: Number(word.dataset.index) };
}

/**
 * With Shift a click or a drag draws POSSIBLE links; with Ctrl or Cmd it takes the words' other links away.
 * @param {PointerEvent} event @returns {Required<import("./editor.js").Drawing>}
 */
const drawingOf = ({ shiftKey, ctrlKey, metaKey }) => (
  [shiftKey ? POSSIBLE : SURE, ctrlKey || metaKey ? replace : link]
);

/** @type {[number, number]} */
let last = [0, 0]; // where the pointer was

/**
 * Whether the pointer itself has moved, and not the page under it.
 * @param {PointerEvent} event
 */
function moved({ screenX, screenY }) {
  const same = last[0] === screenX && last[1] === screenY;
  last = [screenX, screenY];
  return !same;
}

/**
 * Clicks and drags over words, clicks and hovering on links.
 * @param {Editor} editor
 */
export function wireLadder(editor) {
  const { ladder } = editor;
  /** @type {{ side: Side, from: number, to: number, over: number | null } | null} */
  let drag = null; // over is the row of the other column under the pointer
  /** @param {Side} side @param {PointerEvent} event */
  const rowUnder = (side, event) => {
    const { top, height } = ladder.columns[side].getBoundingClientRect();
    const size = ladder.words[side].length;
    const y = event.clientY - top;
    return y < 0 || y > height ? null : rowAt(y, height / size, size);
  };
  const columnUnder = (/** @type {PointerEvent} */ event) => SIDES.find((side) => {
    const { left, right } = ladder.columns[side].getBoundingClientRect();
    return event.clientX >= left && event.clientX <= right;
  });
  // Beside a short word its row still means it: a finger is wider than "a".
  const rowOf = (/** @type {PointerEvent} */ event) => {
    const side = SIDES.find((one) => ladder.columns[one] === event.target);
    const index = side ? rowUnder(side, event) : null;
    return side && index !== null ? { side, index } : null;
  };
  const finger = new Finger(ladder.root, () => { if (drag) editor.preview(drag.side, drag.from, drag.to); });
  const drags = (/** @type {PointerEvent} */ event) => event.pointerType !== "touch" || finger.holds;

  ladder.root.addEventListener("pointerdown", (event) => {
    const word = wordUnder(event) ?? rowOf(event);
    if (event.button !== 0 || !word) return;
    drag = { side: word.side, from: word.index, to: word.index, over: null };
    if (event.pointerType === "touch") return;
    event.preventDefault();
    ladder.root.setPointerCapture(event.pointerId);
  });
  ladder.root.addEventListener("pointermove", (event) => {
    if (drag && drags(event)) {
      const column = columnUnder(event);
      drag.over = column && column !== drag.side ? rowUnder(column, event) : null;
      const row = column === drag.side ? rowUnder(drag.side, event) : null;
      if (row === null || row === drag.to) return;
      drag.to = row;
      editor.preview(drag.side, drag.from, row);
    } else if (event.pointerType !== "touch" && moved(event)) {
      const word = wordUnder(event);
      const key = word ? null : ladder.linkAt(event);
      ladder.svg.classList.toggle("pointing", Boolean(key));
      editor.hover(word ?? (key ? { key } : null));
    }
  });
  ladder.root.addEventListener("pointerleave", () => { if (!drag) editor.hover(null); });
  ladder.root.addEventListener("pointercancel", () => { drag = null; });
  ladder.root.addEventListener("pointerup", (event) => {
    const ended = drag;
    drag = null;
    if (!ended) return;
    const how = drawingOf(event);
    if (ended.over !== null) editor.draw(ended.side, ended.from, ended.to, ended.over, ...how);
    else editor.pick(ended.side, ended.from, ended.to, ...how);
    event.preventDefault();
  });
  ladder.svg.addEventListener("click", (event) => {
    const key = ladder.linkAt(event);
    if (key) editor.cycle(...cellOf(key));
    else editor.letGo();
  });
}

/**
 * In the matrix a click cycles a cell (with Shift it makes a POSSIBLE link), a drag links a rectangle, the
 * arrows walk from cell to cell.
 * @param {Editor} editor
 */
export function wireMatrix(editor) {
  const { matrix } = editor;
  /** @type {import("./state.js").Cell | null} */
  let corner = null;
  const finger = new Finger(matrix.root, () => { if (corner) matrix.stretch(corner, corner); });
  matrix.root.addEventListener("pointerdown", (event) => {
    corner = event.button === 0 ? matrix.cellUnder(event) : null;
    if (!corner || event.pointerType === "touch") return;
    event.preventDefault();
    matrix.root.focus({ preventScroll: true });
    matrix.root.setPointerCapture(event.pointerId);
  });
  matrix.root.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" && !finger.holds) return;
    if (corner) return matrix.stretch(corner, matrix.cellUnder(event, true) ?? corner);
    if (!moved(event)) return;
    const cell = matrix.cellUnder(event);
    editor.hover(cell ? { key: cell.join("-") } : null);
  });
  matrix.root.addEventListener("pointerleave", () => { if (!corner) editor.hover(null); });
  matrix.root.addEventListener("pointercancel", () => { corner = null; });
  matrix.root.addEventListener("pointerup", (event) => {
    if (!corner) return;
    const from = corner;
    const to = matrix.cellUnder(event, true) ?? from;
    corner = null;
    editor.focusCell(...to);
    const [strength, draw] = drawingOf(event);
    const plain = strength === SURE && draw === link;
    if (from[0] === to[0] && from[1] === to[1] && plain) editor.cycle(...to);
    else editor.block(rectangleCells(from, to), strength, draw);
  });
  matrix.root.addEventListener("keydown", (event) => {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const step = steps[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    editor.moveCell(...step, event.shiftKey);
  });
}

/**
 * Arrow keys, Home, End, Tab and Escape on the words.
 * @param {Editor} editor
 */
export function wireWords(editor) {
  editor.ladder.root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !around(event, ".word")) return;
    const { side } = editor.cursor;
    /** @type {Record<string, (() => void) | null>} */
    const keys = {
      ArrowUp: () => editor.move(-1, event.shiftKey),
      ArrowDown: () => editor.move(1, event.shiftKey),
      PageUp: () => editor.move(-10, event.shiftKey),
      PageDown: () => editor.move(10, event.shiftKey),
      Home: () => editor.edge(false, event.shiftKey),
      End: () => editor.edge(true, event.shiftKey),
      ArrowLeft: () => editor.cross("a"),
      ArrowRight: () => editor.cross("b"),
      // Tab goes on to the other column; from the second one it leaves the ladder, and Shift the other way.
      Tab: (side === "a") === !event.shiftKey ? () => editor.cross() : null,
      Escape: () => editor.letGo(),
    };
    const work = keys[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  });
  editor.ladder.root.addEventListener("focusin", (event) => {
    const word = wordUnder(event);
    if (!word || (word.side === editor.cursor.side && word.index === editor.cursor.focus)) return;
    if (around(event, ":focus-visible")) editor.at(focusAt(editor.cursor, word.side, word.index));
  });
}

/**
 * A word of the prose leads to the same word of the ladder.
 * @param {Editor} editor
 */
export function wireProse(editor) {
  for (const paragraph of Object.values(editor.prose.paragraphs)) {
    paragraph.addEventListener("click", (event) => {
      const word = wordUnder(event);
      if (word && String(getSelection()) === "") editor.pick(word.side, word.index, word.index);
    });
    paragraph.addEventListener("pointerover", (event) => {
      editor.hover(event.pointerType === "touch" ? null : wordUnder(event));
    });
    paragraph.addEventListener("pointerleave", () => editor.hover(null));
  }
}
