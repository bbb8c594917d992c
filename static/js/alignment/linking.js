/** What the pages on which words are linked have in common: how links are read, sent and compared. */

import { startDesk } from "../shared/desk.js";
import { LINKING } from "../shared/ending.js";
import { bothSentences } from "../shared/text.js";
import { gettext, ngettext } from "../shared/texts.js";
import { restore, serialise } from "./history.js";
import { listed } from "./labels.js";
import { fromItem, toPayload } from "./state.js";

/**
 * @typedef {import("./state.js").Links} Links
 * @typedef {import("./state.js").Pair} Pair
 * @typedef {ReturnType<typeof listed>} Listed
 */

/**
 * What is only in one's own links, and what only in the stored ones.
 * @param {Links} mine @param {Pair} current
 */
function compare(mine, current) {
  const words = { a: current.a.tokens, b: current.b.tokens };
  /** @param {Links} source */
  const links = (source) => listed(fromItem({ ...current, ...source, suggestions: [] }), words);
  const [here, there] = [links(mine), links(current)];
  /** @param {Listed[0]} one @param {Listed[0]} other */
  const same = (one, other) => one.i === other.i && one.j === other.j && one.strength === other.strength;
  /** @param {Listed} those @param {Listed} others */
  const only = (those, others) => those.filter((one) => !others.some((other) => same(one, other)))
    .map(({ text, strength }) => ({ text, note: strength === "possible" ? gettext("possible") : "" }));
  return { mine: only(here, there), stored: only(there, here) };
}

/**
 * Which suggestions were shown, for the answer.
 * @param {{ offered?: number | null }} item
 */
const shown = ({ offered }) => (offered === undefined ? {} : { offered });

/** @param {(calls: import("../shared/desk.js").Calls) => import("../shared/desk.js").Bench} makeBench */
export function startLinking(makeBench) {
  return startDesk({
    makeBench,
    ways: { path: "alignment", drafts: "links", fromItem, toPayload, restore, serialise, compare, shown },
    said: {
      ...LINKING, none: gettext("No word left"),
      parts: (/** @type {number} */ count) => ngettext("%(count)s word", "%(count)s words", count),
      opened: bothSentences,
    },
  });
}
