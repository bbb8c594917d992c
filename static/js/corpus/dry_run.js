/**
 * The dry run's page: sliders and switches write into the form's fields, and show what is typed there. The
 * page has the server count again when the form changes (`hx-trigger`).
 */

import { part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";

const form = part("thresholds", HTMLFormElement);
/** @type {NodeListOf<HTMLInputElement>} */
const sliders = form.querySelectorAll("input[data-parameter]");
/** @type {NodeListOf<HTMLInputElement>} */
const switches = form.querySelectorAll("input[data-switch]");

/** @param {string | undefined} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name ?? ""));
/** @param {HTMLInputElement} slider */
const isRatio = ({ dataset }) => Boolean(dataset.parameter?.endsWith("_ratio"));

/**
 * Where a slider stands for the text of its field, a fraction among them; the far end for no limit.
 * @param {HTMLInputElement} slider @param {string} text
 */
function placeOf(slider, text) {
  const [above, below = "1"] = text.split("/");
  const number = text.trim() ? Number(above) / Number(below) : NaN;
  if (Number.isNaN(number)) return slider.max;
  return String(isRatio(slider) ? Math.round(100 * number) : number);
}

/**
 * What the field of a slider says when it is moved.
 * @param {HTMLInputElement} slider
 */
function textOf(slider) {
  if ("open" in slider.dataset && slider.value === slider.max) return gettext("none");
  return isRatio(slider) ? (slider.valueAsNumber / 100).toFixed(2) : slider.value;
}

function show() {
  for (const slider of sliders) {
    const { value } = field(slider.dataset.parameter);
    slider.value = placeOf(slider, value);
    slider.setAttribute("aria-valuetext", value || gettext("none"));
    if (slider.nextElementSibling) slider.nextElementSibling.textContent = value || gettext("none");
  }
  for (const box of switches) box.checked = field(box.dataset.switch).value === box.dataset.on;
}

form.addEventListener("input", (event) => {
  const target = /** @type {HTMLInputElement} */ (event.target);
  const { parameter, switch: name, on = "", off = "" } = target.dataset;
  if (parameter) field(parameter).value = textOf(target);
  if (name) field(name).value = target.checked ? on : off;
  show();
});
part("controls").hidden = false;
show();
