/**
 * The review canvas: agreed links locked, disputed ones decided one by one, stored with what they rest on.
 */

import { announce } from "../shared/announce.js";
import { createSubmission } from "../shared/submission.js";
import { startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { action, around, create, embedded, find, part } from "../shared/page.js";
import { startCursor } from "./cursor.js";
import { begin, choose, cycle, DROP, restore, strongest, toLinks, toState, undecided } from "./decisions.js";
import { wordUnder } from "./gestures.js";
import { difference } from "./history.js";
import { Ladder } from "./ladder.js";
import { Prose } from "./prose.js";
import { POSSIBLE, SURE } from "./state.js";

/**
 * @typedef {import("./decisions.js").Decisions} Decisions
 * @typedef {import("./decisions.js").Disputed} Disputed
 * @typedef {import("./decisions.js").Review} Review
 */

/** @type {{ user: number, review: Review, urls: { review: string, next: string } }} */
const { user, review, urls } = embedded("bootstrap");
/** @param {string} message */
const say = (message) => announce(part("live"), message);
const comment = find("#comment-text", HTMLTextAreaElement);
const name = `paragold-review-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const submission = createSubmission({ name, urls, place: part("notices"), say, kept: "decisions are" });
const WORDS = { sure: "sure", possible: "possible", drop: "dropped" };
const wide = matchMedia("(min-width: 1101px)");

const ladder = new Ladder(find(".ladder"));
const prose = new Prose({ a: find('.prose[data-side="a"]'), b: find('.prose[data-side="b"]') });
const list = part("disputes");
/** @type {HTMLElement[]} */
let options = []; // of the list, one for each disputed link

let decisions = begin(review);
let state = toState(decisions, review);
/** @type {Decisions[]} */
let past = [];
/** @type {Decisions[]} */
let future = [];
let current = 0;

const links = decisions.links;
/** @param {Disputed} link */
const nameOf = ({ a, b }) => `${review.a.tokens[a]} – ${review.b.tokens[b]}`;
/** @param {string} key */
function statusOf(key) {
  const choice = decisions.choices.get(key);
  return choice ? WORDS[choice] : "undecided";
}
/** @param {Disputed} link */
function drawnOf({ strengths }) {
  return strengths.map((strength, n) => `${review.annotators[n]} ${strength ?? "none"}`).join(", ");
}

function keepDraft() {
  submission.keep({ choices: [...decisions.choices], comment: comment.value });
}

function readDraft() {
  comment.value = review.decision?.comment ?? "";
  submission.recall((kept) => {
    decisions = restore(decisions, kept.choices);
    comment.value = kept.comment;
  });
}

/** The list of disputes: who drew what, and what is decided. */
function buildList() {
  options = links.map((link, index) => {
    const option = create("li");
    option.setAttribute("role", "option");
    option.id = `dispute-${index}`;
    option.dataset.index = String(index);
    const words = create("b");
    words.append(create("bdi", "", nameOf(link)));
    option.append(words, create("span", "drawn", drawnOf(link)), create("span", "status"));
    return option;
  });
  list.replaceChildren(...options);
}

function paint() {
  const next = toState(decisions, review);
  const patch = difference(state, next);
  state = next;
  ladder.update(state, patch);
  const open = undecided(decisions);
  links.forEach(({ key }, index) => {
    const option = options[index];
    option.dataset.choice = decisions.choices.get(key) ?? "undecided";
    find(".status", HTMLElement, option).textContent = statusOf(key);
    option.setAttribute("aria-selected", String(index === current));
  });
  part("left-count").textContent = open.length ? `${open.length} undecided` : "All decided";
  part("left").classList.toggle("complete", !open.length);
  action("undo").disabled = !past.length;
  action("redo").disabled = !future.length;
  point();
}

function point() {
  const link = links[current];
  if (!link) return;
  list.setAttribute("aria-activedescendant", `dispute-${current}`);
  ladder.point(startCursor(), { key: link.key });
  for (const word of document.querySelectorAll(".token.counterpart")) word.classList.remove("counterpart");
  prose.words.a[link.a]?.classList.add("counterpart");
  prose.words.b[link.b]?.classList.add("counterpart");
}

/** @param {number} index */
function goTo(index) {
  if (!links.length) return;
  current = Math.max(0, Math.min(links.length - 1, index));
  for (const [n, option] of options.entries()) option.setAttribute("aria-selected", String(n === current));
  point();
  options[current].scrollIntoView({ block: "nearest" });
  // Where the ladder stands below the list, the list is what is worked in.
  if (wide.matches) ladder.words.a[links[current].a]?.scrollIntoView({ block: "nearest" });
  const link = links[current];
  const said = `${nameOf(link)}. ${drawnOf(link)}. ${statusOf(link.key)}.`;
  say(`${current + 1} of ${links.length}: ${said}`);
}

/** @param {Decisions} next @param {string} said */
function turn(next, said) {
  if (next === decisions) return say(said);
  past.push(decisions);
  future = [];
  decisions = next;
  keepDraft();
  paint();
  say(said);
}

/** @param {(link: Disputed) => Decisions} change */
function decide(change) {
  const link = links[current];
  if (!link) return;
  const next = change(link);
  const choice = next.choices.get(link.key) ?? "drop";
  turn(next, `${nameOf(link)}: ${WORDS[choice]}. ${undecided(next).length} undecided.`);
}

/** @param {Decisions[]} from @param {Decisions[]} to @param {string} nothing @param {string} said */
function step(from, to, nothing, said) {
  const next = from.pop();
  if (!next) return say(nothing);
  to.push(decisions);
  decisions = next;
  keepDraft();
  paint();
  say(`${said} ${undecided(decisions).length} undecided.`);
}

function toUndecided() {
  const open = new Set(undecided(decisions));
  const order = links.map((_, n) => (current + 1 + n) % links.length);
  const next = order.find((n) => open.has(links[n].key));
  if (next === undefined) return say("All is decided.");
  goTo(next);
}

function store() {
  const open = undecided(decisions);
  if (open.length) {
    toUndecided();
    return say(`${open.length} links are still undecided.`);
  }
  const { version, basis } = review;
  submission.send({ links: toLinks(decisions, review.agreed), version, basis, comment: comment.value });
}

/** @type {Record<string, () => void>} */
const actions = {
  cycle: () => decide((link) => cycle(decisions, link)),
  keep: () => decide((link) => choose(decisions, link.key, strongest(link))),
  sure: () => decide((link) => choose(decisions, link.key, SURE)),
  possible: () => decide((link) => choose(decisions, link.key, POSSIBLE)),
  drop: () => decide((link) => choose(decisions, link.key, DROP)),
  previous: () => goTo(current - 1),
  next: () => goTo(current + 1),
  undecided: toUndecided,
  undo: () => step(past, future, "There is nothing to undo.", "Undone."),
  redo: () => step(future, past, "There is nothing to do again.", "Done again."),
  store,
};

function start() {
  readDraft();
  state = toState(decisions, review);
  ladder.open({ ...review, disputed: [] }, state);
  prose.open(review);
  buildList();
  paint();
  wireDialogs();
  document.addEventListener("click", (event) => {
    actions[around(event, "[data-action]")?.dataset.action ?? ""]?.();
  });
  list.addEventListener("click", (event) => {
    const option = around(event, "li");
    if (!option) return;
    goTo(Number(option.dataset.index));
    list.focus();
  });
  ladder.root.addEventListener("click", (event) => {
    const word = wordUnder(event);
    const key = word ? null : ladder.linkAt(event);
    const index = links.findIndex((link) => (word ? link[word.side] === word.index : link.key === key));
    if (index < 0) return key ? say("Both drew this link alike: it is locked.") : undefined;
    const again = index === current;
    goTo(index);
    if (key && again) actions.cycle();
  });
  comment.addEventListener("input", keepDraft);
  startKeyboard();
  goTo(links.findIndex(({ key }) => !decisions.choices.has(key)));
  list.focus({ preventScroll: true });
}

start();
