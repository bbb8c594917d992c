/** The import form: files that are too large for one request go in pieces, with a bar that says how far. */

import { announce } from "../shared/announce.js";
import { readCookie } from "../shared/api.js";
import { find, part } from "../shared/page.js";
import { sendInPieces } from "./pieces.js";

const form = find("form[data-uploads]", HTMLFormElement);
const fileField = find('[name="file"]', HTMLInputElement, form);
const tokenField = find('[name="upload"]', HTMLInputElement, form);
const encoding = () => /** @type {HTMLInputElement} */ (form.elements.namedItem("encoding")).value;
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
/** @param {number} bytes */
const megabytes = (bytes) => `${whole.format(Math.ceil(bytes / 2 ** 20))}\u00a0MB`;

/** @param {string} url @param {RequestInit} options @returns {Promise<import("./pieces.js").Upload>} */
async function answered(url, options) {
  const token = readCookie(document.cookie, "csrftoken");
  const headers = { Accept: "application/json", "X-CSRFToken": token, ...options.headers };
  const response = await fetch(url, { credentials: "same-origin", ...options, headers });
  const data = await response.json().catch(() => ({}));
  if (response.ok && !response.redirected) return data;
  const { status } = response;
  const final = status === 507 || (status < 500 && status !== 409 && status !== 429);
  const message = data.detail ?? Object.values(data).flat()[0] ?? `The server answered ${status}.`;
  throw Object.assign(new Error(message), { final });
}

const { uploads = "" } = form.dataset;
/** @type {import("./pieces.js").Server} */
const server = {
  begin: (file) => answered(uploads, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ filename: file.name, size: file.size, encoding: encoding() }),
  }),
  ask: (token) => answered(`${uploads}${token}/`, { method: "GET" }),
  add: (token, offset, piece) => answered(`${uploads}${token}/?offset=${offset}`, {
    method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: piece,
  }),
};

/** @param {File} file @param {{ received: number, waiting: boolean }} state */
function show(file, { received, waiting }) {
  part("sending").hidden = false;
  const bar = part("bar", HTMLProgressElement);
  bar.max = file.size;
  bar.value = received;
  const done = `${megabytes(received)} of ${megabytes(file.size)} sent`;
  part("far").textContent = waiting ? `${done}. No answer from the server; trying again.` : done;
}

form.addEventListener("submit", async (event) => {
  const file = fileField.files?.[0];
  if (!file || file.size <= Number(form.dataset.atOnce)) return;
  event.preventDefault();
  const button = part("submit", HTMLButtonElement);
  button.disabled = true;
  try {
    const token = await sendInPieces(file, {
      server, kept: localStorage, report: (state) => show(file, state),
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    announce(part("far"), "All of it is sent.");
    tokenField.value = token;
    tokenField.disabled = false;
    fileField.disabled = true;
    form.submit();
  } catch (error) {
    part("sending").hidden = false;
    const { message } = /** @type {Error} */ (error);
    announce(part("far"), `${message} Choose the same file again to go on where it stopped.`);
    button.disabled = false;
  }
});
