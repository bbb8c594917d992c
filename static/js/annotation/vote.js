/** An annotator's answer as a cell of the table of disputes. */

import { create } from "../shared/page.js";
import { gettext } from "../shared/texts.js";

/** @param {string} word @param {{ flagged?: boolean, comment?: string, context?: boolean }} remarks */
export function voteCell(word, { flagged = false, comment = "", context = false }) {
  const cell = create("div", "vote", word);
  if (flagged) cell.append(" ", create("span", "flagged", gettext("Flagged")));
  if (context) cell.append(" ", create("span", "quiet", gettext("with context")));
  if (comment) {
    const quote = create("q", "comment");
    quote.append(create("bdi", "", comment));
    cell.append(create("br"), quote);
  }
  return cell;
}
