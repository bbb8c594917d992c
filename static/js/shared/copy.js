/** Copies the text beside a button; without this file people select it themselves. */

import { announce } from "./announce.js";
import { find, part } from "./page.js";
import { gettext } from "./texts.js";

for (const group of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-copy]"))) {
  const field = find("input", HTMLInputElement, group);
  const button = find("button", HTMLButtonElement, group);
  field.addEventListener("focus", () => field.select());
  // Only pages from https or the own machine may write to the clipboard.
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    announce(part("live"), gettext("Copied."));
    button.textContent = gettext("Copied");
    setTimeout(() => { button.textContent = gettext("Copy"); }, 2000);
  });
}
