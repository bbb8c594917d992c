/** Logging in again on the page itself: nothing that is on the screen or waits to be sent is lost. */

import { csrfToken } from "./api.js";
import { create, find, part } from "./page.js";
import { gettext } from "./texts.js";

let resume = () => {};
let dismissed = false;

/**
 * Opens the dialog when the API answers that nobody is logged in, and calls onLoggedIn() after the login.
 * Once it has been closed without one, a notice offers it instead: nobody is interrupted twice.
 * @param {() => void} onLoggedIn
 */
export function offerLogin(onLoggedIn) {
  resume = onLoggedIn;
  const dialog = find("#login", HTMLDialogElement);
  const form = find("form", HTMLFormElement, dialog);
  const password = find('[name="password"]', HTMLInputElement, form);
  document.addEventListener("paragold:logged-out", () => (dismissed ? remind(dialog) : open(dialog)));
  find("[data-later]", HTMLElement, dialog).addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    password.value = "";
    if (dialog.returnValue === "in") return;
    dismissed = true;
    remind(dialog);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = find("button.main", HTMLButtonElement, form);
    button.disabled = true;
    const problem = await logIn(form).catch(() => gettext("There is no answer from the server. Try again."));
    button.disabled = false;
    find('[role="alert"]', HTMLElement, form).textContent = problem;
    if (problem) return password.select();
    dismissed = false;
    document.querySelector('[data-subject="login"]')?.remove();
    dialog.close("in");
    resume();
  });
}

/**
 * "" when somebody is logged in now, else what went wrong. The server refuses what another person's page
 * sends.
 * @param {HTMLFormElement} form
 */
async function logIn(form) {
  // A page that needs a login brings its cookie, and says whether there was one in another tab meanwhile.
  if (await isLoggedIn()) return "";
  // This brings the cookie that the login itself needs.
  await fetch(form.action, { redirect: "manual" });
  const value = (/** @type {string} */ name) => find(`[name="${name}"]`, HTMLInputElement, form).value;
  const body = new URLSearchParams({ login: value("login"), password: value("password") });
  const headers = { "X-CSRFToken": csrfToken() };
  const { type, status } = await fetch(form.action, { method: "POST", body, headers, redirect: "manual" });
  if (type === "opaqueredirect") {
    return (await isLoggedIn()) ? "" : gettext("Log in in another tab by the second factor, then here.");
  }
  if (status === 429) return gettext("Too many failed logins. Wait some minutes, then try again.");
  if (status === 422) return gettext("The password is not correct. Try again.");
  return gettext("The server answered %(status)s. Try again.", { status });
}

async function isLoggedIn() {
  return (await fetch(location.href, { redirect: "manual" })).type !== "opaqueredirect";
}

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  if (dialog.open) return;
  dialog.returnValue = "";
  dialog.showModal();
  find('[name="password"]', HTMLElement, dialog).focus();
}

/** @param {HTMLDialogElement} dialog */
function remind(dialog) {
  const place = part("notices");
  if (place.querySelector('[data-subject="login"]')) return;
  const notice = create("div", "notice");
  notice.dataset.subject = "login";
  notice.setAttribute("role", "alert");
  const words = gettext("You are logged out. What you do is kept in this browser until you log in.");
  const text = create("p", "", words);
  const actions = create("div", "actions");
  const button = create("button", "", gettext("Log in"));
  button.type = "button";
  button.addEventListener("click", () => open(dialog));
  actions.append(button);
  notice.append(text, actions);
  place.append(notice);
}
