/**
 * The word links of one pair as an immutable value, free of the DOM.
 *
 * A state is {sizeA, sizeB, links, nullA, nullB, suggestions}: `links` maps "i-j" (token indices from 0, the
 * first sentence first) to {strength: "sure" | "possible", origin: "drawn" | "accepted" | "imported"}; `nullA`
 * and `nullB` are the words marked "no counterpart"; `suggestions` holds the "i-j" that an aligner proposed and
 * nobody has decided on. Every operation returns a new state, or the same one when nothing changed, so that
 * `next === state` tells whether there is anything to draw, to save or to undo.
 */

export const SURE = "sure";
export const POSSIBLE = "possible";
export const DRAWN = "drawn";
export const ACCEPTED = "accepted";

const STRENGTHS = new Set([SURE, POSSIBLE]);

export const keyOf = (i, j) => `${i}-${j}`;
export const cellOf = (key) => key.split("-").map(Number);
export const otherSide = (side) => (side === "a" ? "b" : "a");
export const sizeOf = (state, side) => (side === "a" ? state.sizeA : state.sizeB);
export const nullsOf = (state, side) => (side === "a" ? state.nullA : state.nullB);

export function emptyState(sizeA, sizeB) {
  return Object.freeze({
    sizeA, sizeB, links: new Map(), nullA: new Set(), nullB: new Set(), suggestions: new Set(),
  });
}

/** The state of an ITEM of the API. Throws RangeError for an index outside its sentence. */
export function fromItem(item) {
  const empty = emptyState(item.a.tokens.length, item.b.tokens.length);
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

/** The part of a PUT body that holds the links, in a stable order. */
export function toPayload(state) {
  const links = [...state.links].map(([key, { strength, origin }]) => [...cellOf(key), strength, origin]);
  links.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const ascending = (set) => [...set].sort((p, q) => p - q);
  return { links, null_a: ascending(state.nullA), null_b: ascending(state.nullB) };
}

/** Links every cell [i, j] with the strength. A cell that was suggested counts as accepted. */
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

/** One step of SURE -> POSSIBLE -> none; a bare or suggested cell becomes SURE. */
export function cycle(state, i, j) {
  const strength = state.links.get(keyOf(i, j))?.strength;
  if (strength === POSSIBLE) return remove(state, [[i, j]]);
  return link(state, [[i, j]], strength === SURE ? POSSIBLE : SURE);
}

/** Takes the links and the suggestions of the cells away. */
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

/** Takes every link, suggestion and "no counterpart" mark of the words away. */
export function clearWords(state, side, indices) {
  const cleared = remove(state, cellsOfWords(state, side, indices));
  const nulls = nullsOf(cleared, side);
  if (!indices.some((index) => nulls.has(index))) return cleared;
  const draft = thaw(cleared);
  for (const index of indices) nullsOf(draft, side).delete(index);
  return Object.freeze(draft);
}

/** Marks the words "no counterpart" (which takes their links away), or unmarks them if all of them are marked. */
export function toggleNull(state, side, indices) {
  if (!indices.length) return state;
  checkedWords(state, side, indices);
  const marked = indices.every((index) => nullsOf(state, side).has(index));
  const draft = thaw(marked ? state : remove(state, cellsOfWords(state, side, indices)));
  for (const index of indices) marked ? nullsOf(draft, side).delete(index) : nullsOf(draft, side).add(index);
  return Object.freeze(draft);
}

/** Turns those of the cells that are suggested into SURE links of origin "accepted". */
export function acceptSuggestions(state, cells) {
  return link(state, cells.filter(([i, j]) => state.suggestions.has(keyOf(i, j))), SURE);
}

export const acceptAll = (state) => acceptSuggestions(state, [...state.suggestions].map(cellOf));

/** The cells of the suggestions that touch one of the words. */
export const suggestionsOf = (state, side, indices) => touching([...state.suggestions], side, indices);

/** The links of one word, as [{other, strength, origin}] in the order of the other sentence. */
export function linksOf(state, side, index) {
  const found = [];
  for (const [key, mark] of state.links) {
    const [i, j] = cellOf(key);
    if ((side === "a" ? i : j) === index) found.push({ other: side === "a" ? j : i, ...mark });
  }
  return found.sort((p, q) => p.other - q.other);
}

/** The words that are neither linked nor marked "no counterpart": {a: [i...], b: [j...]}. */
export function openWords(state) {
  const linked = { a: new Set(), b: new Set() };
  for (const key of state.links.keys()) {
    const [i, j] = cellOf(key);
    linked.a.add(i);
    linked.b.add(j);
  }
  const open = (side) => {
    const indices = [];
    for (let index = 0; index < sizeOf(state, side); index += 1) {
      if (!linked[side].has(index) && !nullsOf(state, side).has(index)) indices.push(index);
    }
    return indices;
  };
  return { a: open("a"), b: open("b") };
}

/** Numbers for the page: open words per side, links per strength, undecided suggestions. */
export function counts(state) {
  const open = openWords(state);
  let sure = 0;
  for (const { strength } of state.links.values()) sure += strength === SURE ? 1 : 0;
  return {
    openA: open.a.length, openB: open.b.length, sure, possible: state.links.size - sure,
    suggested: state.suggestions.size,
  };
}

function cellsOfWords(state, side, indices) {
  return touching([...state.links.keys(), ...state.suggestions], side, indices);
}

function touching(keys, side, indices) {
  const wanted = new Set(indices);
  return keys.map(cellOf).filter(([i, j]) => wanted.has(side === "a" ? i : j));
}

function thaw(state) {
  return {
    ...state, links: new Map(state.links), nullA: new Set(state.nullA), nullB: new Set(state.nullB),
    suggestions: new Set(state.suggestions),
  };
}

function checkCell(state, i, j) {
  checkedWords(state, "a", [i]);
  checkedWords(state, "b", [j]);
}

function checkedWords(state, side, indices) {
  const size = sizeOf(state, side);
  for (const index of indices) {
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`Word ${index} of sentence ${side} is outside its ${size} words`);
    }
  }
  return new Set(indices);
}
