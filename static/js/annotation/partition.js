/**
 * How the headlines of one cluster are split, as an immutable value, free of the DOM, and its history.
 *
 * A state is {size, places}: headlines are numbered from 1 to `size`; `places` maps a number to its group (from 1) or to
 * NONE; a headline without a place is open. Every operation returns a new state, or the same one when nothing changed.
 */

export const NONE = 0;

/** The state of an ITEM of the API. Throws RangeError for a headline that is not there. */
export function fromItem({ headlines, placements = [] }) {
  const places = new Map();
  for (const [number, group] of placements) {
    if (!(number >= 1 && number <= headlines.length)) throw new RangeError(`There is no headline ${number}`);
    places.set(number, group ?? NONE);
  }
  return Object.freeze({ size: headlines.length, places });
}

/** The part of a PUT body that holds the placements, in a stable order. */
export function toPayload({ places }) {
  const rows = [...places].sort(([p], [q]) => p - q);
  return { placements: rows.map(([number, group]) => [number, group === NONE ? null : group]) };
}

/** The state with the headlines in `group`, a number or NONE; null: open again. */
export function place(state, numbers, group) {
  const places = new Map(state.places);
  for (const number of numbers) {
    if (group === null) places.delete(number);
    else places.set(number, group);
  }
  return difference(state, { places }).length ? Object.freeze({ ...state, places }) : state;
}

export const numbers = ({ size }) => Array.from({ length: size }, (_, index) => index + 1);

/** The group of a headline: a number, NONE, or null while it is open. */
export const placeOf = ({ places }, number) => places.get(number) ?? null;

export const membersOf = (state, group) => numbers(state).filter((number) => placeOf(state, number) === group);

/** The numbers of the groups that hold headlines, in order. */
export const groupsOf = ({ places }) => [...new Set(places.values())].filter((group) => group !== NONE).sort((p, q) => p - q);

/** The lowest number that no group has. */
export function newGroup(state) {
  const taken = new Set(groupsOf(state));
  let group = 1;
  while (taken.has(group)) group += 1;
  return group;
}

/** The state in which every list of headlines is a group, by its place from 1, and all others are in none. */
export function fromGroups(size, groups) {
  const places = new Map(Array.from({ length: size }, (_, index) => [index + 1, NONE]));
  groups.forEach((group, index) => { for (const number of group) places.set(number, index + 1); });
  return Object.freeze({ size, places });
}

/** The groups of two or more headlines, which is all that a partition says. */
export const toGroups = (state) => groupsOf(state).map((group) => membersOf(state, group)).filter(({ length }) => length > 1);

/** What turns `before` into `after`: [[number, was, is], ...], null for open. */
export function difference(before, after) {
  const changes = [];
  for (const number of new Set([...before.places.keys(), ...after.places.keys()])) {
    const [was, is] = [placeOf(before, number), placeOf(after, number)];
    if (was !== is) changes.push([number, was, is]);
  }
  return changes;
}

export const begin = (state) => Object.freeze({ state, past: [], future: [] });

/** The history with `next` as its newest state; the same history when nothing changed. */
export function commit(history, next) {
  if (next === history.state) return history;
  return Object.freeze({ state: next, past: [...history.past, difference(history.state, next)], future: [] });
}

export function undo(history) {
  const patch = history.past.at(-1);
  if (!patch) return history;
  return Object.freeze({ state: patched(history.state, patch, 1), past: history.past.slice(0, -1), future: [...history.future, patch] });
}

export function redo(history) {
  const patch = history.future.at(-1);
  if (!patch) return history;
  return Object.freeze({ state: patched(history.state, patch, 2), past: [...history.past, patch], future: history.future.slice(0, -1) });
}

/** The history without what was undone: a submission comes after the last edit. */
export const settle = (history) => (history.future.length ? Object.freeze({ ...history, future: [] }) : history);

/** A value for JSON from which `restore` makes the same history again. */
export const serialise = ({ state, past, future }) => ({ ...toPayload(state), past, future });

/** The history stored for an ITEM; throws RangeError when it does not fit the item's headlines. */
export function restore(stored, item) {
  const state = fromItem({ ...item, placements: stored.placements });
  for (const [number] of [...stored.past, ...stored.future].flat()) {
    if (!(number >= 1 && number <= state.size)) throw new RangeError("The stored history belongs to another cluster");
  }
  return Object.freeze({ state, past: stored.past, future: stored.future });
}

function patched(state, patch, side) {
  const places = new Map(state.places);
  for (const change of patch) {
    if (change[side] === null) places.delete(change[0]);
    else places.set(change[0], change[side]);
  }
  return Object.freeze({ ...state, places });
}
