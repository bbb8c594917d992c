/**
 * Undo and redo without limit over link states, kept as patches so that a long history stays small in
 * storage.
 *
 * A change of a link, a "no counterpart" or a suggestion, before and after.
 * @typedef {["link", number, number, KeptMark, KeptMark] | ["null", Side, number, boolean, boolean]
 *   | ["suggestion", number, number, boolean, boolean]} Change
 * @typedef {[Strength, string] | null} KeptMark strength and origin
 *
 * A history is immutable like its states.
 * @typedef {Readonly<{ state: State, past: Change[][], future: Change[][] }>} History
 *
 * What is kept of a history in the browser.
 * @typedef {ReturnType<typeof toPayload> & Pick<History, "past" | "future">
 *   & { suggestions: number[][] }} Stored
 *
 * @typedef {import("./state.js").Mark} Mark
 * @typedef {import("./state.js").Pair} Pair
 * @typedef {import("../shared/text.js").Side} Side
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Strength} Strength
 */

import { SIDES } from "../shared/text.js";
import { cellOf, fromItem, keyOf, nullsOf, sizeOf, toPayload } from "./state.js";

/** @param {State} state @returns {History} */
export const begin = (state) => Object.freeze({ state, past: [], future: [] });

/**
 * The history with `next` as its newest state; the same history when nothing changed.
 * @param {History} history @param {State} next @returns {History}
 */
export function commit(history, next) {
  if (next === history.state) return history;
  const patch = difference(history.state, next);
  return Object.freeze({ state: next, past: [...history.past, patch], future: [] });
}

/** @param {History} history @returns {History} */
export function undo(history) {
  const patch = history.past.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 0);
  return Object.freeze({ state, past: history.past.slice(0, -1), future: [...history.future, patch] });
}

/** @param {History} history @returns {History} */
export function redo(history) {
  const patch = history.future.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 1);
  return Object.freeze({ state, past: [...history.past, patch], future: history.future.slice(0, -1) });
}

/**
 * The history without what was undone: a submission is a step of its own, and comes after the last edit.
 * @param {History} history @returns {History}
 */
export function settle(history) {
  return history.future.length ? Object.freeze({ ...history, future: [] }) : history;
}

/**
 * What turns `before` into `after`; the page draws from it and the live region tells it.
 * @param {State} before @param {State} after
 */
export function difference(before, after) {
  /** @type {Change[]} */
  const patch = [];
  for (const key of new Set([...before.links.keys(), ...after.links.keys()])) {
    const was = marked(before.links.get(key));
    const is = marked(after.links.get(key));
    if (was?.[0] !== is?.[0] || was?.[1] !== is?.[1]) patch.push(["link", ...cellOf(key), was, is]);
  }
  for (const side of SIDES) {
    for (const [index, was, is] of toggled(nullsOf(before, side), nullsOf(after, side))) {
      patch.push(["null", side, index, was, is]);
    }
  }
  for (const [key, was, is] of toggled(before.suggestions, after.suggestions)) {
    patch.push(["suggestion", ...cellOf(key), was, is]);
  }
  return patch;
}

/**
 * A value for JSON from which `restore` makes the same history again.
 * @param {History} history @returns {Stored}
 */
export function serialise(history) {
  const suggestions = [...history.state.suggestions].map(cellOf);
  return { ...toPayload(history.state), suggestions, past: history.past, future: history.future };
}

/**
 * The history stored for an ITEM; throws RangeError when it does not fit the item's sentences.
 * @param {Stored} stored @param {Pair} item @returns {History}
 */
export function restore(stored, item) {
  const state = fromItem({ ...item, ...stored });
  for (const patch of [...stored.past, ...stored.future]) {
    for (const change of patch) {
      const fits = change[0] === "null"
        ? change[2] < sizeOf(state, change[1])
        : change[1] < state.sizeA && change[2] < state.sizeB;
      if (!fits) throw new RangeError("The stored history belongs to other sentences");
    }
  }
  return Object.freeze({ state, past: stored.past, future: stored.future });
}

/** @param {State} state @param {Change[]} patch @param {0 | 1} direction back or forth */
function patched(state, patch, direction) {
  const draft = {
    ...state, links: new Map(state.links), nullA: new Set(state.nullA), nullB: new Set(state.nullB),
    suggestions: new Set(state.suggestions),
  };
  for (const change of patch) {
    if (change[0] === "link") {
      const key = keyOf(change[1], change[2]);
      const mark = direction ? change[4] : change[3];
      if (mark) draft.links.set(key, { strength: mark[0], origin: mark[1] });
      else draft.links.delete(key);
    } else {
      const present = direction ? change[4] : change[3];
      if (change[0] === "null") put(nullsOf(draft, change[1]), change[2], present);
      else put(draft.suggestions, keyOf(change[1], change[2]), present);
    }
  }
  return Object.freeze(draft);
}

/**
 * @template T
 * @param {Set<T>} set @param {T} member @param {boolean} present
 */
function put(set, member, present) {
  if (present) set.add(member);
  else set.delete(member);
}

/** @param {Mark | undefined} mark @returns {KeptMark} */
const marked = (mark) => (mark ? [mark.strength, mark.origin] : null);

/**
 * @template T
 * @param {Set<T>} before @param {Set<T>} after
 */
function toggled(before, after) {
  /** @type {[T, boolean, boolean][]} */
  const changes = [];
  for (const member of before) if (!after.has(member)) changes.push([member, true, false]);
  for (const member of after) if (!before.has(member)) changes.push([member, false, true]);
  return changes;
}
