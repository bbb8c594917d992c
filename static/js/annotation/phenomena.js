/**
 * The second step where a batch asks for phenomena: a label with data-counts opens the counters first, and
 * the answer goes to the page, with the counts, when they are saved. Nothing is answered when the dialog is
 * left otherwise.
 */

import { around, find } from "../shared/page.js";

const dialog = find("#phenomena", HTMLDialogElement);
const counters = [...dialog.querySelectorAll("input")];
/** @type {string | undefined} */
let label;

/**
 * What a key does to the counter at `index` of `total`; null for a key that is none of ours.
 * @param {string} key @param {number} index @param {number} total
 * @returns {{ count?: number, focus?: number } | null}
 */
function keyOnCounter(key, index, total) {
  if (/^[0-9]$/.test(key)) return { count: Number(key) };
  if (key === "ArrowRight") return { focus: Math.min(index + 1, total - 1) };
  if (key === "ArrowLeft") return { focus: Math.max(index - 1, 0) };
  return null;
}

/** @param {HTMLElement} button */
function open(button) {
  label = button.dataset.label;
  for (const counter of counters) counter.value = "0";
  dialog.returnValue = "";
  dialog.showModal();
  focus(0);
}

/** @param {number} index */
function focus(index) {
  counters[index].focus();
  counters[index].select();
}

// Before the page's own listener hears of it.
addEventListener("click", (event) => {
  const button = around(event, "button[data-counts]:not(:disabled)");
  if (!button) return;
  event.stopPropagation();
  open(button);
}, { capture: true });

dialog.addEventListener("keydown", (event) => {
  const index = counters.findIndex((counter) => counter === event.target);
  if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const does = keyOnCounter(event.key, index, counters.length);
  if (!does) return;
  event.preventDefault();
  if (does.count !== undefined) counters[index].value = String(does.count);
  focus(does.focus ?? index);
});

dialog.addEventListener("close", () => {
  if (dialog.returnValue !== "save") return;
  const phenomena = Object.fromEntries(counters.map((counter) => [counter.name, counter.valueAsNumber]));
  const detail = { label, skipped: false, phenomena };
  document.dispatchEvent(new CustomEvent("paragold:answer", { detail }));
});
