/**
 * How the headlines of one cluster are split, as an immutable value, free of the DOM, and its history.
 *
 * Headlines are numbered from 1 to `size`; `places` maps a number to its group (from 1) or to NONE; a
 * headline without a place is open. Every operation returns a new state, or the same one when nothing
 * changed.
 * @typedef {Readonly<{ size: number, places: Map<number, number> }>} State
 *
 * A headline that changes its place: its number, where it was and where it is, null for open.
 * @typedef {[number, number | null, number | null]} Change
 * @typedef {Readonly<{ state: State, past: Change[][], future: Change[][] }>} History
 *
 * @typedef {import("../shared/text.js").Text
 *   & { number: number, source?: string, published?: string }} Headline
 *
 * An item of the API; `placements` are numbers with their groups, null for none.
 * @typedef {{ headlines: Headline[], placements?: [number, number | null][] }} Cluster
 *
 * What is kept of a history in the browser.
 * @typedef {Required<Pick<Cluster, "placements">> & Pick<History, "past" | "future">} Stored
 */

export const NONE = 0;

/**
 * The state of an item of the API. Throws RangeError for a headline that is not there.
 * @param {Cluster} item @returns {State}
 */
export function fromItem({ headlines, placements = [] }) {
  /** @type {Map<number, number>} */
  const places = new Map();
  for (const [number, group] of placements) {
    if (!(number >= 1 && number <= headlines.length)) throw new RangeError(`There is no headline ${number}`);
    places.set(number, group ?? NONE);
  }
  return Object.freeze({ size: headlines.length, places });
}

/**
 * The part of a PUT body that holds the placements, in a stable order.
 * @param {State} state @returns {Required<Pick<Cluster, "placements">>}
 */
export function toPayload({ places }) {
  const rows = [...places].sort(([p], [q]) => p - q);
  return { placements: rows.map(([number, group]) => [number, group === NONE ? null : group]) };
}

/**
 * The state with the headlines in `group`, a number or NONE; null: open again.
 * @param {State} state @param {number[]} numbers @param {number | null} group @returns {State}
 */
export function place(state, numbers, group) {
  const places = new Map(state.places);
  for (const number of numbers) {
    if (group === null) places.delete(number);
    else places.set(number, group);
  }
  return difference(state, { places }).length ? Object.freeze({ ...state, places }) : state;
}

/** @param {{ size: number }} state */
export const numbers = ({ size }) => Array.from({ length: size }, (_, index) => index + 1);

/**
 * The group of a headline: a number, NONE, or null while it is open.
 * @param {Pick<State, "places">} state @param {number} number
 */
export const placeOf = ({ places }, number) => places.get(number) ?? null;

/** @param {State} state @param {number | null} group */
export function membersOf(state, group) {
  return numbers(state).filter((number) => placeOf(state, number) === group);
}

/**
 * The numbers of the groups that hold headlines, in order.
 * @param {Pick<State, "places">} state
 */
export function groupsOf({ places }) {
  return [...new Set(places.values())].filter((group) => group !== NONE).sort((p, q) => p - q);
}

/**
 * The lowest number that no group has.
 * @param {State} state
 */
export function newGroup(state) {
  const taken = new Set(groupsOf(state));
  let group = 1;
  while (taken.has(group)) group += 1;
  return group;
}

/**
 * The state in which every list of headlines is a group, by its place from 1, and all others are in none.
 * @param {number} size @param {number[][]} groups @returns {State}
 */
export function fromGroups(size, groups) {
  const places = new Map(Array.from({ length: size }, (_, index) => [index + 1, NONE]));
  groups.forEach((group, index) => { for (const number of group) places.set(number, index + 1); });
  return Object.freeze({ size, places });
}

/**
 * The groups of two or more headlines, which is all that a partition says.
 * @param {State} state
 */
export function toGroups(state) {
  return groupsOf(state).map((group) => membersOf(state, group)).filter(({ length }) => length > 1);
}

/**
 * What turns `before` into `after`.
 * @param {Pick<State, "places">} before @param {Pick<State, "places">} after
 */
export function difference(before, after) {
  /** @type {Change[]} */
  const changes = [];
  for (const number of new Set([...before.places.keys(), ...after.places.keys()])) {
    const [was, is] = [placeOf(before, number), placeOf(after, number)];
    if (was !== is) changes.push([number, was, is]);
  }
  return changes;
}

/** @param {State} state @returns {History} */
export const begin = (state) => Object.freeze({ state, past: [], future: [] });

/**
 * The history with `next` as its newest state; the same history when nothing changed.
 * @param {History} history @param {State} next @returns {History}
 */
export function commit(history, next) {
  if (next === history.state) return history;
  return Object.freeze({ state: next, past: [...history.past, difference(history.state, next)], future: [] });
}

/** @param {History} history @returns {History} */
export function undo(history) {
  const { past, future } = history;
  const patch = past.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 1);
  return Object.freeze({ state, past: past.slice(0, -1), future: [...future, patch] });
}

/** @param {History} history @returns {History} */
export function redo(history) {
  const { past, future } = history;
  const patch = future.at(-1);
  if (!patch) return history;
  const state = patched(history.state, patch, 2);
  return Object.freeze({ state, past: [...past, patch], future: future.slice(0, -1) });
}

/**
 * The history without what was undone: a submission comes after the last edit.
 * @param {History} history @returns {History}
 */
export function settle(history) {
  return history.future.length ? Object.freeze({ ...history, future: [] }) : history;
}

/**
 * A value for JSON from which `restore` makes the same history again.
 * @param {History} history @returns {Stored}
 */
export const serialise = ({ state, past, future }) => ({ ...toPayload(state), past, future });

/**
 * The history stored for an item; throws RangeError when it does not fit the item's headlines.
 * @param {Stored} stored @param {Cluster} item @returns {History}
 */
export function restore(stored, item) {
  const state = fromItem({ ...item, placements: stored.placements });
  for (const [number] of [...stored.past, ...stored.future].flat()) {
    if (number >= 1 && number <= state.size) continue;
    throw new RangeError("The stored history belongs to another cluster");
  }
  return Object.freeze({ state, past: stored.past, future: stored.future });
}

/** @param {State} state @param {Change[]} patch @param {1 | 2} side which of was and is @returns {State} */
function patched(state, patch, side) {
  const places = new Map(state.places);
  for (const change of patch) {
    const group = change[side];
    if (group === null) places.delete(change[0]);
    else places.set(change[0], group);
  }
  return Object.freeze({ ...state, places });
}

/**
 * The places of headlines in several partitions, with one number for groups that are matched: those with most
 * in common first, as paragold.metrics.partitions matches them. Groups of one are NONE.
 * @param {number} size @param {number[][][]} partitions @returns {Map<number, number>[]}
 */
export function alike(size, partitions) {
  /** @type {Set<number>[]} the headlines of each number */
  const numbered = [];
  return partitions.map((groups) => {
    const overlaps = groups.flatMap((group, at) => numbered.map((members, index) => (
      { at, index, common: group.filter((number) => members.has(number)) })))
      .filter(({ common }) => common.length)
      .sort((p, q) => q.common.length - p.common.length || Math.min(...p.common) - Math.min(...q.common));
    /** @type {Map<number, number>} group -> its number, from 0 */
    const matched = new Map();
    for (const { at, index } of overlaps) {
      if (!matched.has(at) && ![...matched.values()].includes(index)) matched.set(at, index);
    }
    const places = new Map(numbers({ size }).map((number) => [number, NONE]));
    groups.forEach((group, at) => {
      const index = matched.get(at) ?? numbered.push(new Set()) - 1;
      for (const number of group) {
        places.set(number, index + 1);
        numbered[index].add(number);
      }
    });
    return places;
  });
}
