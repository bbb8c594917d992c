/**
 * Marking blocks: arrows go from block to block, Shift takes along what lies between, and the count follows.
 * The marks are sent in one field, since forms may have a thousand. Without this script the list of a shorter
 * page still works: it is a form of checkboxes; on a longer one numbers are typed.
 */

import { find, part } from "../shared/page.js";
import { between, ranges, tally } from "./block_range.js";

const form = find("form.blocks", HTMLFormElement);
/** @type {NodeListOf<HTMLInputElement>} */
const inputs = form.querySelectorAll("ol input[type=checkbox]");
const boxes = [...inputs];
const count = part("count", HTMLElement, form);
let last = -1;

/** @param {Event} event */
const indexOf = ({ target }) => boxes.findIndex((box) => box === target);

function show() {
  count.textContent = tally(boxes.map((box) => box.checked));
}

/**
 * Gives all blocks between two the same mark.
 * @param {number} from @param {number} to @param {boolean} checked
 */
function spread(from, to, checked) {
  for (const number of between(from, to)) boxes[number].checked = checked;
}

// A click on a label comes twice: on the label with its keys, then on its box, where browsers forget these.
let shifted = false;
form.addEventListener("pointerdown", (event) => { shifted = event.shiftKey; });
form.addEventListener("mousedown", (event) => { if (event.shiftKey) event.preventDefault(); });
form.addEventListener("keydown", (event) => {
  const at = indexOf(event);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (at < 0) return;
  shifted = false;
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const next = at + step;
  if (next < 0 || next >= boxes.length) return;
  if (event.shiftKey) spread(at, next, boxes[at].checked);
  last = next;
  boxes[next].focus();
  show();
});
form.addEventListener("change", (event) => {
  const at = indexOf(event);
  if (at < 0) return;
  if (shifted && last >= 0) spread(last, at, boxes[at].checked);
  // With Shift the mouse does not move the focus by itself.
  if (shifted) boxes[at].focus();
  shifted = false;
  last = at;
  show();
});
form.addEventListener("formdata", ({ formData }) => {
  formData.delete("story");
  formData.set("blocks", ranges(boxes.map((box) => box.checked)));
});
// A browser that goes back fills the boxes in as they were left.
addEventListener("pageshow", show);
form.dataset.ready = "";
