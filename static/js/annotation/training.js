/**
 * A training: when the server has taken an answer, the right one is shown. Answers that were kept offline are
 * shown one after another; after the last of all the page is fetched again, with the result.
 */

import { find, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";

/**
 * @typedef {{ entry: { body: { label: string }, item: { a: { text: string }, b: { text: string } } | null },
 *   right: string }} Feedback
 */

const dialog = find("#feedback", HTMLDialogElement);
/** @type {Feedback[]} */
const waiting = [];
let ended = false;

/** @param {string} label */
function nameOf(label) {
  return find(`button[data-label="${label}"]`).dataset.name ?? label;
}

function show() {
  const next = waiting.shift();
  if (!next) return ended && location.reload();
  const { entry: { body, item }, right } = next;
  part("verdict").textContent = body.label === right ? gettext("Right") : gettext("Not right");
  part("feedback-a").textContent = item?.a.text ?? "";
  part("feedback-b").textContent = item?.b.text ?? "";
  part("own-answer").textContent = nameOf(body.label);
  part("right-answer").textContent = nameOf(right);
  /** @type {NodeListOf<HTMLElement>} */
  const rules = dialog.querySelectorAll("[data-rule]");
  for (const rule of rules) rule.hidden = rule.dataset.rule !== right;
  dialog.showModal();
}

document.addEventListener("paragold:acknowledged", (event) => {
  const { entry, data } = /** @type {CustomEvent} */ (event).detail;
  if (!data.right) return;
  waiting.push({ entry, right: data.right });
  ended ||= "passed" in data;
  if (!dialog.open) show();
});

dialog.addEventListener("close", show);
