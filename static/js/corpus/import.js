/** The import form: files that are too large for one request go in pieces, with a bar that says how far. */

import { announce } from "../shared/announce.js";
import { readCookie } from "../shared/api.js";
import { sendInPieces } from "./pieces.js";

const form = document.querySelector("form[data-uploads]");
const part = (name) => form.querySelector(`[data-part=${name}]`);
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const megabytes = (bytes) => `${whole.format(Math.ceil(bytes / 2 ** 20))}\u00a0MB`;

async function answered(url, options) {
  const headers = { Accept: "application/json", "X-CSRFToken": readCookie(document.cookie, "csrftoken"), ...options.headers };
  const response = await fetch(url, { credentials: "same-origin", ...options, headers });
  const data = await response.json().catch(() => ({}));
  if (response.ok && !response.redirected) return data;
  const error = new Error(data.detail ?? Object.values(data).flat()[0] ?? `The server answered ${response.status}.`);
  const full = response.status === 507;
  error.final = full || (response.status < 500 && response.status !== 409 && response.status !== 429);
  throw error;
}

const uploads = form.dataset.uploads;
const server = {
  begin: (file) => answered(uploads, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ filename: file.name, size: file.size, encoding: form.elements.encoding.value }),
  }),
  ask: (token) => answered(`${uploads}${token}/`, { method: "GET" }),
  add: (token, offset, piece) => answered(`${uploads}${token}/?offset=${offset}`, {
    method: "PUT", headers: { "Content-Type": "application/octet-stream" }, body: piece,
  }),
};

function show(file, { received, waiting }) {
  part("sending").hidden = false;
  part("bar").max = file.size;
  part("bar").value = received;
  const done = `${megabytes(received)} of ${megabytes(file.size)} sent`;
  part("far").textContent = waiting ? `${done}. No answer from the server; trying again.` : done;
}

form.addEventListener("submit", async (event) => {
  const file = form.elements.file.files[0];
  if (!file || file.size <= Number(form.dataset.atOnce)) return;
  event.preventDefault();
  const button = part("submit");
  button.disabled = true;
  try {
    const token = await sendInPieces(file, {
      server, kept: localStorage, tell: (state) => show(file, state),
      pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    });
    announce(part("far"), "All of it is sent.");
    form.elements.upload.value = token;
    form.elements.upload.disabled = false;
    form.elements.file.disabled = true;
    form.submit();
  } catch (error) {
    part("sending").hidden = false;
    announce(part("far"), `${error.message} Choose the same file again to go on where it stopped.`);
    button.disabled = false;
  }
});
