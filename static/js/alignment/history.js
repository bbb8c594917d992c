/**
 * Undo and redo without limit over link states, kept as patches so that a long history stays small in storage.
 *
 * A patch is a list of ["link", i, j, before, after] (marks are null or [strength, origin]),
 * ["null", side, index, before, after] and ["suggestion", i, j, before, after] (booleans).
 * A history is {state, past, future}, immutable like its states.
 */

import { cellOf, fromItem, keyOf, nullsOf, toPayload } from "./state.js";

export const begin = (state) => Object.freeze({ state, past: [], future: [] });

/** The history with `next` as its newest state; the same history when nothing changed. */
export function commit(history, next) {
  if (next === history.state) return history;
  const patch = difference(history.state, next);
  return Object.freeze({ state: next, past: [...history.past, patch], future: [] });
}

export function undo(history) {
  const patch = history.past.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 0);
  return Object.freeze({ state, past: history.past.slice(0, -1), future: [...history.future, patch] });
}

export function redo(history) {
  const patch = history.future.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 1);
  return Object.freeze({ state, past: [...history.past, patch], future: history.future.slice(0, -1) });
}

/** The history without what was undone: a submission is a step of its own, and comes after the last edit. */
export const settle = (history) => (history.future.length ? Object.freeze({ ...history, future: [] }) : history);

/** What turns `before` into `after`; the page draws from it and the live region tells it. */
export function difference(before, after) {
  const patch = [];
  for (const key of new Set([...before.links.keys(), ...after.links.keys()])) {
    const was = marked(before.links.get(key));
    const is = marked(after.links.get(key));
    if (was?.[0] !== is?.[0] || was?.[1] !== is?.[1]) patch.push(["link", ...cellOf(key), was, is]);
  }
  for (const side of ["a", "b"]) {
    for (const [index, was, is] of toggled(nullsOf(before, side), nullsOf(after, side))) {
      patch.push(["null", side, index, was, is]);
    }
  }
  for (const [key, was, is] of toggled(before.suggestions, after.suggestions)) {
    patch.push(["suggestion", ...cellOf(key), was, is]);
  }
  return patch;
}

/** A value for JSON from which `restore` makes the same history again. */
export function serialise(history) {
  const suggestions = [...history.state.suggestions].map(cellOf);
  return { ...toPayload(history.state), suggestions, past: history.past, future: history.future };
}

/** The history stored for an ITEM; throws RangeError when it does not fit the item's sentences. */
export function restore(stored, item) {
  const state = fromItem({ ...item, ...stored });
  for (const patch of [...stored.past, ...stored.future]) {
    for (const [kind, p, q] of patch) {
      const fits = kind === "null" ? q < (p === "a" ? state.sizeA : state.sizeB) : p < state.sizeA && q < state.sizeB;
      if (!fits) throw new RangeError("The stored history belongs to other sentences");
    }
  }
  return Object.freeze({ state, past: stored.past, future: stored.future });
}

function patched(state, patch, direction) {
  const draft = {
    ...state, links: new Map(state.links), nullA: new Set(state.nullA), nullB: new Set(state.nullB),
    suggestions: new Set(state.suggestions),
  };
  for (const [kind, p, q, ...values] of patch) {
    const value = values[direction];
    if (kind === "link") {
      if (value) draft.links.set(keyOf(p, q), { strength: value[0], origin: value[1] });
      else draft.links.delete(keyOf(p, q));
    } else {
      const set = kind === "null" ? nullsOf(draft, p) : draft.suggestions;
      const member = kind === "null" ? q : keyOf(p, q);
      if (value) set.add(member);
      else set.delete(member);
    }
  }
  return Object.freeze(draft);
}

const marked = (mark) => (mark ? [mark.strength, mark.origin] : null);

function toggled(before, after) {
  const changes = [];
  for (const member of before) if (!after.has(member)) changes.push([member, true, false]);
  for (const member of after) if (!before.has(member)) changes.push([member, false, true]);
  return changes;
}
