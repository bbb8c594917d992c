/**
 * The dry run's page: sliders and switches write into the form's fields, and the projected yield follows the
 * fields: at once where the pairs at hand tell it, and after counting again where they do not.
 */

import { embedded, find, part } from "../shared/page.js";
import { counting, sendForm } from "./counting.js";
import {
  beyondCounted, countAdmitted, otherOptions, parseRatio, parseThresholds, project, sameThresholds,
  thresholdsOf,
} from "./projection.js";

/**
 * What the server counted: with which settings (`counted`), what is `asked` for of it, and the yield of that.
 * @typedef {import("./projection.js").Counted & { bytesAPair: number,
 *   counted: import("./projection.js").Settings, asked: import("./projection.js").Settings,
 *   expected: { pairs: number, low: number, high: number } }} Numbers
 */

const form = part("thresholds", HTMLFormElement);
/** @param {ParentNode} root */
function sliders(root = form) {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = root.querySelectorAll("input[data-parameter]");
  return [...inputs];
}

/** @param {string | undefined} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name ?? ""));
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
/** @param {string | undefined} name */
const isRatio = (name) => Boolean(name?.endsWith("_ratio"));
const UNITS = ["bytes", "KB", "MB", "GB", "TB"];
/** @type {Numbers} */
let numbers = embedded("numbers");
let asked = "";
let countedFor = "";

const server = counting({
  send: (signal) => sendForm(form, signal), show: take, fail: (error) => tell(error.message),
});

/** @param {string} text */
function tell(text) {
  part("status").textContent = text;
}

/** @param {number} bytes */
function size(bytes) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(power ? 1 : 0)}\u00a0${UNITS[power]}`;
}

/**
 * Where a slider stands for the text of its field; the far end for no limit.
 * @param {HTMLInputElement} slider
 */
function place(slider) {
  const text = field(slider.dataset.parameter).value.trim();
  const ratio = isRatio(slider.dataset.parameter) ? parseRatio(text) : null;
  if (ratio) return Math.round((100 * ratio[0]) / ratio[1]);
  return /^[0-9]+$/.test(text) ? Number(text) : Number(slider.max);
}

/**
 * What the field of a slider says when it is moved.
 * @param {HTMLInputElement} slider
 */
function textOf(slider) {
  if ("open" in slider.dataset && slider.value === slider.max) return "none";
  return isRatio(slider.dataset.parameter) ? (slider.valueAsNumber / 100).toFixed(2) : slider.value;
}

function showControls() {
  for (const slider of sliders()) {
    const { value } = field(slider.dataset.parameter);
    slider.value = String(place(slider));
    if (slider.nextElementSibling) slider.nextElementSibling.textContent = value || "none";
    slider.setAttribute("aria-valuetext", value || "none");
  }
  /** @type {NodeListOf<HTMLInputElement>} */
  const switches = form.querySelectorAll("input[data-switch]");
  for (const box of switches) box.checked = field(box.dataset.switch).value === box.dataset.on;
}

function show() {
  showControls();
  server.cancel();
  /** @type {import("./projection.js").Texts} */
  const texts = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const thresholds = parseThresholds(texts);
  if (!thresholds) {
    tell("A parameter cannot be read.");
    return;
  }
  const options = otherOptions(texts, numbers.counted);
  const beyond = beyondCounted(thresholds, numbers.counted).length > 0;
  const before = thresholdsOf(numbers.asked);
  const counted = !options && before !== null && sameThresholds(thresholds, before);
  if (!options) {
    const projected = counted ? numbers.expected : project(countAdmitted(numbers, thresholds), numbers);
    const { pairs, low, high } = projected;
    part("pairs").textContent = whole.format(pairs);
    const interval = document.querySelector('[data-part="interval"]');
    const highest = Number.isFinite(high) ? whole.format(high) : "?";
    if (interval) interval.textContent = `${whole.format(low)} – ${highest}`;
    part("disk").textContent = size(pairs * numbers.bytesAPair);
  }
  asked = JSON.stringify([thresholds, options]);
  const estimated = numbers.weight !== 1; // only a part of the pairs is at hand
  if (counted || (!options && !beyond && !estimated)) tell("");
  else if (asked === countedFor) {
    tell("These thresholds let through more than was counted, so the yield is at least this.");
  } else {
    tell("Counting again …");
    server.soon();
  }
}

/**
 * The server has counted: take over its numbers and what it found, and leave the controls in their place.
 * @param {Document} page
 */
function take(page) {
  countedFor = asked;
  numbers = embedded("numbers", page);
  const takeOver = (/** @type {string} */ name) => (
    part(name).replaceWith(document.adoptNode(part(name, HTMLElement, page))));
  for (const name of ["sample", "yield", "results"]) takeOver(name);
  const others = sliders(page);
  /** @param {HTMLInputElement[]} inputs */
  const names = (inputs) => inputs.map(({ dataset }) => dataset.parameter).join();
  if (names(others) === names(sliders())) {
    for (const [index, slider] of sliders().entries()) {
      const { min, max } = others[index];
      Object.assign(slider, { min, max });
    }
  } else takeOver("controls"); // another method has other thresholds
  reveal();
}

function reveal() {
  part("controls").hidden = false;
  show();
}

form.addEventListener("input", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const { parameter, switch: name, on = "", off = "" } = target.dataset;
  if (parameter) field(parameter).value = textOf(target);
  else if (name) field(name).value = target.checked ? on : off;
  else if (!(target.name in numbers.counted)) return;
  show();
});
reveal();
