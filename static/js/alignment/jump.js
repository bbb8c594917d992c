/** Jumping to a word by its letters: `/`, then letters. */

/**
 * Lower case without combining marks, so that "e" finds "é" and upper case does not matter.
 * @param {string} text
 */
export const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * The next word that starts with the letters (or else contains them), going down from `from` and around the
 * end. `from` itself is tried first unless `after` is true. Returns an index, or -1 when no word matches.
 * @param {string[]} tokens @param {string} letters @param {number} from
 */
export function nextMatch(tokens, letters, from, after = false) {
  const wanted = folded(letters);
  if (!wanted) return -1;
  const order = tokens.map((_, step) => (from + step + (after ? 1 : 0)) % tokens.length);
  const words = tokens.map(folded);
  const starts = order.find((index) => words[index].startsWith(wanted));
  return starts ?? order.find((index) => words[index].includes(wanted)) ?? -1;
}

/**
 * The word of the other sentence to arrive at: a linked one, a suggested one, an open word of the same
 * letters, or null. Each candidate list is in the order of the other sentence.
 * @param {{ linked: number[], suggested: number[], token: string, otherTokens: string[],
 *   otherOpen: number[] }} word
 */
export function counterpart({ linked, suggested, token, otherTokens, otherOpen }) {
  if (linked.length) return linked[0];
  if (suggested.length) return suggested[0];
  const wanted = folded(token);
  return otherOpen.find((index) => folded(otherTokens[index]) === wanted) ?? null;
}
