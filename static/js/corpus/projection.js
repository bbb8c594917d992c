/**
 * What other thresholds would yield, computed from the pairs of a dry run. Nothing here touches the page.
 *
 * The same rules as paragold/extraction/selection.py (which pairs) and paragold/statistics.py (how
 * many).
 *
 * @typedef {[number, number]} Ratio numerator and denominator
 *
 * The maxima and `first_n` are null without a limit.
 * @typedef {{ method: string, ratio_strict: boolean,
 *   min_edit_distance: number, max_edit_distance: number | null,
 *   first_n: number | null, min_shared_words: number, min_length: number, max_length: number | null,
 *   min_length_ratio: Ratio, first_length_ratio: Ratio }} Thresholds
 *
 * A value of each pair of the dry run: `cluster` is an index into `work`.
 * @typedef {Record<"distance" | "shorter" | "longer" | "shared" | "position" | "cluster", number[]>} Columns
 *
 * What the dry run counted: the comparisons (`work`) of each sampled cluster, of how many `clusters`, with
 * `allWork` in these; each pair stands for `weight`.
 * @typedef {{ columns: Columns, work: number[], weight: number, clusters: number, allWork: number,
 *   alsoFirst: boolean }} Counted
 *
 * @typedef {Record<string, string | number | boolean | null>} Settings by parameter, as the server gives them
 * @typedef {Record<string, string>} Texts by parameter, as a form has them
 */

const DEVIATIONS = 1.959963984540054;
/** @type {["min_edit_distance", "min_shared_words", "min_length"]} */
const MINIMA = ["min_edit_distance", "min_shared_words", "min_length"];
/** @type {["max_edit_distance", "first_n", "max_length"]} */
const MAXIMA = ["max_edit_distance", "first_n", "max_length"];

/**
 * "2/3" or "0.66" as numerator and denominator; null when it is neither, or outside 0 to 1.
 * @param {string} text @returns {Ratio | null}
 */
export function parseRatio(text) {
  const fraction = /^([0-9]{1,10})\/([0-9]{1,10})$/.exec(text.trim());
  const decimal = /^([0-9]*)(?:\.([0-9]{1,9}))?$/.exec(text.trim());
  /** @type {Ratio | null} */
  let ratio = null;
  if (fraction) ratio = [Number(fraction[1]), Number(fraction[2])];
  else if (decimal && text.trim()) {
    const [, whole, digits = ""] = decimal;
    ratio = [Number((whole || "0") + digits), 10 ** digits.length];
  }
  return ratio && ratio[1] > 0 && ratio[0] <= ratio[1] ? ratio : null;
}

/**
 * The form's texts by parameter as thresholds; null when one of them cannot be read.
 * @param {Texts} texts @returns {Thresholds | null}
 */
export function parseThresholds(texts) {
  /** @type {Record<string, unknown>} */
  const thresholds = { method: texts.method, ratio_strict: texts.ratio_strict === "yes" };
  for (const name of [...MINIMA, ...MAXIMA]) {
    const text = (texts[name] ?? "").trim().toLowerCase();
    const optional = MAXIMA.some((maximum) => maximum === name);
    if (optional && (text === "" || text === "none")) thresholds[name] = null;
    else if (/^[0-9]{1,9}$/.test(text)) thresholds[name] = Number(text);
    else return null;
  }
  for (const name of ["min_length_ratio", "first_length_ratio"]) {
    thresholds[name] = parseRatio(texts[name] ?? "0");
    if (!thresholds[name]) return null;
  }
  return /** @type {Thresholds} */ (thresholds);
}

/**
 * How many pairs of each sampled cluster the thresholds let through.
 * @param {Pick<Counted, "columns" | "work" | "alsoFirst">} counted @param {Thresholds} thresholds
 * @returns {number[]}
 */
export function countAdmitted({ columns, work, alsoFirst }, thresholds) {
  const counts = new Array(work.length).fill(0);
  const { distance, shorter, longer, shared, position, cluster } = columns;
  /** @param {Ratio} ratio @param {number} row */
  const reaches = ([part, whole], row) => (
    shorter[row] * whole >= longer[row] * part + (thresholds.ratio_strict && part ? 1 : 0));
  /** @param {number} row */
  const near = (row) => distance[row] >= thresholds.min_edit_distance
    && (thresholds.max_edit_distance === null || distance[row] <= thresholds.max_edit_distance)
    && reaches(thresholds.min_length_ratio, row);
  /** @param {number} row */
  const first = (row) => thresholds.first_n === null || position[row] < thresholds.first_n;
  /** @type {(row: number) => boolean} */
  const admitted = alsoFirst
    ? (row) => near(row) || (first(row) && reaches(thresholds.first_length_ratio, row))
    : (row) => near(row) && first(row);
  for (let row = 0; row < distance.length; row += 1) {
    if (shared[row] >= thresholds.min_shared_words && shorter[row] >= thresholds.min_length
      && (thresholds.max_length === null || longer[row] <= thresholds.max_length) && admitted(row)) {
      counts[cluster[row]] += 1;
    }
  }
  return counts;
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Pairs to expect of the whole corpus, with a 95 % interval (ratio estimator; Cochran 1977, 6.2 to 6.4).
 * @param {number[]} counts @param {Omit<Counted, "columns">} counted
 */
export function project(counts, { work, weight, clusters, allWork }) {
  const done = sum(work);
  const counted = weight * sum(counts);
  if (counts.length === clusters) return { pairs: counted, low: counted, high: counted };
  if (!done) return { pairs: counted, low: counted, high: Infinity };
  const ratio = counted / done;
  const pairs = ratio * allWork;
  if (counts.length === 1) return { pairs, low: counted, high: Infinity };
  const residues = sum(counts.map((count, index) => (weight * count - ratio * work[index]) ** 2));
  const variance = ((1 - counts.length / clusters) * residues) / (counts.length - 1) / counts.length;
  const margin = DEVIATIONS * clusters * Math.sqrt(variance) * (allWork / clusters / (done / counts.length));
  return { pairs, low: Math.max(counted, pairs - margin), high: pairs + margin };
}

/**
 * A parameter's value as a form shows it.
 * @param {Settings[string]} value
 */
function textOf(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === null ? "none" : String(value);
}

/**
 * Thresholds of the settings that the server counted with.
 * @param {Settings} settings
 */
export function thresholdsOf(settings) {
  const texts = Object.entries(settings).map(([name, value]) => [name, textOf(value)]);
  return parseThresholds(Object.fromEntries(texts));
}

/**
 * Whether two sets of thresholds ask for the same; 0.5 and 1/2 are equal.
 * @param {Thresholds} one @param {Thresholds} other
 */
export function sameThresholds(one, other) {
  /** @param {unknown} a @param {unknown} b */
  const same = (a, b) => (Array.isArray(a) && Array.isArray(b) ? a[0] * b[1] === b[0] * a[1] : a === b);
  const names = /** @type {(keyof Thresholds)[]} */ (Object.keys(one));
  return names.every((name) => same(one[name], other[name]));
}

const OPTIONS = ["method", "distance", "placeholders", "same_article", "clusters", "shared_word_length"];

/**
 * Options of which the numbers at hand tell nothing: the first that differs from what was counted, or null.
 * @param {Texts} texts @param {Settings} counted
 */
export function otherOptions(texts, counted) {
  return OPTIONS.find((name) => name in texts && texts[name].trim() !== textOf(counted[name])) ?? null;
}

/**
 * Parameters that ask for more than was counted: for them the projection can only be too low.
 * @param {Thresholds} thresholds @param {Settings} counted
 * @returns {string[]}
 */
export function beyondCounted(thresholds, counted) {
  const value = (/** @type {Ratio | null} */ ratio) => (ratio ? ratio[0] / ratio[1] : NaN);
  const lower = MINIMA.filter((name) => thresholds[name] < Number(counted[name]));
  const upper = MAXIMA.filter((name) => counted[name] !== null
    && (thresholds[name] ?? Infinity) > Number(counted[name]));
  /** @type {["min_length_ratio", "first_length_ratio"]} */
  const names = ["min_length_ratio", "first_length_ratio"];
  const ratios = names.filter((name) => (
    value(thresholds[name]) < value(parseRatio(String(counted[name] ?? "0")))));
  return [...lower, ...upper, ...ratios];
}
