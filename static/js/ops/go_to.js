/** The dialog of Ctrl+K: what is typed is asked for after a moment; arrows move through the list. */

import { gettext } from "../shared/texts.js";

const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("go-to"));
const input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
const results = /** @type {HTMLElement} */ (dialog.querySelector("[data-part=results]"));
const opener = /** @type {HTMLElement} */ (document.querySelector("[data-opens-go-to]"));
const MOMENT = 120;
let waiting = 0;
let asked = 0;

async function ask() {
  const number = (asked += 1);
  const response = await fetch(`${input.dataset.url}?q=${encodeURIComponent(input.value)}`).catch(() => null);
  if (number !== asked) return; // something else was typed since
  if (response?.ok && !response.redirected) results.innerHTML = await response.text();
  else results.textContent = gettext("No answer from the server. Try again.");
}

function open() {
  if (!dialog.open) dialog.showModal();
  input.select();
  ask();
}

/** @param {KeyboardEvent} event */
function move(event) {
  const stops = /** @type {HTMLElement[]} */ ([input, ...results.querySelectorAll("a")]);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const here = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    stops[(here + step + stops.length) % stops.length].focus();
    event.preventDefault();
  } else if (event.key === "Enter" && document.activeElement === input) {
    stops[1]?.click();
    event.preventDefault();
  }
}

addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === "KeyK") {
    event.preventDefault();
    open();
  }
});
opener.hidden = false;
opener.addEventListener("click", open);
dialog.addEventListener("keydown", move);
input.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(ask, MOMENT);
});
