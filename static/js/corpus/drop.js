/** What was dropped on a page that takes one file. */

import { gettext } from "../shared/texts.js";

/**
 * The file, or why there is none to take.
 * @param {Pick<DataTransfer, "files">
 *   & { items: ArrayLike<Pick<DataTransferItem, "webkitGetAsEntry">> }} given
 * @returns {{ file: File, problem: "" } | { file: null, problem: string }}
 */
export function dropped({ files, items }) {
  const folder = Array.from(items).some((item) => item.webkitGetAsEntry?.()?.isDirectory);
  if (folder) {
    return { file: null, problem: gettext("This is a folder. Pack it into a zip file and drop that.") };
  }
  if (files.length > 1) {
    const text = gettext("These are %(count)s files. Drop one, or pack them into a zip file.", {
      count: files.length,
    });
    return { file: null, problem: text };
  }
  if (!files.length) return { file: null, problem: gettext("This is no file.") };
  return { file: files[0], problem: "" };
}

/**
 * How far sending is, in words: sent of all, and how long the rest takes at the rate so far.
 * @param {{ sent: number, total: number, seconds: number }} state
 */
export function howFar({ sent, total, seconds }) {
  const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const megabytes = (/** @type {number} */ bytes) => `${whole.format(Math.ceil(bytes / 2 ** 20))}\u00a0MB`;
  const done = gettext("%(sent)s of %(total)s sent", { sent: megabytes(sent), total: megabytes(total) });
  const rate = sent / seconds;
  if (seconds < 1 || rate <= 0 || sent >= total) return done;
  const left = Math.ceil((total - sent) / rate);
  const time = left < 90 ? `${left}\u00a0s` : `${whole.format(left / 60)}\u00a0min`;
  return gettext("%(done)s, %(rate)s per second, about %(time)s left", { done, rate: megabytes(rate), time });
}
