/**
 * Dragging headlines onto a group (anything with data-drop): a mouse takes hold anywhere on a headline, a
 * finger or pen at its grip, so that the rest of the page scrolls as ever.
 */

import { around, create } from "../shared/page.js";
import { ngettext } from "../shared/texts.js";
import { NONE } from "./partition.js";

const START = 6; // pixels before a press becomes a drag
const EDGE = 72; // pixels from the window's edges within which the page scrolls along
const SCROLL = 12; // pixels a frame

/**
 * What data-drop names: a group's number, NONE, "new", or null for open.
 * @param {string | undefined} drop
 */
export function groupOf(drop) {
  if (drop === "open") return null;
  return drop === "new" ? drop : Number(drop) || NONE;
}

/**
 * How far to scroll while the pointer is at `y` in a window of this height.
 * @param {number} y @param {number} height
 */
export function scrollStep(y, height) {
  if (y < EDGE) return -SCROLL;
  return y > height - EDGE ? SCROLL : 0;
}

/**
 * A press on a headline, which becomes a drag when there is a ghost; x and y are where the pointer is.
 * @typedef {{ id: number, number: number, x: number, y: number, chosen: number[], ghost?: HTMLElement,
 *   over?: Element | null }} Drag
 */

/**
 * @param {{ root: HTMLElement, selected: Set<number>,
 *   put: (group: number | "new" | null, chosen: number[]) => void }} board
 */
export function wireDragging(board) {
  const { root } = board;
  /** @type {Drag | null} */
  let drag = null;

  function stop() {
    if (!drag) return;
    drag.ghost?.remove();
    root.classList.remove("dragging");
    for (const number of drag.chosen) rowOf(number)?.classList.remove("dragged");
    drag.over?.classList.remove("over");
    drag = null;
  }

  /** @param {number} number */
  const rowOf = (number) => root.querySelector(`.headline[data-number="${number}"]`);

  /** @param {Drag} drag */
  function begin(drag) {
    const { number } = drag;
    const chosen = board.selected.has(number) ? [...board.selected].sort((p, q) => p - q) : [number];
    const one = rowOf(number)?.querySelector("bdi")?.textContent ?? "";
    drag.chosen = chosen;
    drag.ghost = create("div", "ghost", chosen.length > 1
      ? ngettext("%(count)s headline", "%(count)s headlines", chosen.length) : one);
    root.append(drag.ghost);
    root.classList.add("dragging");
    for (const number of chosen) rowOf(number)?.classList.add("dragged");
    requestAnimationFrame(follow);
  }

  /**
   * Once a frame: the ghost follows, the place under the pointer is marked, the page scrolls at its edges.
   */
  function follow() {
    if (!drag?.ghost) return;
    const { x, y } = drag;
    drag.ghost.style.transform = `translate(${x + 12}px, ${y + 12}px)`;
    const over = document.elementFromPoint(x, y)?.closest("[data-drop]") ?? null;
    if (over !== drag.over) {
      drag.over?.classList.remove("over");
      over?.classList.add("over");
      drag.over = over;
    }
    const step = scrollStep(y, innerHeight);
    // Over a number at the top the page stands still.
    if (step && !over?.matches("button")) scrollBy(0, step);
    requestAnimationFrame(follow);
  }

  root.addEventListener("pointerdown", (event) => {
    const row = around(event, ".headline");
    if (!row || event.button !== 0 || (event.pointerType !== "mouse" && !around(event, ".grip"))) return;
    const number = Number(row.dataset.number);
    drag = { id: event.pointerId, number, x: event.clientX, y: event.clientY, chosen: [] };
  });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { clientX: x, clientY: y } = event;
    if (!drag.ghost && Math.hypot(x - drag.x, y - drag.y) < START) return;
    Object.assign(drag, { x, y });
    if (!drag.ghost) begin(drag);
  });
  addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { ghost, chosen } = drag;
    /** @type {HTMLElement | null | undefined} */
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]");
    stop();
    if (!ghost) return;
    // The click that ends a drag picks nothing; where none comes, none is waited for.
    const swallow = (/** @type {Event} */ click) => click.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    if (over) board.put(groupOf(over.dataset.drop), chosen);
  });
  addEventListener("pointercancel", stop);
  addEventListener("keydown", (event) => {
    if (drag?.ghost && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      stop();
    }
  }, { capture: true });
}
