/**
 * The second pass over one's own judgements, in the frame of reviews: the disputed label as a row with the
 * first answer and the decision. The judging page says which pair is shown and takes the answer.
 */

import { part } from "../shared/page.js";
import { declaredOptions, Rows } from "../shared/rows.js";
import { gettext } from "../shared/texts.js";
import { voteCell } from "./vote.js";

const LABEL = "label";
const options = declaredOptions();
const rows = new Rows({
  annotators: [gettext("Your first answer")],
  choose: (_, value) => {
    /** @type {HTMLButtonElement | null} */
    const button = part("choices").querySelector(`[data-choice="${value}"]`);
    button?.click();
  },
  moved() {},
});

/** @param {string | null | undefined} value */
const wordOf = (value) => options.find((option) => option.value === value)?.text ?? gettext("none");

document.addEventListener("paragold:pair", (event) => {
  const { item, given } = /** @type {CustomEvent} */ (event).detail;
  const focused = rows.table.contains(document.activeElement);
  const first = wordOf(item.first);
  rows.open([{
    key: LABEL, name: document.createTextNode(gettext("Label")),
    said: gettext("Label, your first answer: %(answer)s", { answer: first }),
    cells: [voteCell(first, item)], options,
  }]);
  rows.paint(new Map(given ? [[LABEL, given]] : []));
  // The keys of the judging page, the arrows among them, work until somebody goes into the table.
  if (focused) rows.focus();
});
