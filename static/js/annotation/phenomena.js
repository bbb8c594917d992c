/**
 * The second step where a batch asks for phenomena: a label with data-counts opens the counters first, and the answer
 * goes to the page, with the counts, when they are saved. Nothing is answered when the dialog is left otherwise.
 */

const dialog = document.getElementById("phenomena");
const counters = [...dialog.querySelectorAll("input")];
let label = null;

/** What a key does to the counter at `index` of `total`: {count}, {focus}, or null for a key that is none of ours. */
function keyOnCounter(key, index, total) {
  if (/^[0-9]$/.test(key)) return { count: Number(key) };
  if (key === "ArrowRight") return { focus: Math.min(index + 1, total - 1) };
  if (key === "ArrowLeft") return { focus: Math.max(index - 1, 0) };
  return null;
}

function open(button) {
  label = button.dataset.label;
  for (const counter of counters) counter.value = "0";
  dialog.returnValue = "";
  dialog.showModal();
  focus(0);
}

function focus(index) {
  counters[index].focus();
  counters[index].select();
}

// Before the page's own listener hears of it.
addEventListener("click", (event) => {
  const button = event.target.closest?.("button[data-counts]");
  if (!button || button.disabled) return;
  event.stopPropagation();
  open(button);
}, { capture: true });

dialog.addEventListener("keydown", (event) => {
  const index = counters.indexOf(event.target);
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
  document.dispatchEvent(new CustomEvent("paragold:answer", { detail: { label, skipped: false, phenomena } }));
});
