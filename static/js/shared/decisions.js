/**
 * What an adjudicator decides about the rows in dispute, as an immutable value with its history; free of the
 * DOM.
 *
 * `choices` maps the key of a row to what is decided; a row that is not in it is open. Every operation
 * returns a new value, or the same one when nothing changed.
 * @typedef {Map<string, string>} Choices
 * @typedef {Readonly<{ choices: Choices, past: readonly Choices[], future: readonly Choices[] }>} Decisions
 */

/** @param {Iterable<[string, string]>} [choices] those made before @returns {Decisions} */
export const begin = (choices = []) => Object.freeze({ choices: new Map(choices), past: [], future: [] });

/**
 * One step that makes all of the choices.
 * @param {Decisions} decisions @param {Iterable<readonly [string, string]>} made @returns {Decisions}
 */
export function decide(decisions, made) {
  const choices = new Map(decisions.choices);
  for (const [key, choice] of made) choices.set(key, choice);
  const same = [...choices].every(([key, choice]) => decisions.choices.get(key) === choice);
  if (same) return decisions;
  return Object.freeze({ choices, past: [...decisions.past, decisions.choices], future: [] });
}

/** @param {Decisions} decisions @returns {Decisions} */
export function undo(decisions) {
  const { choices, past, future } = decisions;
  const last = past.at(-1);
  if (!last) return decisions;
  return Object.freeze({ choices: last, past: past.slice(0, -1), future: [...future, choices] });
}

/** @param {Decisions} decisions @returns {Decisions} */
export function redo(decisions) {
  const { choices, past, future } = decisions;
  const next = future.at(-1);
  if (!next) return decisions;
  return Object.freeze({ choices: next, past: [...past, choices], future: future.slice(0, -1) });
}

/**
 * The keys without a choice, in order.
 * @param {readonly string[]} keys @param {Pick<Decisions, "choices">} decisions
 */
export const openOf = (keys, { choices }) => keys.filter((key) => !choices.has(key));

/**
 * Of choices kept in the browser those that belong here.
 * @param {[string, string][]} kept @param {readonly string[]} keys @param {readonly string[]} allowed
 */
export function fitting(kept, keys, allowed) {
  return kept.filter(([key, choice]) => keys.includes(key) && allowed.includes(choice));
}
