/** Passkeys: a form asks the browser for one, and sends what it answers. */

import { find } from "./page.js";
import { gettext } from "./texts.js";

/** @typedef {{ publicKey: any }} Options */

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-passkey]"))) {
  find("button", HTMLButtonElement, form).addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      const credential = await (form.dataset.passkey === "create" ? create(form) : use(form));
      if (!credential) throw new Error("no passkey");
      const answer = /** @type {any} */ (credential).toJSON();
      find('[name="credential"]', HTMLInputElement, form).value = JSON.stringify(answer);
      form.submit();
    } catch {
      const text = gettext(
        "The browser gave no passkey. It needs https, and may have been cancelled. Try again.",
      );
      find('[role="alert"]', HTMLElement, form).textContent = text;
    }
  });
}

/**
 * What the server asks of a passkey: on the page, or at the address of the form for people not known yet.
 * @param {HTMLFormElement} form
 * @returns {Promise<{ creation_options: Options, request_options: Options }>}
 */
async function asked(form) {
  const onPage = document.querySelector("#passkey-options");
  if (onPage) return JSON.parse(onPage.textContent ?? "");
  return (await fetch(form.action, { headers: { Accept: "application/json" } })).json();
}

/** @param {HTMLFormElement} form */
async function create(form) {
  const { publicKey } = (await asked(form)).creation_options;
  const alone = form.querySelector('[name="passwordless"]');
  if (alone instanceof HTMLInputElement && alone.checked) {
    const chosen = { residentKey: "required", requireResidentKey: true, userVerification: "required" };
    Object.assign(publicKey.authenticatorSelection, chosen);
  }
  const parse = /** @type {any} */ (PublicKeyCredential).parseCreationOptionsFromJSON;
  return navigator.credentials.create({ publicKey: parse.call(PublicKeyCredential, publicKey) });
}

/** @param {HTMLFormElement} form */
async function use(form) {
  const { publicKey } = (await asked(form)).request_options;
  const parse = /** @type {any} */ (PublicKeyCredential).parseRequestOptionsFromJSON;
  return navigator.credentials.get({ publicKey: parse.call(PublicKeyCredential, publicKey) });
}
