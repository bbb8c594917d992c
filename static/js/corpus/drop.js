/** What was dropped on a page that takes one file. */

/**
 * The file, or why there is none to take.
 * @param {Pick<DataTransfer, "files">
 *   & { items: ArrayLike<Pick<DataTransferItem, "webkitGetAsEntry">> }} given
 * @returns {{ file: File, problem: "" } | { file: null, problem: string }}
 */
export function dropped({ files, items }) {
  const folder = Array.from(items).some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  if (folder) return { file: null, problem: "This is a folder. Pack it into a zip file and drop that." };
  if (files.length > 1) {
    const problem = `These are ${files.length} files. Drop one, or pack them into a zip file.`;
    return { file: null, problem };
  }
  return files.length ? { file: files[0], problem: "" } : { file: null, problem: "This is no file." };
}

/**
 * How far sending is, in words: sent of all, and how long the rest takes at the rate so far.
 * @param {{ sent: number, total: number, seconds: number }} state
 */
export function howFar({ sent, total, seconds }) {
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const megabytes = (/** @type {number} */ bytes) => `${whole.format(Math.ceil(bytes / 2 ** 20))}\u00a0MB`;
  const done = `${megabytes(sent)} of ${megabytes(total)} sent`;
  const rate = sent / seconds;
  if (seconds < 1 || rate <= 0 || sent >= total) return done;
  const left = Math.ceil((total - sent) / rate);
  const time = left < 90 ? `${left}\u00a0s` : `${whole.format(left / 60)}\u00a0min`;
  return `${done}, ${megabytes(rate)} per second, about ${time} left`;
}
