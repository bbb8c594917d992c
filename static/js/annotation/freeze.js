/** What a freeze will leave out follows the form: it is counted again after every change. */

import { find } from "../shared/page.js";

/** @type {HTMLFormElement | null} */
const form = document.querySelector("[data-part=freeze]");
const forecast = () => find("[data-part=forecast]", HTMLElement, form ?? document);
/** @type {AbortController | null} */
let running = null;

/** @param {HTMLFormElement} form */

async function count(form) {
  running?.abort();
  running = new AbortController();
  const body = new FormData(form);
  body.set("check", "1");
  forecast().setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(window.location.href, { method: "POST", body, signal: running.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const counted = page.querySelector("[data-part=forecast]");
    if (!counted) throw new Error("no forecast");
    forecast().replaceChildren(...document.adoptNode(counted).childNodes);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return;
    forecast().textContent = "This could not be counted. Press “Count what is left out” to try again.";
  }
  forecast().removeAttribute("aria-busy");
}

form?.addEventListener("change", ({ target }) => {
  if (/** @type {HTMLInputElement} */ (target).name !== "name") count(form);
});
