/**
 * Forms of ordinary pages: a button that was pressed is not pressed twice, and what was typed outlives the
 * end of a session. On submit the fields are written into this tab's storage; if the server leads to the
 * login instead, they come back after it, to the same person on the same page. Passwords, files and hidden
 * fields are never kept.
 *
 * A field of any kind: selects have options.
 * @typedef {HTMLInputElement
 *   & Partial<Pick<HTMLSelectElement, "options" | "selectedOptions" | "selectedIndex">>} Field
 *
 * Name, value, and whether it is checked or the chosen options.
 * @typedef {[string, string, boolean | string[] | null]} Kept
 *
 * @typedef {{ user?: string, page: string, form: number, action: string, files: boolean, fields: Kept[],
 *   interrupted?: boolean }} KeptForm
 */

import { gettext } from "./texts.js";

const KEPT = "paragold-form";
const LEFT_OUT = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);
const page = () => location.pathname + location.search;
const { user } = document.body.dataset;
/** The login page, and the one that says that a form could not be checked. */
const interruption = document.body.dataset.interruption !== undefined;

/** @returns {KeptForm | null} */
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null; // storage is switched off: the page works as without this file
  }
}

/** @param {KeptForm | null} kept */
function write(kept) {
  try {
    if (kept) sessionStorage.setItem(KEPT, JSON.stringify(kept));
    else sessionStorage.removeItem(KEPT);
  } catch { /* as above, or too large to be kept */ }
}

/** @param {HTMLFormElement} form */
const named = (form) => /** @type {Field[]} */ ([...form.elements]).filter((element) => element.name);

/**
 * The fields to keep, in the order of the form.
 * @param {HTMLFormElement} form @returns {Kept[]}
 */
function fieldsOf(form) {
  return named(form).filter(({ type }) => !LEFT_OUT.has(type)).map((element) => {
    const options = element.selectedOptions && [...element.selectedOptions].map(({ value }) => value);
    return [element.name, element.value, options ?? element.checked ?? null];
  });
}

/**
 * Puts kept fields back, each into the next element of its name.
 * @param {HTMLFormElement} form @param {Kept[]} fields
 */
function fillIn(form, fields) {
  const waiting = named(form).filter(({ type }) => !LEFT_OUT.has(type));
  const choice = (/** @type {Field} */ element) => ["checkbox", "radio"].includes(element.type);
  const shown = (/** @type {Field} */ { value, checked, selectedIndex }) => (
    JSON.stringify([value, checked, selectedIndex]));
  for (const [name, value, chosen] of fields) {
    const index = waiting.findIndex((element) => (
      element.name === name && (!choice(element) || element.value === value)));
    if (index < 0) continue;
    const [element] = waiting.splice(index, 1);
    const before = shown(element);
    if (element.options && Array.isArray(chosen)) {
      for (const option of element.options) option.selected = chosen.includes(option.value);
    } else if (choice(element)) element.checked = chosen === true;
    else element.value = value;
    if (shown(element) === before) continue;
    const folded = element.closest("details");
    if (folded) folded.open = true;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/** @param {HTMLFormElement} form */
function keep(form) {
  const files = named(form).some(({ type, files: chosen }) => type === "file" && Boolean(chosen?.length));
  const index = [...document.forms].indexOf(form);
  write({ user, page: page(), form: index, action: form.action, files, fields: fieldsOf(form) });
}

/** @param {KeptForm} kept */
function restore({ form: index, action, files, fields }) {
  const form = document.forms[index];
  if (form?.action !== action) return;
  fillIn(form, fields);
  const again = fields.length
    ? gettext("The form is filled in as you left it: look it over, and send it again.")
    : gettext("Press the button again.");
  const chosen = files ? ` ${gettext("Files cannot be kept: choose them again.")}` : "";
  say(form, `${gettext("You were logged out, and nothing was sent.")} ${again}${chosen}`);
}

/** @param {HTMLFormElement} form @param {string} text */
function say(form, text) {
  const note = document.createElement("p");
  note.className = "message info";
  note.setAttribute("role", "status");
  note.tabIndex = -1;
  note.textContent = text;
  form.prepend(note);
  note.focus();
}

function begin() {
  const kept = read();
  if (!kept) return;
  if (interruption) {
    write({ ...kept, interrupted: true });
    /** @type {HTMLElement | null} */
    const note = document.querySelector("[data-kept]");
    if (note) note.hidden = false;
  } else if (!kept.interrupted || kept.user !== user) {
    write(null); // it was sent, or it is another person's
  } else if (kept.page === page()) {
    write(null);
    restore(kept);
  }
}

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (event.defaultPrevented || form.method !== "post" || interruption) return;
  if (form.hasAttribute("data-logout")) return write(null);
  keep(form);
  // Not before the browser has read the form, the pressed button among it.
  if (!form.elements.namedItem("form_token")) return;
  setTimeout(() => lock(form, true));
  setTimeout(() => lock(form, false), 10_000); // whoever stopped the page from loading sends it again
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const form of document.forms) lock(form, false);
});

/** @param {HTMLFormElement} form @param {boolean} locked */
function lock(form, locked) {
  for (const button of form.querySelectorAll("button")) {
    if (locked && !button.disabled) button.dataset.locked = "";
    else if (locked || !("locked" in button.dataset)) continue;
    else delete button.dataset.locked;
    button.disabled = locked;
  }
}

begin();

// A number that somebody has typed, or is about to type, is not replaced by a suggestion that comes later.
document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement) target.dataset.typed = "";
});
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { detail } = /** @type {CustomEvent<{ target: Element, shouldSwap: boolean }>} */ (event);
  const { target } = detail;
  if (!(target instanceof HTMLInputElement)) return;
  if ("typed" in target.dataset || target === document.activeElement) detail.shouldSwap = false;
});
