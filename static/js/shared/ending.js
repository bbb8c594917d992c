/** What one does with which things, for the words at the end. */
export const LINKING = { thing: "pair", verb: "link", done: "linked" };

/** What stands on the page when there is nothing on the bench: [title, text] for "fetching", "lost" or "done". */
export function ending(state, { queue, unsynced, words = LINKING, undoKey = "U", error = null, online = true }) {
  const { thing, verb, done } = words;
  const kept = unsynced ? ` ${unsynced} unsynced: kept in this browser and sent by themselves.` : "";
  if (state === "fetching") return [`Fetching the next ${thing}s`, "One moment."];
  if (state === "lost") {
    const why = online && error?.name === "Error" ? error.message : "There is no answer from the server.";
    return [`The next ${thing}s cannot be fetched`, `${why} This page tries again when the network is back.${kept}`];
  }
  if (queue.total === 0) {
    return [`Nothing to ${verb} here yet`, `No ${thing} of this batch is assigned to you. The manager of the project draws ${thing}s into batches.`];
  }
  const { total, skipped } = queue;
  if (skipped > 0) return [`No open ${thing}s are left`, `${total - skipped} of ${total} are ${done}; ${skipped} skipped. Undo (${undoKey}) leads back to them.${kept}`];
  return [`All ${queue.total} ${thing}s are answered`, `Thank you. The project's page shows what else is waiting for you. Undo (${undoKey}) opens the last ${thing} again.${kept}`];
}
