/** What an annotator may look at beside the two sentences: their differences, and where they come from. */

import { differingTokens } from "../shared/diff.js";
import { gettext } from "../shared/texts.js";
import { showContext } from "./panels.js";

/**
 * @typedef {{ differences: boolean, context: boolean }} Looks what is shown
 * @typedef {import("../shared/text.js").Side} Side
 */

const SHOWN = { differences: gettext("Differences shown."), context: gettext("Context shown.") };
const HIDDEN = { differences: gettext("Differences hidden."), context: gettext("Context hidden.") };

/**
 * Shows or hides one look, as `looks` ({differences, context}) has it now. paint(only) paints the sentences,
 * with the tokens in `only` marked; stillHere() is false once another pair is on the screen. Returns what to
 * say.
 * @param {keyof Looks} name @param {Looks} looks
 * @param {{ item: Record<Side, { tokens: string[] }>, sides: Record<Side, HTMLElement>, url: string,
 *   paint: (only: Record<Side, Set<number>> | null) => void, stillHere: () => boolean }} page
 */
export async function showLook(name, looks, { item, sides, url, paint, stillHere }) {
  if (!stillHere()) return "";
  paint(looks.differences ? differingTokens(item.a.tokens, item.b.tokens) : null);
  if (name === "context" && looks.context) await showContext(url, sides, () => stillHere() && looks.context);
  return (looks[name] ? SHOWN : HIDDEN)[name];
}
