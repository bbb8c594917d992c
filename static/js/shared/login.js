/** Logging in again on the page itself: nothing that is on the screen or waits to be sent is lost. */

import { readCookie } from "./api.js";

let resume = () => {};
let dismissed = false;

/**
 * Opens the dialog when the API answers that nobody is logged in, and calls onLoggedIn() after the login. Once it has
 * been closed without one, a notice offers it instead: nobody is interrupted twice.
 */
export function offerLogin(onLoggedIn) {
  resume = onLoggedIn;
  const dialog = document.getElementById("login");
  const form = dialog.querySelector("form");
  document.addEventListener("paragold:logged-out", () => (dismissed ? remind(dialog) : open(dialog)));
  dialog.querySelector("[data-later]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    form.password.value = "";
    if (dialog.returnValue === "in") return;
    dismissed = true;
    remind(dialog);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button.main");
    button.disabled = true;
    const problem = await logIn(form).catch(() => "There is no answer from the server. Try again.");
    button.disabled = false;
    form.querySelector('[role="alert"]').textContent = problem;
    if (problem) return form.password.select();
    dismissed = false;
    document.querySelector('[data-subject="login"]')?.remove();
    dialog.close("in");
    resume();
  });
}

/** "" when somebody is logged in now, else what went wrong. The server refuses what another person's page sends. */
async function logIn(form) {
  const page = await fetch(form.action, { redirect: "manual" }); // brings the cookie that the login itself needs
  if (page.type === "opaqueredirect") {
    await fetch(location.href); // logged in already, in another tab: this page brings its cookie
    return "";
  }
  const body = new URLSearchParams({ username: form.username.value, password: form.password.value });
  const headers = { "X-CSRFToken": readCookie(document.cookie, "csrftoken") };
  const { type, status } = await fetch(form.action, { method: "POST", body, headers, redirect: "manual" });
  if (type === "opaqueredirect") return "";
  if (status === 429) return "Too many failed logins. Wait some minutes, then try again.";
  return status === 422 ? "The password is not correct. Try again." : `The server answered ${status}. Try again.`;
}

function open(dialog) {
  if (dialog.open) return;
  dialog.returnValue = "";
  dialog.showModal();
  dialog.querySelector('[name="password"]').focus();
}

function remind(dialog) {
  const place = document.querySelector('[data-part="notices"]');
  if (place.querySelector('[data-subject="login"]')) return;
  const notice = document.createElement("div");
  notice.className = "notice";
  notice.dataset.subject = "login";
  notice.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = "You are logged out. What you do is kept in this browser until you log in.";
  const actions = document.createElement("div");
  actions.className = "actions";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Log in";
  button.addEventListener("click", () => open(dialog));
  actions.append(button);
  notice.append(text, actions);
  place.append(notice);
}
