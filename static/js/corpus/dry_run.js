/** The dry run's page: sliders and switches write into the form's fields, and the projected yield follows the
 * fields: at once where the pairs at hand tell it, and after counting again where they do not. */

import { counting, sendForm } from "./counting.js";
import {
  beyondCounted, countAdmitted, otherOptions, parseRatio, parseThresholds, project, sameThresholds, thresholdsOf,
} from "./projection.js";

const form = document.querySelector("[data-part=thresholds]");
const part = (name, root = document) => root.querySelector(`[data-part=${name}]`);
const sliders = (root = form) => [...root.querySelectorAll("[data-parameter]")];
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const isRatio = (name) => name.endsWith("_ratio");
const UNITS = ["bytes", "KB", "MB", "GB", "TB"];
let numbers = JSON.parse(document.getElementById("numbers").textContent);
let asked = "";
let countedFor = "";

const server = counting({ send: (signal) => sendForm(form, signal), show: take, fail: (error) => tell(error.message) });

function tell(text) {
  part("status").textContent = text;
}

function size(bytes) {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)));
  return `${(bytes / 1024 ** power).toFixed(power ? 1 : 0)}\u00a0${UNITS[power]}`;
}

/** Where a slider stands for the text of its field; the far end for no limit. */
function place(slider) {
  const text = form.elements[slider.dataset.parameter].value.trim();
  const ratio = isRatio(slider.dataset.parameter) ? parseRatio(text) : null;
  if (ratio) return Math.round((100 * ratio[0]) / ratio[1]);
  return /^[0-9]+$/.test(text) ? Number(text) : Number(slider.max);
}

/** What the field of a slider says when it is moved. */
function textOf(slider) {
  if ("open" in slider.dataset && slider.value === slider.max) return "none";
  return isRatio(slider.dataset.parameter) ? (slider.value / 100).toFixed(2) : slider.value;
}

function showControls() {
  for (const slider of sliders()) {
    const { value } = form.elements[slider.dataset.parameter];
    slider.value = place(slider);
    slider.nextElementSibling.textContent = value || "none";
    slider.setAttribute("aria-valuetext", value || "none");
  }
  for (const box of form.querySelectorAll("[data-switch]")) box.checked = form.elements[box.dataset.switch].value === box.dataset.on;
}

function show() {
  showControls();
  server.cancel();
  const texts = Object.fromEntries(new FormData(form));
  const thresholds = parseThresholds(texts);
  if (!thresholds) {
    tell("A parameter cannot be read.");
    return;
  }
  const options = otherOptions(texts, numbers.counted);
  const beyond = beyondCounted(thresholds, numbers.counted).length > 0;
  const counted = !options && sameThresholds(thresholds, thresholdsOf(numbers.asked));
  if (!options) {
    const { pairs, low, high } = counted ? numbers.expected : project(countAdmitted(numbers, thresholds), numbers);
    part("pairs").textContent = whole.format(pairs);
    if (part("interval")) part("interval").textContent = `${whole.format(low)} – ${Number.isFinite(high) ? whole.format(high) : "?"}`;
    part("disk").textContent = size(pairs * numbers.bytesAPair);
  }
  asked = JSON.stringify([thresholds, options]);
  const estimated = numbers.weight !== 1; // only a part of the pairs is at hand
  if (counted || (!options && !beyond && !estimated)) tell("");
  else if (asked === countedFor) tell("These thresholds let through more than was counted, so the yield is at least this.");
  else {
    tell("Counting again …");
    server.soon();
  }
}

/** The server has counted: take over its numbers and what it found, and leave the controls in their place. */
function take(page) {
  countedFor = asked;
  numbers = JSON.parse(page.getElementById("numbers").textContent);
  for (const name of ["sample", "yield", "results"]) part(name).replaceWith(document.adoptNode(part(name, page)));
  const others = sliders(page);
  const names = (list) => list.map((slider) => slider.dataset.parameter).join();
  if (names(others) === names(sliders())) {
    for (const [index, slider] of sliders().entries()) [slider.min, slider.max] = [others[index].min, others[index].max];
  } else part("controls").replaceWith(document.adoptNode(part("controls", page))); // another method has other thresholds
  reveal();
}

function reveal() {
  part("controls").hidden = false;
  show();
}

form.addEventListener("input", ({ target }) => {
  const { parameter, switch: name, on, off } = target.dataset;
  if (parameter) form.elements[parameter].value = textOf(target);
  else if (name) form.elements[name].value = target.checked ? on : off;
  else if (!(target.name in numbers.counted)) return;
  show();
});
reveal();
