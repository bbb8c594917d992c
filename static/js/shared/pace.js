/** The pace of one sitting: how many, how many seconds each, how long the rest will take. */

import { action, part } from "./page.js";
import { gettext } from "./texts.js";

/** A longer wait than this (in milliseconds) is a break, not reading. */
const BREAK = 120_000;
const WINDOW = 20;

export function createPace() {
  /** @type {number[]} */
  const recent = [];
  let count = 0;
  return {
    /**
     * One answer, given after so many milliseconds.
     * @param {number} milliseconds
     */
    record(milliseconds) {
      count += 1;
      if (milliseconds < BREAK) recent.push(milliseconds);
      if (recent.length > WINDOW) recent.shift();
    },
    /** One answer was taken back. */
    takeBack() {
      count = Math.max(0, count - 1);
    },
    /** Answers in this sitting, and the mean seconds over the last 20 of them (null before the first). */
    summary() {
      const seconds = recent.length ? recent.reduce((sum, one) => sum + one, 0) / recent.length / 1000 : null;
      return { count, seconds };
    },
  };
}

/**
 * ["12 in this sitting, 6.1 s a pair", "about 36 min left"]
 * @param {{ count: number, seconds: number | null }} summary @param {number} left
 */
export function paceLines({ count, seconds }, left) {
  if (seconds === null) return [gettext("nothing answered in this sitting yet")];
  const lines = [
    gettext("%(count)s in this sitting, %(seconds)s s a pair", { count, seconds: seconds.toFixed(1) }),
  ];
  const minutes = Math.ceil((seconds * left) / 60);
  const time = minutes >= 90
    ? gettext("%(count)s h", { count: Math.round(minutes / 60) })
    : gettext("%(count)s min", { count: minutes });
  if (left > 0) lines.push(gettext("about %(time)s left", { time }));
  return lines;
}

/**
 * The pace in the header of a page, shown and hidden at request; left() gives how many items are open.
 * @param {ReturnType<typeof createPace>} pace @param {() => number} left
 */
export function createPaceLine(pace, left) {
  const place = part("pace");
  function paint() {
    if (!place.hidden) place.textContent = paceLines(pace.summary(), left()).join(", ");
  }
  return {
    paint,
    /** Returns what to say. */
    toggle() {
      place.hidden = !place.hidden;
      action("pace").setAttribute("aria-pressed", String(!place.hidden));
      paint();
      if (place.hidden) return gettext("Pace hidden.");
      return gettext("Pace: %(pace)s.", { pace: place.textContent ?? "" });
    },
  };
}
