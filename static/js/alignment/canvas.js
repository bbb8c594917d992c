/** The review canvas: agreed links locked, disputed ones decided one by one, stored with what they rest on. */

import { announce } from "../shared/announce.js";
import { createSubmission } from "../shared/submission.js";
import { startKeyboard, wireDialogs } from "../shared/keyboard.js";
import { startCursor } from "./cursor.js";
import { begin, choose, cycle, DROP, restore, strongest, toLinks, toState, undecided } from "./decisions.js";
import { difference } from "./history.js";
import { Ladder } from "./ladder.js";
import { Prose } from "./prose.js";
import { POSSIBLE, SURE } from "./state.js";

const { user, review, urls } = JSON.parse(document.getElementById("bootstrap").textContent);
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const say = (message) => announce(part("live"), message);
const comment = document.getElementById("comment-text");
const name = `paragold-review-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const submission = createSubmission({ name, urls, place: part("notices"), say, kept: "decisions are" });
const WORDS = { [SURE]: "sure", [POSSIBLE]: "possible", [DROP]: "dropped" };
const wide = matchMedia("(min-width: 1101px)");

const ladder = new Ladder(document.querySelector(".ladder"));
const prose = new Prose({ a: document.querySelector('.prose[data-side="a"]'), b: document.querySelector('.prose[data-side="b"]') });
const list = part("disputes");

let decisions = begin(review);
let state = toState(decisions, review);
let past = [];
let future = [];
let current = 0;

const links = decisions.links;
const nameOf = ({ a, b }) => `${review.a.tokens[a]} – ${review.b.tokens[b]}`;
const statusOf = (key) => WORDS[decisions.choices.get(key)] ?? "undecided";

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
  list.replaceChildren(...links.map((link, index) => {
    const option = document.createElement("li");
    option.setAttribute("role", "option");
    option.id = `dispute-${index}`;
    option.dataset.index = index;
    const words = document.createElement("b");
    const drawn = document.createElement("span");
    const status = document.createElement("span");
    const bdi = document.createElement("bdi");
    bdi.textContent = nameOf(link);
    words.append(bdi);
    drawn.className = "drawn";
    drawn.textContent = link.strengths.map((strength, n) => `${review.annotators[n]} ${strength ?? "none"}`).join(", ");
    status.className = "status";
    option.append(words, drawn, status);
    return option;
  }));
}

function paint() {
  const next = toState(decisions, review);
  const patch = difference(state, next);
  state = next;
  ladder.update(state, patch);
  const open = undecided(decisions);
  links.forEach(({ key }, index) => {
    const option = list.children[index];
    option.dataset.choice = decisions.choices.get(key) ?? "undecided";
    option.querySelector(".status").textContent = statusOf(key);
    option.setAttribute("aria-selected", String(index === current));
  });
  part("left-count").textContent = open.length ? `${open.length} undecided` : "All decided";
  part("left").classList.toggle("complete", !open.length);
  document.querySelector('[data-action="undo"]').disabled = !past.length;
  document.querySelector('[data-action="redo"]').disabled = !future.length;
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

function goTo(index, { spoken = true } = {}) {
  if (!links.length) return;
  current = Math.max(0, Math.min(links.length - 1, index));
  links.forEach((_, n) => list.children[n].setAttribute("aria-selected", String(n === current)));
  point();
  list.children[current].scrollIntoView({ block: "nearest" });
  // Where the ladder stands below the list, the list is what is worked in.
  if (wide.matches) ladder.words.a[links[current].a]?.scrollIntoView({ block: "nearest" });
  const link = links[current];
  if (spoken) say(`${current + 1} of ${links.length}: ${nameOf(link)}. ${list.children[current].querySelector(".drawn").textContent}. ${statusOf(link.key)}.`);
}

function turn(next, said) {
  if (next === decisions) return say(said);
  past.push(decisions);
  future = [];
  decisions = next;
  keepDraft();
  paint();
  say(said);
}

function decide(change) {
  const link = links[current];
  if (!link) return;
  const next = change(link);
  turn(next, `${nameOf(link)}: ${WORDS[next.choices.get(link.key)]}. ${undecided(next).length} undecided.`);
}

function step(from, to, nothing, said) {
  if (!from.length) return say(nothing);
  to.push(decisions);
  decisions = from.pop();
  keepDraft();
  paint();
  say(`${said} ${undecided(decisions).length} undecided.`);
}

function toUndecided() {
  const open = new Set(undecided(decisions));
  const order = links.map((_, n) => (current + 1 + n) % links.length);
  const found = order.find((n) => open.has(links[n].key));
  if (found === undefined) return say("All is decided.");
  goTo(found);
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

const actions = {
  cycle: () => decide((link) => cycle(decisions, link.key)),
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
  document.addEventListener("click", ({ target }) => actions[target.closest("[data-action]")?.dataset.action]?.());
  list.addEventListener("click", ({ target }) => {
    const option = target.closest("li");
    if (!option) return;
    goTo(Number(option.dataset.index));
    list.focus();
  });
  ladder.root.addEventListener("click", (event) => {
    const word = event.target.closest("[data-side][data-index]")?.dataset;
    const key = word ? null : ladder.linkAt(event);
    const index = links.findIndex((link) => (word ? link[word.side] === Number(word.index) : link.key === key));
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
