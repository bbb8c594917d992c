/** What stands on the page when there is no pair on the bench: [title, text] for "fetching", "lost" or "done". */
export function ending(state, { queue, unsynced, undoKey = "U", error = null, online = true }) {
  const kept = unsynced ? ` ${unsynced} unsynced: kept in this browser and sent by themselves.` : "";
  if (state === "fetching") return ["Fetching the next pairs", "One moment."];
  if (state === "lost") {
    const why = online && error?.name === "Error" ? error.message : "There is no answer from the server.";
    return ["The next pairs cannot be fetched", `${why} This page tries again when the network is back.${kept}`];
  }
  if (queue.total === 0) {
    return ["Nothing to link here yet", "No pair of this batch is assigned to you. The manager of the project draws pairs into batches."];
  }
  const { total, skipped } = queue;
  if (skipped > 0) return ["No open pairs are left", `${total - skipped} of ${total} are linked; ${skipped} skipped. Undo (${undoKey}) leads back to them.${kept}`];
  return [`All ${queue.total} pairs are answered`, `Thank you. The project's page shows what else is waiting for you. Undo (${undoKey}) opens the last pair again.${kept}`];
}
