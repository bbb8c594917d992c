/** What other thresholds would yield, computed from the pairs of a dry run. Nothing here touches the page.
 *
 * The same rules as paragold/extraction/selection.py (which pairs) and paragold/extraction/projection.py (how many). */

const DEVIATIONS = 1.96;
const WHOLE = ["min_edit_distance", "max_edit_distance", "first_n", "min_shared_words", "min_length", "max_length"];
const OPTIONAL = new Set(["max_edit_distance", "first_n", "max_length"]);

/** "2/3" or "0.66" as [numerator, denominator]; null when it is neither, or outside 0 to 1. */
export function parseRatio(text) {
  const fraction = /^([0-9]{1,10})\/([0-9]{1,10})$/.exec(text.trim());
  const decimal = /^([0-9]*)(?:\.([0-9]{1,9}))?$/.exec(text.trim());
  let ratio = null;
  if (fraction) ratio = [Number(fraction[1]), Number(fraction[2])];
  else if (decimal && text.trim()) ratio = [Number((decimal[1] || "0") + (decimal[2] ?? "")), 10 ** (decimal[2] ?? "").length];
  return ratio && ratio[1] > 0 && ratio[0] <= ratio[1] ? ratio : null;
}

/** The form's texts by parameter as thresholds; null when one of them cannot be read. */
export function parseThresholds(texts) {
  const thresholds = { method: texts.method, ratio_strict: texts.ratio_strict === "yes" };
  for (const name of WHOLE) {
    const text = (texts[name] ?? "").trim().toLowerCase();
    if (OPTIONAL.has(name) && (text === "" || text === "none")) thresholds[name] = null;
    else if (/^[0-9]{1,9}$/.test(text)) thresholds[name] = Number(text);
    else return null;
  }
  for (const name of ["min_length_ratio", "first_length_ratio"]) {
    thresholds[name] = parseRatio(texts[name] ?? "0");
    if (!thresholds[name]) return null;
  }
  return thresholds;
}

/** How many pairs of each sampled cluster the thresholds let through; `alsoFirst`: first sentences by their own ratio too. */
export function countAdmitted({ columns, work, alsoFirst }, thresholds) {
  const counts = new Array(work.length).fill(0);
  const { distance, shorter, longer, shared, position, cluster } = columns;
  const reaches = ([part, whole], row) => shorter[row] * whole >= longer[row] * part + (thresholds.ratio_strict && part ? 1 : 0);
  const near = (row) => distance[row] >= thresholds.min_edit_distance
    && (thresholds.max_edit_distance === null || distance[row] <= thresholds.max_edit_distance);
  const first = (row) => thresholds.first_n === null || position[row] < thresholds.first_n;
  const found = alsoFirst
    ? (row) => (near(row) && reaches(thresholds.min_length_ratio, row)) || (first(row) && reaches(thresholds.first_length_ratio, row))
    : (row) => near(row) && first(row) && reaches(thresholds.min_length_ratio, row);
  for (let row = 0; row < distance.length; row += 1) {
    if (shared[row] >= thresholds.min_shared_words && shorter[row] >= thresholds.min_length
      && (thresholds.max_length === null || longer[row] <= thresholds.max_length) && found(row)) counts[cluster[row]] += 1;
  }
  return counts;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Pairs to expect of the whole corpus, with a 95 % interval (ratio estimator; Cochran 1977, 6.2 to 6.4). */
export function project(counts, { work, weight, clusters, allWork }) {
  const done = sum(work);
  const counted = weight * sum(counts);
  if (counts.length === clusters || !done) return { pairs: counted, low: counted, high: counts.length === clusters ? counted : Infinity };
  const ratio = counted / done;
  const pairs = ratio * allWork;
  if (counts.length === 1) return { pairs, low: counted, high: Infinity };
  const residues = sum(counts.map((count, index) => (weight * count - ratio * work[index]) ** 2));
  const variance = ((1 - counts.length / clusters) * residues) / (counts.length - 1) / counts.length;
  const margin = DEVIATIONS * clusters * Math.sqrt(variance) * (allWork / clusters / (done / counts.length));
  return { pairs, low: Math.max(counted, pairs - margin), high: pairs + margin };
}

/** A parameter's value as a form shows it. */
const text = (value) => (value === null ? "none" : typeof value === "boolean" ? (value ? "yes" : "no") : String(value));

/** Thresholds of the settings that the server counted with. */
export function thresholdsOf(settings) {
  return parseThresholds(Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, text(value)])));
}

/** Whether two sets of thresholds ask for the same; 0.5 and 1/2 are equal. */
export function sameThresholds(one, other) {
  const same = (a, b) => (Array.isArray(a) ? a[0] * b[1] === b[0] * a[1] : a === b);
  return Object.keys(one).every((name) => same(one[name], other[name]));
}

const OPTIONS = ["method", "distance", "placeholders", "clusters", "shared_word_length"];

/** Options of which the numbers at hand tell nothing: the first that differs from what was counted, or null. */
export function otherOptions(texts, counted) {
  return OPTIONS.find((name) => name in texts && texts[name].trim() !== text(counted[name])) ?? null;
}

/** Parameters that ask for more than was counted: for them the projection can only be too low. */
export function beyondCounted(thresholds, counted) {
  const value = ([part, whole]) => part / whole;
  const lower = ["min_edit_distance", "min_shared_words", "min_length"].filter((name) => thresholds[name] < counted[name]);
  const upper = ["max_edit_distance", "first_n", "max_length"].filter((name) => counted[name] !== null && (thresholds[name] === null || thresholds[name] > counted[name]));
  const ratios = ["min_length_ratio", "first_length_ratio"].filter((name) => value(thresholds[name]) < value(parseRatio(String(counted[name] ?? "0"))));
  return [...lower, ...upper, ...ratios];
}
