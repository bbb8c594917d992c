/** What the page says aloud: the label of a word and the sentence that tells a change. */

import { cellOf, linksOf, nullsOf, POSSIBLE, SURE, suggestionsOf } from "./state.js";

/** For example "extinguish, linked sure with put, out" or "were, open". */
export function wordLabel(state, words, side, index) {
  const others = words[side === "a" ? "b" : "a"];
  const links = linksOf(state, side, index);
  const named = (strength) => links.filter((mark) => mark.strength === strength).map((mark) => others[mark.other]);
  const suggested = suggestionsOf(state, side, [index]).map(([i, j]) => others[side === "a" ? j : i]);
  const parts = [words[side][index]];
  if (named(SURE).length) parts.push(`linked sure with ${named(SURE).join(", ")}`);
  if (named(POSSIBLE).length) parts.push(`linked possible with ${named(POSSIBLE).join(", ")}`);
  if (suggested.length) parts.push(`suggested with ${suggested.join(", ")}`);
  if (nullsOf(state, side).has(index)) parts.push("no counterpart");
  else if (!links.length) parts.push("open");
  return parts.join(", ");
}

/** The status of a word that its shape shows: "sure", "possible", "null", "suggested" or "open". */
export function wordStatus(state, side, index) {
  if (nullsOf(state, side).has(index)) return "null";
  const links = linksOf(state, side, index);
  if (links.some((mark) => mark.strength === SURE)) return SURE;
  if (links.length) return POSSIBLE;
  return suggestionsOf(state, side, [index]).length ? "suggested" : "open";
}

/** One sentence for a patch of history.js, for example "put with extinguish: sure. 3 left." */
export function told(patch, words, left) {
  const pairs = patch.filter(([kind]) => kind === "link");
  const nulls = patch.filter(([kind]) => kind === "null");
  const parts = [];
  for (const [strength, links] of groupedBy(pairs, ([, , , , after]) => after?.[0] ?? "no link")) {
    parts.push(links.length > 3
      ? `${links.length} links: ${strength}`
      : `${links.map(([, i, j]) => `${words.a[i]} with ${words.b[j]}`).join("; ")}: ${strength}`);
  }
  const marked = nulls.filter(([, , , , after]) => after).map(([, side, index]) => words[side][index]);
  const unmarked = nulls.filter(([, , , , after]) => !after).map(([, side, index]) => words[side][index]);
  if (marked.length) parts.push(`${marked.join(", ")}: no counterpart`);
  if (unmarked.length && !pairs.length) parts.push(`${unmarked.join(", ")}: open again`);
  const dismissed = patch.filter(([kind, , , , after]) => kind === "suggestion" && !after);
  if (!parts.length && dismissed.length) parts.push(`${dismissed.length} suggested: dismissed`);
  parts.push(left ? `${left} left` : "No word left open");
  return `${parts.join(". ")}.`;
}

/** The links as a readable list, for comparing one's own with the server's. */
export function listed(state, words) {
  return [...state.links].map(([key, { strength }]) => {
    const [i, j] = cellOf(key);
    return { i, j, text: `${words.a[i]} – ${words.b[j]}`, strength };
  }).sort((p, q) => p.i - q.i || p.j - q.j);
}

function groupedBy(entries, name) {
  const groups = new Map();
  for (const entry of entries) groups.set(name(entry), [...(groups.get(name(entry)) ?? []), entry]);
  return groups;
}
