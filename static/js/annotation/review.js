/** The page on which an adjudicator decides the label of a pair: one key decides and leads to the next. */

import { Decider } from "../shared/decider.js";
import { find } from "../shared/page.js";
import { changed, readByNow, reviewed, say, startReview, store } from "../shared/review.js";
import { declaredOptions } from "../shared/rows.js";
import { SIDES, sentenceNode } from "../shared/text.js";
import { voteCell } from "./vote.js";

const LABEL = "label";
const options = declaredOptions();

for (const side of SIDES) find(`.sentence[data-side="${side}"]`).append(sentenceNode(reviewed[side]));

/** @param {number} index */
const given = (index) => voteCell(reviewed.words[index], {
  flagged: reviewed.flagged[index], comment: reviewed.comments[index],
});

/** @param {string | undefined} value */
const wordOf = (value) => options.find((option) => option.value === value)?.text ?? "open";

const decider = new Decider({
  annotators: reviewed.annotators,
  rows: [{
    key: LABEL, name: document.createTextNode("Label"), options,
    said: "Label, " + reviewed.annotators.map((/** @type {string} */ name, /** @type {number} */ n) => (
      `${name} ${reviewed.words[n]}`)).join(", "),
    cells: reviewed.annotators.map((/** @type {string} */ _, /** @type {number} */ n) => given(n)),
  }],
  made: reviewed.decision ? [[LABEL, reviewed.decision.label]] : [],
  moved() {},
  changed,
  done: () => store(),
  say,
});

/** @type {Record<string, () => void>} */
const actions = {};
for (const { value } of options) actions[value] = () => { if (readByNow()) decider.choose(value); };

startReview({
  left: () => decider.left,
  toOpen: () => decider.rows.focus(),
  undo: () => false, // a choice is stored at once: undo goes back to the pair before
  redo: () => false,
  draft: () => ({}),
  take() {},
  answer: () => ({ label: decider.choices.get(LABEL) }),
  decided: () => `Pair ${reviewed.number}: ${wordOf(decider.choices.get(LABEL))}.`,
  compare: (current) => ({
    mine: [{ text: wordOf(decider.choices.get(LABEL)), note: "" }],
    stored: [{ text: wordOf(current.label ?? undefined), note: "" }],
  }),
  focus: () => decider.rows.focus(),
  actions,
});
