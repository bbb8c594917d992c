/**
 * Pages with an upload: a file is chosen or dropped anywhere on the page. One that is not small is sent with
 * a bar that says how far it is, and the form stays when something is wrong. Without this file the form sends
 * it by itself.
 */

import { announce } from "../shared/announce.js";
import { action, find, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";
import { dropped, howFar } from "./drop.js";

const form = find("form[data-at-once]", HTMLFormElement);
const fileField = find('[name="file"]', HTMLInputElement, form);
/** @type {XMLHttpRequest | null} */
let sending = null;

/**
 * Send the form, which `fetch` would do without saying how far it is. Rejects when there is no answer.
 * @param {FormData} body @param {(sent: number) => void} progress
 * @returns {Promise<XMLHttpRequest>}
 */
const send = (body, progress) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  sending = request;
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.upload.onprogress = ({ loaded }) => progress(loaded);
  request.onload = () => resolve(request);
  request.onerror = () => reject(new Error(gettext("No answer from the server.")));
  request.onabort = () => reject(new Error(gettext("The upload is stopped.")));
  request.send(body);
});

/** @param {File} file */
function reporter(file) {
  const bar = part("bar", HTMLProgressElement);
  const began = performance.now();
  return (/** @type {number} */ sent) => {
    part("sending").hidden = false;
    bar.max = file.size;
    bar.value = Math.min(sent, file.size);
    const seconds = (performance.now() - began) / 1000;
    part("far").textContent = howFar({ sent: bar.value, total: file.size, seconds });
  };
}

/** @param {string} problem */
function tell(problem) {
  const place = part("problem");
  place.hidden = !problem;
  place.textContent = problem;
}

/**
 * What a page says is wrong: at its fields, else in its first paragraph.
 * @param {Document} page
 */
function problems(page) {
  const found = [...page.querySelectorAll(".errorlist li, .message.error")].map((item) => {
    const label = item.closest(".field")?.querySelector("label")?.textContent ?? "";
    return `${label && `${label}: `}${item.textContent?.trim()}`;
  });
  return found.join(" ")
    || (page.querySelector("main .lede")?.textContent ?? gettext("The server gave no result."));
}

/**
 * The address that the answer leads to, "" for a page that has kept the file: then the form is sent without.
 * @param {XMLHttpRequest} answer
 */
function outcome(answer) {
  if (answer.getResponseHeader("Content-Type")?.startsWith("application/json")) {
    const { address, detail } = JSON.parse(answer.responseText);
    if (!address) throw new Error(detail);
    return address;
  }
  const page = new DOMParser().parseFromString(answer.responseText, "text/html");
  const kept = /** @type {HTMLInputElement | null} */ (page.querySelector('form [name="upload"]'))?.value;
  if (!kept) throw new Error(problems(page));
  const tokenField = find('[name="upload"]', HTMLInputElement, form);
  tokenField.value = kept;
  tokenField.disabled = false;
  fileField.disabled = true;
  return "";
}

form.addEventListener("submit", async (event) => {
  const pressed = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
  const file = fileField.files?.[0];
  if (!file || fileField.disabled || file.size <= Number(form.dataset.atOnce)) return;
  event.preventDefault();
  tell("");
  const body = new FormData(form);
  if (pressed?.name) body.append(pressed.name, pressed.value);
  const button = part("submit", HTMLButtonElement);
  button.disabled = true;
  try {
    const address = outcome(await send(body, reporter(file)));
    announce(part("far"), gettext("The file is uploaded."));
    button.disabled = false;
    if (address) location.assign(address);
    else form.requestSubmit(pressed);
  } catch (error) {
    part("sending").hidden = true;
    const { message } = /** @type {Error} */ (error);
    tell(`${message} ${gettext("Press the button again to send the file again.")}`);
    button.disabled = false;
  }
});

action("stop").addEventListener("click", () => sending?.abort());

const zone = part("drop");
addEventListener("dragover", (event) => {
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  zone.classList.add("over");
});
addEventListener("dragleave", ({ relatedTarget }) => {
  if (!relatedTarget) zone.classList.remove("over");
});
addEventListener("drop", (event) => {
  zone.classList.remove("over");
  if (!event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  if (fileField.disabled) return;
  const { file, problem } = dropped(event.dataTransfer);
  tell(problem);
  if (!file) return;
  fileField.files = event.dataTransfer.files;
  fileField.focus();
});
