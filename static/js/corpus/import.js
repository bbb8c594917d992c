/**
 * Pages with an upload: a file is chosen or dropped anywhere on the page; one that is not small goes in
 * pieces, with a bar that says how far it is. Without this file the form sends it in one request.
 */

import { announce } from "../shared/announce.js";
import { csrfToken } from "../shared/api.js";
import { action, find, part } from "../shared/page.js";
import { dropped, howFar } from "./drop.js";
import { sendInPieces } from "./pieces.js";

const form = find("form[data-uploads]", HTMLFormElement);
const fileField = find('[name="file"]', HTMLInputElement, form);
const tokenField = find('[name="upload"]', HTMLInputElement, form);
const encoding = () => /** @type {HTMLInputElement} */ (form.elements.namedItem("encoding")).value;
const { uploads = "" } = form.dataset;
/** @type {XMLHttpRequest | null} */
let sending = null;

/** @param {number} status @param {any} data @returns {import("./pieces.js").UploadError} */
function refusal(status, data) {
  const final = status === 507 || (status > 0 && status < 500 && status !== 409 && status !== 429);
  const message = data.detail ?? Object.values(data).flat()[0] ?? `The server answered ${status}.`;
  return Object.assign(new Error(message), { final });
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * A request, which `fetch` would send without saying how far it is.
 * @param {string} method @param {string} url @param {Blob | string} [body]
 * @param {(sent: number) => void} [progress]
 * @returns {Promise<import("./pieces.js").Upload>}
 */
const ask = (method, url, body, progress) => new Promise((resolve, reject) => {
  const request = new XMLHttpRequest();
  sending = request;
  request.open(method, url);
  request.setRequestHeader("Accept", "application/json");
  request.setRequestHeader("X-CSRFToken", csrfToken());
  const type = typeof body === "string" ? "application/json" : "application/octet-stream";
  if (body !== undefined) request.setRequestHeader("Content-Type", type);
  request.upload.onprogress = ({ loaded }) => progress?.(loaded);
  request.onload = () => {
    const data = parsed(request.responseText);
    // A session that has ended leads to the login page, which is no answer.
    if (request.status >= 200 && request.status < 300 && data.token) resolve(data);
    else reject(refusal(request.status, data));
  };
  request.onerror = () => reject(refusal(0, { detail: "No answer from the server." }));
  request.onabort = () => reject(refusal(400, { detail: "The upload is stopped." }));
  request.send(body);
});

/** @type {import("./pieces.js").Server} */
const server = {
  begin: ({ name, size }) => (
    ask("POST", uploads, JSON.stringify({ filename: name, size, encoding: encoding() }))),
  ask: (token) => ask("GET", `${uploads}${token}/`),
  add: (token, offset, piece, progress) => (
    ask("PUT", `${uploads}${token}/?offset=${offset}`, piece, progress)),
};

/** @param {File} file */
function reporter(file) {
  const bar = part("bar", HTMLProgressElement);
  let began = 0;
  let first = 0;
  return (/** @type {{ received: number, waiting: boolean }} */ { received, waiting }) => {
    if (!began) [began, first] = [performance.now(), received];
    part("sending").hidden = false;
    bar.max = file.size;
    bar.value = received;
    const seconds = (performance.now() - began) / 1000;
    const done = howFar({ sent: received, total: file.size, first, seconds });
    part("far").textContent = waiting ? `${done}. No answer from the server; trying again.` : done;
  };
}

/** @param {string} problem */
function tell(problem) {
  const place = part("problem");
  place.hidden = !problem;
  place.textContent = problem;
}

form.addEventListener("submit", async (event) => {
  const pressed = /** @type {SubmitEvent} */ (event).submitter;
  const file = fileField.files?.[0];
  if (!file || fileField.disabled || file.size <= Number(form.dataset.atOnce)) return;
  event.preventDefault();
  tell("");
  const button = part("submit", HTMLButtonElement);
  button.disabled = true;
  try {
    const token = await sendInPieces(file, {
      server, kept: localStorage, report: reporter(file),
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    announce(part("far"), "The file is uploaded.");
    tokenField.value = token;
    tokenField.disabled = false;
    fileField.disabled = true;
    button.disabled = false;
    form.requestSubmit(pressed);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    part("sending").hidden = true;
    tell(`${message} Press the button again to continue where it stopped.`);
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
