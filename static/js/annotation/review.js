/**
 * The page on which an adjudicator decides the labels of disputed pairs: one key decides and shows the next
 * pair, while the decision is on its way.
 */

import { Decider } from "../shared/decider.js";
import { embedded, find, part } from "../shared/page.js";
import { changed, reviewed, say, startReview, store } from "../shared/review.js";
import { declaredOptions } from "../shared/rows.js";
import { SIDES, sentenceNode } from "../shared/text.js";
import { gettext } from "../shared/texts.js";
import { voteCell } from "./vote.js";

const LABEL = "label";
const options = declaredOptions();
/** @type {{ queue: { total: number, items: any[] }, urls: { pair: string } }} */
const { queue, urls } = embedded("bootstrap");
let shown = reviewed;

/** @param {string | undefined} value */
const wordOf = (value) => options.find((option) => option.value === value)?.text ?? gettext("open");

/**
 * The label of a pair as a row, with what each annotator said.
 * @param {any} pair
 */
function itemOf({ annotators, words, flagged, context_opened, comments, decision }) {
  const given = annotators
    .map((/** @type {string} */ name, /** @type {number} */ n) => `${name} ${words[n]}`);
  /** @type {[string, string][]} */
  const made = decision ? [[LABEL, decision.label]] : [];
  return {
    annotators, made,
    rows: [{
      key: LABEL, name: document.createTextNode(gettext("Label")), options,
      said: `${gettext("Label")}, ${given.join(", ")}`,
      cells: annotators.map((/** @type {string} */ _, /** @type {number} */ n) => (
        voteCell(words[n], { flagged: flagged[n], comment: comments[n], context: context_opened[n] }))),
    }],
  };
}

const decider = new Decider({ ...itemOf(reviewed), moved() {}, changed, done: () => store(), say });

/** @param {any} pair */
function open(pair) {
  const same = pair.item === reviewed.item;
  shown = pair;
  decider.open(itemOf(pair));
  for (const side of SIDES) find(`.sentence[data-side="${side}"]`).replaceChildren(sentenceNode(pair[side]));
  find("h1").textContent = gettext("Review pair %(number)s", pair);
  document.title = document.title.replace(/^.*?\d+/, gettext("Pair %(number)s", pair));
  part("counter").textContent = pair.place
    ? gettext("Pair %(place)s of %(total)s disputed", { place: pair.place, total: queue.total })
    : gettext("Pair %(number)s, not disputed", pair);
  part("articles", HTMLAnchorElement).href = urls.pair.replace("/0/", `/${pair.pair}/`);
  part("decided-before").hidden = !pair.decision;
  for (const list of document.querySelectorAll('[data-part="decisions"]')) {
    list.toggleAttribute("hidden", !same);
  }
}

startReview({
  open,
  left: () => decider.left,
  toOpen: () => decider.rows.focus(),
  undo: () => false, // a choice is stored at once: undo goes back to the pair before
  redo: () => false,
  draft: () => ({}),
  take() {},
  answer: () => ({ label: decider.choices.get(LABEL) }),
  decided: () => gettext("Pair %(number)s: %(label)s.", {
    number: shown.number, label: wordOf(decider.choices.get(LABEL)),
  }),
  spoken: () => gettext("Pair %(number)s. First sentence: %(a)s Second sentence: %(b)s", {
    number: shown.number, a: shown.a.text, b: shown.b.text,
  }),
  compare: (current, mine) => ({
    mine: [{ text: wordOf(mine.label), note: "" }],
    stored: [{ text: wordOf(current.label ?? undefined), note: "" }],
  }),
  focus: () => decider.rows.focus(),
  actions: Object.fromEntries(options.map(({ value }) => [value, () => decider.choose(value)])),
});
