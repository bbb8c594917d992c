/** The page for splitting a cluster of headlines into sub-clusters. */

import { startDesk } from "../shared/desk.js";
import { Board } from "./board.js";
import { fromItem, NONE, numbers, placeOf, restore, serialise, toPayload } from "./partition.js";

const WORDS = { null: "open", [NONE]: "none" };

/** The headlines that are in other places in one's own answer than in the stored one. */
function compare(mine, current) {
  const [here, there] = [fromItem({ ...current, ...mine }), fromItem(current)];
  const differing = numbers(there).filter((number) => placeOf(here, number) !== placeOf(there, number));
  const named = (state) => differing.map((number) => {
    const group = placeOf(state, number);
    return { text: current.headlines[number - 1].text, note: WORDS[group] ?? `group ${group}` };
  });
  return { mine: named(here), stored: named(there) };
}

startDesk({
  makeBench: (page) => new Board(page),
  ways: { path: "placements", drafts: "splits", fromItem, toPayload, restore, serialise, compare },
  said: {
    thing: "cluster", part: "headline", verb: "split", done: "split", opened: (item) => `${item.headlines.length} headlines.`,
  },
});
