/**
 * Choosing keys: "Change" takes the next key press; the server checks it and the page shows what is stored.
 */

import { announce } from "../shared/announce.js";
import { request } from "../shared/api.js";
import { chordOf } from "../shared/keyboard.js";
import { around, find, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";

const API = "/api/v1/key-bindings/";
/** @type {HTMLElement | null} */
let recording = null; // the button that waits for a key

/** @param {string} message */
const say = (message) => announce(part("live"), message);
/** @param {Element | null} row */
const nameOf = (row) => row?.querySelector("th")?.textContent?.trim() ?? "";

/**
 * The own keys of a page as the table has them, with `changes` (a null key: the default).
 * @param {Element} section @param {Record<string, string | null>} changes
 */
function ownKeys(section, changes) {
  /** @type {NodeListOf<HTMLElement>} */
  const rows = section.querySelectorAll("[data-binding]");
  const own = Object.fromEntries([...rows].map(({ dataset }) => [dataset.binding, dataset.own]));
  return Object.fromEntries(Object.entries({ ...own, ...changes }).filter(([, key]) => key));
}

/** @param {HTMLElement} button */
function record(button) {
  stop();
  recording = button;
  button.classList.add("recording");
  button.textContent = gettext("Press a key");
  const action = nameOf(button.closest("tr"));
  say(gettext("Press the key for: %(action)s. Escape leaves it as it is.", { action }));
}

function stop() {
  if (!recording) return;
  recording.classList.remove("recording");
  recording.textContent = gettext("Change");
  recording = null;
}

/**
 * Stores the page's own keys and shows the page as it is now; an error leaves everything as it was.
 * @param {HTMLElement} section @param {object} keys @param {string | null} focus
 */
async function store(section, keys, focus) {
  const error = part("error", HTMLElement, section);
  error.hidden = true;
  const unanswered = { detail: gettext("There is no answer from the server; nothing was changed.") };
  const { status, data } = await request(API, { method: "PUT", body: { page: section.dataset.page, keys } })
    .catch(() => ({ status: 0, data: unanswered }));
  if (status !== 200) {
    error.textContent = data?.detail
      ?? gettext("The server answered %(status)s; nothing was changed.", { status });
    error.hidden = false;
    return;
  }
  // The server writes the table: the page is fetched again and its rows are taken over.
  const page = await fetch(location.pathname).then((answer) => answer.text());
  const answer = new DOMParser().parseFromString(page, "text/html");
  const fresh = find(`[data-page="${section.dataset.page}"] tbody`, HTMLElement, answer);
  section.querySelector("tbody")?.replaceWith(fresh);
  /** @type {HTMLTableRowElement | null} */
  const row = focus === null ? null : fresh.querySelector(`[data-binding="${CSS.escape(focus)}"]`);
  if (row) {
    find("[data-record]", HTMLElement, row).focus();
    say(`${nameOf(row)}: ${row.cells[1].textContent?.trim()}.`);
  } else say(gettext("All keys are as by default."));
}

document.addEventListener("click", (event) => {
  const button = around(event, "button");
  const section = around(event, "[data-page]");
  if (!button || !section) return;
  const action = button.closest("tr")?.dataset.binding ?? "";
  if (button.matches("[data-record]")) record(button);
  else if (button.matches("[data-reset]")) store(section, ownKeys(section, { [action]: null }), action);
  else if (button.matches("[data-reset-all]")) store(section, {}, null);
});

// Before the browser or a focused button takes the key.
addEventListener("keydown", (event) => {
  if (!recording || event.isComposing) return;
  const chord = chordOf(event);
  if (!chord) return;
  const row = recording.closest("tr");
  /** @type {HTMLElement | null} */
  const section = recording.closest("[data-page]");
  const { binding = "" } = row?.dataset ?? {};
  if (event.key === "Tab") return stop();
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat) return;
  stop();
  if (event.key === "Escape") return say(gettext("Left as it is."));
  if (section) store(section, ownKeys(section, { [binding]: chord }), binding);
}, { capture: true });

addEventListener("focusout", ({ target }) => { if (target === recording) stop(); });
