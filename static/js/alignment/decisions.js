/**
 * What an adjudicator decides about the links that annotators differ on; free of the DOM.
 *
 * A decisions value is {links, choices}: `links` are the disputed ones in order, {key, a, b, strengths}, and
 * `choices` maps a key to "sure", "possible" or "drop"; what is not in it is undecided. Every operation returns a
 * new value, or the same one when nothing changed.
 */

import { emptyState, keyOf, POSSIBLE, SURE } from "./state.js";

export const DROP = "drop";
const CHOICES = new Set([SURE, POSSIBLE, DROP]);

/** The decisions about a review of the API; those of a decision that stands are taken over. */
export function begin(review) {
  const links = review.disputed.map(({ a, b, strengths }) => Object.freeze({ key: keyOf(a, b), a, b, strengths }));
  const choices = new Map();
  if (review.decision) {
    const kept = new Map(review.decision.links.map(([a, b, strength]) => [keyOf(a, b), strength]));
    for (const { key } of links) choices.set(key, kept.get(key) ?? DROP);
  }
  return Object.freeze({ links: Object.freeze(links), choices });
}

/** Choices kept in the browser, [[key, choice]...]; what does not belong here is left out. */
export function restore(decisions, kept) {
  const known = new Set(decisions.links.map(({ key }) => key));
  const choices = new Map(kept.filter(([key, choice]) => known.has(key) && CHOICES.has(choice)));
  return Object.freeze({ ...decisions, choices });
}

/** Sure where any annotator says so: what "keep" means. */
export const strongest = ({ strengths }) => (strengths.includes(SURE) ? SURE : POSSIBLE);

export function choose(decisions, key, choice) {
  if (!CHOICES.has(choice)) throw new RangeError(`Unknown choice "${choice}"`);
  if (!decisions.links.some((link) => link.key === key)) throw new RangeError(`${key} is not in dispute`);
  if (decisions.choices.get(key) === choice) return decisions;
  return Object.freeze({ ...decisions, choices: new Map(decisions.choices).set(key, choice) });
}

/** One step of undecided -> keep -> the other strength -> drop -> keep. */
export function cycle(decisions, key) {
  const link = decisions.links.find((one) => one.key === key);
  const kept = strongest(link);
  const steps = [kept, kept === SURE ? POSSIBLE : SURE, DROP];
  return choose(decisions, key, steps[(steps.indexOf(decisions.choices.get(key)) + 1) % steps.length]);
}

export const undecided = ({ links, choices }) => links.filter(({ key }) => !choices.has(key)).map(({ key }) => key);

/** The links to keep, as the API takes them: every agreed one, and the disputed ones that are not dropped. */
export function toLinks(decisions, agreed) {
  const kept = decisions.links.filter(({ key }) => [SURE, POSSIBLE].includes(decisions.choices.get(key)));
  const rows = [...agreed.map((link) => [...link]), ...kept.map(({ key, a, b }) => [a, b, decisions.choices.get(key)])];
  return rows.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
}

/** The state that the ladder draws: origin tells agreed, disputed and decided links apart; dropped ones are dotted. */
export function toState(decisions, review) {
  const links = new Map(review.agreed.map(([a, b, strength]) => [keyOf(a, b), { strength, origin: "agreed" }]));
  const suggestions = new Set();
  for (const link of decisions.links) {
    const choice = decisions.choices.get(link.key);
    if (choice === DROP) suggestions.add(link.key);
    else links.set(link.key, choice ? { strength: choice, origin: "decided" } : { strength: strongest(link), origin: "disputed" });
  }
  return Object.freeze({ ...emptyState(review.a.tokens.length, review.b.tokens.length), links, suggestions });
}
