/**
 * Dragging headlines onto a group (anything with data-drop): a mouse takes hold anywhere on a headline, a finger or pen at
 * its grip, so that the rest of the page scrolls as ever.
 */

import { NONE } from "./partition.js";

const START = 6; // pixels before a press becomes a drag
const EDGE = 72; // pixels from the window's edges within which the page scrolls along
const SCROLL = 12; // pixels a frame

/** What data-drop names: a group's number, NONE, "new", or null for open. */
export function groupOf(drop) {
  if (drop === "open") return null;
  return drop === "new" ? drop : Number(drop) || NONE;
}

/** How far to scroll while the pointer is at `y` in a window of this height. */
export function scrollStep(y, height) {
  if (y < EDGE) return -SCROLL;
  return y > height - EDGE ? SCROLL : 0;
}

export function wireDragging(board) {
  const { root } = board;
  let drag = null;

  function stop() {
    if (!drag) return;
    drag.ghost?.remove();
    root.classList.remove("dragging");
    for (const number of drag.chosen ?? []) rowOf(number)?.classList.remove("dragged");
    drag.over?.classList.remove("over");
    drag = null;
  }

  const rowOf = (number) => root.querySelector(`.headline[data-number="${number}"]`);

  function begin({ x, y }) {
    drag.chosen = board.selected.has(drag.number) ? [...board.selected].sort((p, q) => p - q) : [drag.number];
    drag.ghost = document.createElement("div");
    drag.ghost.className = "ghost";
    drag.ghost.textContent = drag.chosen.length > 1 ? `${drag.chosen.length} headlines` : rowOf(drag.number).querySelector("bdi").textContent;
    root.append(drag.ghost);
    root.classList.add("dragging");
    for (const number of drag.chosen) rowOf(number).classList.add("dragged");
    Object.assign(drag, { x, y });
    requestAnimationFrame(follow);
  }

  /** Once a frame: the ghost follows, the place under the pointer is marked, the page scrolls at its edges. */
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
    const row = event.target.closest(".headline");
    if (!row || event.button !== 0 || (event.pointerType !== "mouse" && !event.target.closest(".grip"))) return;
    drag = { id: event.pointerId, number: Number(row.dataset.number), from: { x: event.clientX, y: event.clientY } };
  });
  addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const at = { x: event.clientX, y: event.clientY };
    if (drag.ghost) Object.assign(drag, at);
    else if (Math.hypot(at.x - drag.from.x, at.y - drag.from.y) >= START) begin(at);
  });
  addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { ghost, chosen } = drag;
    const over = ghost && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]");
    stop();
    if (!ghost) return;
    // The click that ends a drag picks nothing; where none comes, none is waited for.
    const swallow = (click) => click.stopPropagation();
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
