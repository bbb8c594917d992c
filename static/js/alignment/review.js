/** The page on which an adjudicator decides the links that annotators differ on. */

import { Decider } from "../shared/decider.js";
import { action, create, find, part } from "../shared/page.js";
import { changed, reviewed, say, startReview } from "../shared/review.js";
import { declaredOptions } from "../shared/rows.js";
import { gettext } from "../shared/texts.js";
import { focusAt, focusCell, startCursor } from "./cursor.js";
import { byRule, CHOICES, choicesOf, DROP, linkKey, toLinks, toState } from "./decisions.js";
import { wordUnder } from "./gestures.js";
import { difference } from "./history.js";
import { Ladder } from "./ladder.js";
import { Matrix } from "./matrix.js";
import { Prose } from "./prose.js";
import { cellOf, keyOf, POSSIBLE, SURE } from "./state.js";
import { drawnLink, namedLink } from "./words.js";

/** @typedef {import("./decisions.js").Disputed} Disputed */

/** @type {import("./decisions.js").Review} */
const review = reviewed;
const AGREED = gettext("This link is agreed and kept.");
const ladder = new Ladder(find(".ladder"));
const matrix = new Matrix(part("matrix"), { fine: [12, 28], coarse: [24, 44] });
const prose = new Prose({ a: find('.prose[data-side="a"]'), b: find('.prose[data-side="b"]') });

/** @param {Disputed} link */
const spoken = ({ a, b }) => `${review.a.tokens[a]} – ${review.b.tokens[b]}`;
/** @param {Disputed} link */
const whoDrew = ({ strengths }) => (
  strengths.map((strength, n) => `${review.annotators[n]} ${strength ?? gettext("none")}`).join(", "));

const rule = new Map(review.disputed.map((link) => [linkKey(link), byRule(link)]));
let state = toState(new Map(), review);

function paint() {
  const next = toState(decider.choices, review);
  ladder.update(next, difference(state, next));
  matrix.update(next);
  state = next;
  point();
}

function point() {
  const key = decider?.rows.row?.key;
  if (!key) return;
  const cell = cellOf(key);
  prose.point(state, startCursor(), { key });
  ladder.point(focusAt(startCursor(), "a", cell[0]), { key });
  matrix.point(focusCell(startCursor(), ...cell), null);
}

/** @param {string} view "matrix" or "ladder" */
function show(view) {
  part("frame").dataset.view = view;
  action("view").setAttribute("aria-pressed", String(view === "ladder"));
  point();
}

function listAgreed() {
  const list = find("ul", HTMLElement, part("agreed"));
  list.replaceChildren(...review.agreed.map(([a, b, strength]) => {
    const item = create("li");
    item.append(namedLink(review, a, b), " ", drawnLink(strength));
    return item;
  }));
}

/**
 * A cell or a word leads to its row.
 * @param {string | undefined} key @param {string} nothing
 */
function toRow(key, nothing) {
  if (!key || !decider.rows.goToKey(key)) say(nothing);
}

ladder.open({ ...review, disputed: [] }, state);
prose.open(review);
matrix.open({ ...review, disputed: [] }, state);

const decider = new Decider({
  annotators: review.annotators,
  rows: review.disputed.map((link) => ({
    key: linkKey(link), name: namedLink(review, link.a, link.b), said: `${spoken(link)}, ${whoDrew(link)}`,
    cells: link.strengths.map(drawnLink), options: declaredOptions(),
  })),
  made: review.decision ? choicesOf(review, review.decision.links) : [],
  moved: point,
  say,
  changed() {
    paint();
    changed();
  },
});

part("matrix").addEventListener("click", (event) => {
  const cell = matrix.cellUnder(event);
  if (!cell) return;
  const agreed = review.agreed.some(([a, b]) => a === cell[0] && b === cell[1]);
  toRow(keyOf(...cell), agreed ? AGREED : gettext("Nobody drew this link."));
});
ladder.root.addEventListener("click", (event) => {
  const word = wordUnder(event);
  const link = word && review.disputed.find((one) => one[word.side] === word.index);
  const key = word ? link && linkKey(link) : ladder.linkAt(event);
  const nothing = word ? gettext("No link of this word is disputed.") : AGREED;
  if (word || key) toRow(key ?? undefined, nothing);
});
listAgreed();

startReview({
  left: () => decider.left,
  toOpen: () => decider.rows.stayOrToOpen(),
  undo: () => decider.undo(),
  redo: () => decider.redo(),
  draft: () => decider.draft(),
  take: (draft) => decider.take(draft, CHOICES),
  answer: () => ({ links: toLinks(decider.choices, review) }),
  decided() {
    const of = (/** @type {string} */ choice) => (
      [...decider.choices.values()].filter((one) => one === choice).length);
    return gettext("Pair %(number)s: %(sure)s sure, %(possible)s possible, %(dropped)s dropped.", {
      number: review.number, sure: of(SURE), possible: of(POSSIBLE), dropped: of(DROP),
    });
  },
  compare(current) {
    const theirs = new Map(choicesOf(review, current.content));
    const differing = review.disputed.filter((link) => (
      theirs.get(linkKey(link)) !== decider.choices.get(linkKey(link))));
    const notes = (/** @type {Map<string, string>} */ choices) => differing.map((link) => (
      { text: spoken(link), note: choices.get(linkKey(link)) ?? gettext("open") }));
    return { mine: notes(decider.choices), stored: notes(theirs) };
  },
  focus: () => decider.focus(),
  actions: {
    sure: () => decider.choose(SURE),
    possible: () => decider.choose(POSSIBLE),
    drop: () => decider.choose(DROP),
    rule: () => decider.fill((key) => rule.get(key) ?? POSSIBLE, gettext("The papers' rule is applied.")),
    next: () => decider.next(),
    view: () => show(part("frame").dataset.view === "ladder" ? "matrix" : "ladder"),
    agreed() {
      const list = part("agreed", HTMLDetailsElement);
      list.open = !list.open;
    },
  },
});
paint();
