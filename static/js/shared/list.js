/**
 * Long lists: select all rows of a page, a range of them (Shift) or those of all pages, say how many are
 * selected, and keep the row that is left by a link, so that the way back leads to it and focuses it. Without
 * this file the checkboxes, the buttons and the links work as they are.
 */

import { range, selectedWords } from "./selection.js";
import { gettext } from "./texts.js";

/** @param {HTMLFormElement} form */
function watch(form) {
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[name=chosen]")]);
  const all = /** @type {HTMLInputElement} */ (form.querySelector("[data-all]"));
  const words = /** @type {HTMLElement} */ (form.querySelector("[data-selected]"));
  const every = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=all]"));
  let last = -1;

  function show() {
    // With the rows of all pages those of this page need no choice of their own.
    for (const box of [all, ...boxes]) box.disabled = Boolean(every?.checked);
    if (every?.checked) for (const box of boxes) box.checked = true;
    const count = boxes.filter(({ checked }) => checked).length;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    words.textContent = every?.checked
      ? gettext("%(rows)s: selected", { rows: every.labels?.[0].textContent?.trim() ?? "" })
      : selectedWords(count, form.dataset.noun ?? "row", form.dataset.plural);
    form.classList.toggle("some", count > 0);
  }

  all.hidden = false;
  every?.addEventListener("change", () => {
    if (!every.checked) for (const box of boxes) box.checked = false;
    show();
  });
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const [place, box] of boxes.entries()) {
    box.addEventListener("click", (event) => {
      if (event.shiftKey && last >= 0) for (const one of range(last, place)) boxes[one].checked = box.checked;
      last = place;
      show();
    });
  }
  addEventListener("pageshow", show); // the browser may have kept what was selected
  show();
}

for (const form of document.querySelectorAll("form.bulk-list")) watch(/** @type {HTMLFormElement} */ (form));

addEventListener("pageshow", () => {
  const row = location.hash.startsWith("#row-") && document.getElementById(location.hash.slice(1));
  if (row) row.focus();
});

addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[id^=row-]");
  if (link) history.replaceState(history.state, "", `#${link.id}`);
});
