/**
 * Which words count as identical: case, and the style of quotes and dashes, do not matter. The same table is
 * in paragold/text/tokenisation.py.
 */

const STYLES = [["‘’‚‛‹›\u0060´′ʼ＇", "'"], ["“”„‟«»″＂", '"'], ["‐‑‒–—―−﹘﹣－", "-"]];
const PLAIN = new Map(STYLES.flatMap(([characters, plain]) => [...characters].map((one) => [one, plain])));

/**
 * The word in lower case with straight quotes and plain hyphens; dashes in a row are one.
 * @param {string} word
 */
export function sameForm(word) {
  const plain = [...word.toLowerCase()].map((character) => PLAIN.get(character) ?? character).join("");
  return /^-+$/.test(plain) ? "-" : plain;
}
