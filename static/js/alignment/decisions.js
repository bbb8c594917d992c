/**
 * What an adjudicator decides about the links that annotators differ on; free of the DOM.
 *
 * Of the decisions, `links` are the disputed ones in order, and `choices` maps their keys to what is decided;
 * what is not in it is undecided. Every operation returns a new value, or the same one when nothing changed.
 * @typedef {Readonly<{ links: readonly Disputed[], choices: Map<string, Choice> }>} Decisions
 * @typedef {Strength | "drop"} Choice
 *
 * A link that annotators differ on; `strengths` are theirs, null where one drew none.
 * @typedef {Readonly<{ key: string, a: number, b: number, strengths: (Strength | null)[] }>} Disputed
 *
 * A pair to review, as the API gives it.
 * @typedef {Record<import("../shared/text.js").Side, import("../shared/text.js").Sentence> & {
 *   item: number, version: number, basis: number[], annotators: string[],
 *   agreed: [number, number, Strength][], disputed: Omit<Disputed, "key">[],
 *   decision: { comment: string, links: [number, number, Strength][] } | null }} Review
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Strength} Strength
 */

import { emptyState, keyOf, POSSIBLE, SURE } from "./state.js";

/** @type {Choice} */
export const DROP = "drop";
/** @type {Set<Choice>} */
const CHOICES = new Set([SURE, POSSIBLE, DROP]);

/**
 * The decisions about a review of the API; those of an earlier decision are taken over.
 * @param {Pick<Review, "disputed" | "decision">} review @returns {Decisions}
 */
export function begin(review) {
  const links = review.disputed.map(({ a, b, strengths }) => (
    Object.freeze({ key: keyOf(a, b), a, b, strengths })));
  /** @type {Decisions["choices"]} */
  const choices = new Map();
  if (review.decision) {
    const kept = new Map(review.decision.links.map(([a, b, strength]) => [keyOf(a, b), strength]));
    for (const { key } of links) choices.set(key, kept.get(key) ?? DROP);
  }
  return Object.freeze({ links: Object.freeze(links), choices });
}

/**
 * Choices kept in the browser; what does not belong here is left out.
 * @param {Decisions} decisions @param {[string, Choice][]} kept @returns {Decisions}
 */
export function restore(decisions, kept) {
  const known = new Set(decisions.links.map(({ key }) => key));
  const choices = new Map(kept.filter(([key, choice]) => known.has(key) && CHOICES.has(choice)));
  return Object.freeze({ ...decisions, choices });
}

/**
 * Sure where any annotator says so: what "keep" means.
 * @param {Pick<Disputed, "strengths">} link
 */
export const strongest = ({ strengths }) => (strengths.includes(SURE) ? SURE : POSSIBLE);

/** @param {Decisions} decisions @param {string} key @param {Choice} choice @returns {Decisions} */
export function choose(decisions, key, choice) {
  if (!CHOICES.has(choice)) throw new RangeError(`Unknown choice "${choice}"`);
  if (!decisions.links.some((link) => link.key === key)) throw new RangeError(`${key} is not in dispute`);
  if (decisions.choices.get(key) === choice) return decisions;
  return Object.freeze({ ...decisions, choices: new Map(decisions.choices).set(key, choice) });
}

/**
 * One step of undecided -> keep -> the other strength -> drop -> keep.
 * @param {Decisions} decisions @param {Disputed} link
 */
export function cycle(decisions, link) {
  const kept = strongest(link);
  const steps = [kept, kept === SURE ? POSSIBLE : SURE, DROP];
  const now = steps.findIndex((choice) => choice === decisions.choices.get(link.key));
  return choose(decisions, link.key, steps[(now + 1) % steps.length]);
}

/** @param {Decisions} decisions */
export function undecided({ links, choices }) {
  return links.map(({ key }) => key).filter((key) => !choices.has(key));
}

/**
 * The links to keep, as the API takes them: every agreed one, and the disputed ones that are not dropped.
 * @param {Decisions} decisions @param {Review["agreed"]} agreed
 */
export function toLinks(decisions, agreed) {
  const rows = [...agreed];
  for (const { key, a, b } of decisions.links) {
    const choice = decisions.choices.get(key);
    if (choice && choice !== "drop") rows.push([a, b, choice]);
  }
  return rows.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}

/**
 * The state that the ladder draws: origin tells agreed, disputed and decided links apart; dropped ones are
 * dotted.
 * @param {Decisions} decisions @param {Pick<Review, "a" | "b" | "agreed">} review @returns {State}
 */
export function toState(decisions, review) {
  /** @type {State["links"]} */
  const links = new Map(review.agreed.map(([a, b, strength]) => (
    [keyOf(a, b), { strength, origin: "agreed" }])));
  const suggestions = new Set();
  for (const link of decisions.links) {
    const choice = decisions.choices.get(link.key);
    if (choice === "drop") suggestions.add(link.key);
    else if (choice) links.set(link.key, { strength: choice, origin: "decided" });
    else links.set(link.key, { strength: strongest(link), origin: "disputed" });
  }
  return Object.freeze({ ...emptyState(review.a.tokens.length, review.b.tokens.length), links, suggestions });
}
