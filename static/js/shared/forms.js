/**
 * Forms of ordinary pages: a button that was pressed is not pressed twice, and what was typed outlives the end of a
 * session. On submit the fields are written into this tab's storage; if the server leads to the login instead, they
 * come back after it, to the same person on the same page. Passwords, files and hidden fields are never kept.
 */

const KEPT = "paragold-form";
const LEFT_OUT = new Set(["hidden", "password", "file", "submit", "button", "reset", "image"]);
const page = () => location.pathname + location.search;
const { user } = document.body.dataset;
/** The login page, and the one that says that a form could not be checked. */
const interruption = document.body.dataset.interruption !== undefined;

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT));
  } catch {
    return null; // storage is switched off: the page works as without this file
  }
}

function write(kept) {
  try {
    if (kept) sessionStorage.setItem(KEPT, JSON.stringify(kept));
    else sessionStorage.removeItem(KEPT);
  } catch { /* as above, or too large to be kept */ }
}

const named = (form) => [...form.elements].filter((element) => element.name);

/** [[name, value, checked or the chosen options], ...] in the order of the form. */
function fieldsOf(form) {
  return named(form).filter(({ type }) => !LEFT_OUT.has(type)).map((element) => {
    const chosen = element.selectedOptions ? [...element.selectedOptions].map(({ value }) => value) : element.checked ?? null;
    return [element.name, element.value, chosen];
  });
}

/** Puts kept fields back, each into the next element of its name. */
function fillIn(form, fields) {
  const waiting = named(form).filter(({ type }) => !LEFT_OUT.has(type));
  for (const [name, value, chosen] of fields) {
    const choice = (element) => ["checkbox", "radio"].includes(element.type);
    const index = waiting.findIndex((element) => element.name === name && (!choice(element) || element.value === value));
    if (index < 0) continue;
    const [element] = waiting.splice(index, 1);
    const before = JSON.stringify([element.value, element.checked, element.selectedIndex]);
    if (element.selectedOptions) for (const option of element.options) option.selected = chosen.includes(option.value);
    else if (choice(element)) element.checked = chosen;
    else element.value = value;
    if (JSON.stringify([element.value, element.checked, element.selectedIndex]) === before) continue;
    const folded = element.closest("details");
    if (folded) folded.open = true;
    element.dispatchEvent(new Event("input", { bubbles: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function keep(form) {
  const files = named(form).some(({ type, files: chosen }) => type === "file" && chosen.length > 0);
  write({ user, page: page(), form: [...document.forms].indexOf(form), action: form.action, files, fields: fieldsOf(form) });
}

function restore({ form: index, action, files, fields }) {
  const form = document.forms[index];
  if (form?.action !== action) return;
  fillIn(form, fields);
  say(form, `You were logged out, and nothing was sent. ${fields.length ? "The form is filled in as you left it: look it over, and send it again." : "Press the button again."}${files ? " Files cannot be kept: choose them again." : ""}`);
}

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
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || interruption) return;
  if (form.hasAttribute("data-logout")) return write(null);
  keep(form);
  // Not before the browser has read the form, the pressed button among it.
  if (!form.elements.form_token) return;
  setTimeout(() => lock(form, true));
  setTimeout(() => lock(form, false), 10_000); // whoever stopped the page from loading sends it again
});
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const form of document.forms) lock(form, false);
});

function lock(form, locked) {
  for (const button of form.querySelectorAll("button")) {
    if (locked && !button.disabled) button.dataset.locked = "";
    else if (locked || !("locked" in button.dataset)) continue;
    else delete button.dataset.locked;
    button.disabled = locked;
  }
}

begin();
