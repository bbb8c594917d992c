/** The page for splitting a cluster of headlines into sub-clusters. */

import { startDesk } from "../shared/desk.js";
import { gettext } from "../shared/texts.js";
import { Board, headlines } from "./board.js";
import { fromItem, NONE, numbers, placeOf, restore, serialise, toPayload } from "./partition.js";

/** @typedef {import("./partition.js").Cluster} Cluster */

/**
 * The headlines that are in other places in one's own answer than in the stored one.
 * @param {Pick<Cluster, "placements">} mine @param {Cluster} current
 */
function compare(mine, current) {
  const [here, there] = [fromItem({ ...current, ...mine }), fromItem(current)];
  const differing = numbers(there).filter((number) => placeOf(here, number) !== placeOf(there, number));
  const named = (/** @type {import("./partition.js").State} */ state) => differing.map((number) => {
    const group = placeOf(state, number);
    const note = group === null ? gettext("open")
      : group === NONE ? gettext("none") : gettext("group %(number)s", { number: group });
    return { text: current.headlines[number - 1].text, note };
  });
  return { mine: named(here), stored: named(there) };
}

startDesk({
  makeBench: (page) => new Board(page),
  ways: { path: "placements", drafts: "splits", fromItem, toPayload, restore, serialise, compare },
  said: {
    thing: "cluster", parts: headlines, none: gettext("No headline left"),
    nothing: gettext("Nothing to split here yet"), done: gettext("split"),
    opened: (/** @type {Cluster} */ item) => `${headlines(item.headlines.length)}.`,
  },
});
