/**
 * The word links of one pair as an immutable value, free of the DOM.
 *
 * Of a state, `links` maps "i-j" (token indices from 0, the first sentence first) to marks; `nullA` and
 * `nullB` are the words marked "no counterpart"; `suggestions` holds the "i-j" that an aligner proposed and
 * nobody has decided on. Every operation returns a new state, or the same one when nothing changed, so that
 * `next === state` tells whether there is anything to draw, to save or to undo.
 * @typedef {Readonly<{ sizeA: number, sizeB: number, links: Map<string, Mark>, nullA: Set<number>,
 *   nullB: Set<number>, suggestions: Set<string> }>} State
 *
 * `origin` is "drawn", "accepted" or "imported".
 * @typedef {{ strength: Strength, origin: string }} Mark
 *
 * @typedef {"sure" | "possible"} Strength
 * @typedef {[number, number]} Cell token indices in both sentences
 * @typedef {import("../shared/text.js").Sentence} Sentence
 * @typedef {import("../shared/text.js").Side} Side
 * @typedef {Record<Side, string[]>} Words the tokens of both sentences
 *
 * What the API knows of the links of a pair.
 * @typedef {{ links?: [number, number, Strength, string?][], null_a?: number[], null_b?: number[],
 *   suggestions?: number[][] }} Links
 *
 * An item of the API; `disputed` are the cells that annotators differ on, in the second pass.
 * @typedef {Record<Side, Sentence> & Links & { disputed?: Cell[] }} Pair
 */

import { sameForm } from "./identical.js";

/** @type {Strength} */
export const SURE = "sure";
/** @type {Strength} */
export const POSSIBLE = "possible";
export const DRAWN = "drawn";
export const ACCEPTED = "accepted";

const STRENGTHS = new Set([SURE, POSSIBLE]);

/** @param {number} i @param {number} j */
export const keyOf = (i, j) => `${i}-${j}`;
/** @param {string} key */
export const cellOf = (key) => /** @type {Cell} */ (key.split("-").map(Number));
/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "a" ? "b" : "a");
/** @param {State} state @param {Side} side */
export const sizeOf = (state, side) => (side === "a" ? state.sizeA : state.sizeB);
/** @param {Pick<State, "nullA" | "nullB">} state @param {Side} side */
export const nullsOf = (state, side) => (side === "a" ? state.nullA : state.nullB);

/** @param {number} sizeA @param {number} sizeB @returns {State} */
export function emptyState(sizeA, sizeB) {
  return Object.freeze({
    sizeA, sizeB, links: new Map(), nullA: new Set(), nullB: new Set(), suggestions: new Set(),
  });
}

/**
 * The state of an item of the API. Throws RangeError for an index outside its sentence.
 * @param {Pair} item @returns {State}
 */
export function fromItem(item) {
  const empty = emptyState(item.a.tokens.length, item.b.tokens.length);
  /** @type {State["links"]} */
  const links = new Map();
  for (const [i, j, strength, origin] of item.links ?? []) {
    checkCell(empty, i, j);
    if (!STRENGTHS.has(strength)) throw new RangeError(`Unknown strength "${strength}" of link ${i}-${j}`);
    links.set(keyOf(i, j), { strength, origin: origin ?? DRAWN });
  }
  const nullA = checkedWords(empty, "a", item.null_a ?? []);
  const nullB = checkedWords(empty, "b", item.null_b ?? []);
  const suggestions = new Set();
  for (const [i, j] of item.suggestions ?? []) {
    checkCell(empty, i, j);
    if (!links.has(keyOf(i, j)) && !nullA.has(i) && !nullB.has(j)) suggestions.add(keyOf(i, j));
  }
  return Object.freeze({ ...empty, links, nullA, nullB, suggestions });
}

/**
 * The part of a PUT body that holds the links, in a stable order.
 * @param {State} state
 */
export function toPayload(state) {
  /** @type {[number, number, Strength, string][]} */
  const links = [...state.links].map(([key, { strength, origin }]) => [...cellOf(key), strength, origin]);
  links.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const ascending = (/** @type {Set<number>} */ set) => [...set].sort((p, q) => p - q);
  return { links, null_a: ascending(state.nullA), null_b: ascending(state.nullB) };
}

/**
 * Links every cell [i, j] with the strength. A cell that was suggested counts as accepted.
 * @param {State} state @param {Cell[]} cells @param {Strength} strength @returns {State}
 */
export function link(state, cells, strength) {
  if (!STRENGTHS.has(strength)) throw new RangeError(`Unknown strength "${strength}"`);
  const draft = thaw(state);
  let changed = false;
  for (const [i, j] of cells) {
    checkCell(state, i, j);
    const key = keyOf(i, j);
    const before = state.links.get(key);
    if (before?.strength === strength) continue;
    const origin = before?.origin ?? (state.suggestions.has(key) ? ACCEPTED : DRAWN);
    draft.links.set(key, { strength, origin });
    draft.suggestions.delete(key);
    draft.nullA.delete(i);
    draft.nullB.delete(j);
    changed = true;
  }
  return changed ? Object.freeze(draft) : state;
}

/**
 * As `link`, in place of all other links and suggestions of the words.
 * @param {State} state @param {Cell[]} cells @param {Strength} strength
 */
export function replace(state, cells, strength) {
  const wanted = new Set(cells.map(([i, j]) => keyOf(i, j)));
  const rows = cellsOfWords(state, "a", cells.map(([i]) => i));
  const columns = cellsOfWords(state, "b", cells.map(([, j]) => j));
  const others = [...rows, ...columns].filter(([i, j]) => !wanted.has(keyOf(i, j)));
  return link(remove(state, others), cells, strength);
}

/**
 * One step of SURE -> POSSIBLE -> none; a bare or suggested cell becomes SURE.
 * @param {State} state @param {number} i @param {number} j
 */
export function cycle(state, i, j) {
  const strength = state.links.get(keyOf(i, j))?.strength;
  if (strength === POSSIBLE) return remove(state, [[i, j]]);
  return link(state, [[i, j]], strength === SURE ? POSSIBLE : SURE);
}

/**
 * Takes the links and the suggestions of the cells away.
 * @param {State} state @param {Cell[]} cells @returns {State}
 */
export function remove(state, cells) {
  const draft = thaw(state);
  let changed = false;
  for (const [i, j] of cells) {
    const key = keyOf(i, j);
    const hadLink = draft.links.delete(key);
    const hadSuggestion = draft.suggestions.delete(key);
    changed ||= hadLink || hadSuggestion;
  }
  return changed ? Object.freeze(draft) : state;
}

/**
 * Takes every link, suggestion and "no counterpart" mark of the words away.
 * @param {State} state @param {Side} side @param {number[]} indices @returns {State}
 */
export function clearWords(state, side, indices) {
  const cleared = remove(state, cellsOfWords(state, side, indices));
  const nulls = nullsOf(cleared, side);
  if (!indices.some((index) => nulls.has(index))) return cleared;
  const draft = thaw(cleared);
  for (const index of indices) nullsOf(draft, side).delete(index);
  return Object.freeze(draft);
}

/**
 * Marks the words "no counterpart" (which takes their links away), or unmarks them if all of them are marked.
 * @param {State} state @param {Side} side @param {number[]} indices @returns {State}
 */
export function toggleNull(state, side, indices) {
  if (!indices.length) return state;
  checkedWords(state, side, indices);
  const marked = indices.every((index) => nullsOf(state, side).has(index));
  const draft = thaw(marked ? state : remove(state, cellsOfWords(state, side, indices)));
  for (const index of indices) {
    if (marked) nullsOf(draft, side).delete(index);
    else nullsOf(draft, side).add(index);
  }
  return Object.freeze(draft);
}

/**
 * Turns those of the cells that are suggested into SURE links of origin "accepted".
 * @param {State} state @param {Cell[]} cells
 */
export function acceptSuggestions(state, cells) {
  return link(state, cells.filter(([i, j]) => state.suggestions.has(keyOf(i, j))), SURE);
}

/** @param {State} state */
export const acceptAll = (state) => acceptSuggestions(state, [...state.suggestions].map(cellOf));

/**
 * The cells that are suggested between identical words.
 * @param {State} state @param {Words} words
 */
export const identicalSuggestions = (state, words) => [...state.suggestions].map(cellOf)
  .filter(([i, j]) => sameForm(words.a[i]) === sameForm(words.b[j]));

/**
 * The cells of the suggestions that touch one of the words.
 * @param {State} state @param {Side} side @param {number[]} indices
 */
export const suggestionsOf = (state, side, indices) => touching([...state.suggestions], side, indices);

/**
 * The links of one word, in the order of the other sentence.
 * @param {State} state @param {Side} side @param {number} index
 */
export function linksOf(state, side, index) {
  /** @type {({ other: number } & Mark)[]} */
  const found = [];
  for (const [key, mark] of state.links) {
    const [i, j] = cellOf(key);
    if ((side === "a" ? i : j) === index) found.push({ other: side === "a" ? j : i, ...mark });
  }
  return found.sort((p, q) => p.other - q.other);
}

/**
 * The words that are neither linked nor marked "no counterpart".
 * @param {State} state
 */
export function openWords(state) {
  const linked = { a: new Set(), b: new Set() };
  for (const key of state.links.keys()) {
    const [i, j] = cellOf(key);
    linked.a.add(i);
    linked.b.add(j);
  }
  const open = (/** @type {Side} */ side) => {
    const indices = [];
    for (let index = 0; index < sizeOf(state, side); index += 1) {
      if (!linked[side].has(index) && !nullsOf(state, side).has(index)) indices.push(index);
    }
    return indices;
  };
  return { a: open("a"), b: open("b") };
}

/**
 * Numbers for the page: open words per side, links per strength, undecided suggestions.
 * @param {State} state
 */
export function counts(state) {
  const open = openWords(state);
  let sure = 0;
  for (const { strength } of state.links.values()) sure += strength === SURE ? 1 : 0;
  return {
    openA: open.a.length, openB: open.b.length, sure, possible: state.links.size - sure,
    suggested: state.suggestions.size,
  };
}

/** @param {State} state @param {Side} side @param {number[]} indices */
function cellsOfWords(state, side, indices) {
  return touching([...state.links.keys(), ...state.suggestions], side, indices);
}

/** @param {string[]} keys @param {Side} side @param {number[]} indices */
function touching(keys, side, indices) {
  const wanted = new Set(indices);
  return keys.map(cellOf).filter(([i, j]) => wanted.has(side === "a" ? i : j));
}

/** @param {State} state */
function thaw(state) {
  return {
    ...state, links: new Map(state.links), nullA: new Set(state.nullA), nullB: new Set(state.nullB),
    suggestions: new Set(state.suggestions),
  };
}

/** @param {State} state @param {number} i @param {number} j */
function checkCell(state, i, j) {
  checkedWords(state, "a", [i]);
  checkedWords(state, "b", [j]);
}

/** @param {State} state @param {Side} side @param {number[]} indices */
function checkedWords(state, side, indices) {
  const size = sizeOf(state, side);
  for (const index of indices) {
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`Word ${index} of sentence ${side} is outside its ${size} words`);
    }
  }
  return new Set(indices);
}
