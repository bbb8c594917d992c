/**
 * The links of a pair that annotators differ on, and what becomes of them; free of the DOM.
 *
 * A link that annotators differ on; `strengths` are theirs, null where one drew none.
 * @typedef {Readonly<{ a: number, b: number, strengths: (Strength | null)[] }>} Disputed
 *
 * A pair to review, as the API gives it.
 * @typedef {Record<import("../shared/text.js").Side, import("../shared/text.js").Sentence> & {
 *   item: number, number: number, version: number, basis: number[], annotators: string[],
 *   comments: string[], agreed: [number, number, Strength][], disputed: Disputed[],
 *   decision: { comment: string, links: [number, number, Strength][] } | null }} Review
 *
 * @typedef {import("../shared/decisions.js").Choices} Choices
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Strength} Strength
 */

import { emptyState, keyOf, POSSIBLE, SURE } from "./state.js";

export const DROP = "drop";
export const CHOICES = [SURE, POSSIBLE, DROP];

/** @param {{ a: number, b: number }} link */
export const linkKey = ({ a, b }) => keyOf(a, b);

/**
 * What a decision, or the links of one, says of the disputed links: what it lacks is dropped.
 * @param {Pick<Review, "disputed">} review @param {[number, number, Strength][]} links
 * @returns {[string, string][]}
 */
export function choicesOf({ disputed }, links) {
  const kept = new Map(links.map(([a, b, strength]) => [keyOf(a, b), strength]));
  return disputed.map((link) => [linkKey(link), kept.get(linkKey(link)) ?? DROP]);
}

/**
 * The papers' rule: SURE where everybody drew it SURE, else POSSIBLE where anybody drew it.
 * @param {Pick<Disputed, "strengths">} link
 */
export function byRule({ strengths }) {
  return strengths.every((strength) => strength === SURE) ? SURE : POSSIBLE;
}

/**
 * The links to keep, as the API takes them: every agreed one, and the disputed ones that are not dropped.
 * @param {Choices} choices @param {Pick<Review, "agreed" | "disputed">} review
 */
export function toLinks(choices, { agreed, disputed }) {
  const rows = [...agreed];
  for (const link of disputed) {
    const choice = choices.get(linkKey(link));
    if (choice === SURE || choice === POSSIBLE) rows.push([link.a, link.b, choice]);
  }
  return rows.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}

/**
 * The state that ladder and matrix draw: its origin says whether a link is agreed, disputed (and open) or
 * decided; dropped ones are drawn as suggestions are.
 * @param {Choices} choices @param {Pick<Review, "a" | "b" | "agreed" | "disputed">} review
 * @returns {State}
 */
export function toState(choices, review) {
  /** @type {State["links"]} */
  const links = new Map(review.agreed.map(([a, b, strength]) => (
    [keyOf(a, b), { strength, origin: "agreed" }])));
  /** @type {Set<string>} */
  const suggestions = new Set();
  for (const link of review.disputed) {
    const choice = choices.get(linkKey(link));
    const key = linkKey(link);
    if (choice === DROP) suggestions.add(key);
    else if (choice === SURE || choice === POSSIBLE) links.set(key, { strength: choice, origin: "decided" });
    else links.set(key, { strength: link.strengths.includes(SURE) ? SURE : POSSIBLE, origin: "disputed" });
  }
  return Object.freeze({ ...emptyState(review.a.tokens.length, review.b.tokens.length), links, suggestions });
}
