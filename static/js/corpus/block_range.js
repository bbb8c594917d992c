/** The blocks between two, and how many are main text: apart from the page, so that they are tested apart. */

/**
 * The numbers from one to the other, both included, whichever is the greater.
 * @param {number} from @param {number} to
 */
export function between(from, to) {
  const first = Math.min(from, to);
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => first + step);
}

/**
 * In words, how many of the marks are main text.
 * @param {boolean[]} marks
 */
export function tally(marks) {
  return `${marks.filter(Boolean).length} of ${marks.length} are main text`;
}

/**
 * The numbers, from 1, of the marks that are set, as ranges: "2-5,9".
 * @param {boolean[]} marks
 */
export function ranges(marks) {
  /** @type {[number, number][]} */
  const found = [];
  marks.forEach((mark, at) => {
    if (!mark) return;
    if (at > 0 && marks[at - 1]) found[found.length - 1][1] = at + 1;
    else found.push([at + 1, at + 1]);
  });
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
