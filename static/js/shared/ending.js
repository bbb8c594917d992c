/**
 * What one does with which things, for the words at the end.
 * @typedef {{ thing: string, verb: string, done: string }} Words
 * @type {Words}
 */
export const LINKING = { thing: "pair", verb: "link", done: "linked" };

/**
 * The words of the page when there is nothing on the bench: [title, text] for "fetching", "lost" or "done".
 * @param {string} state
 * @param {{ queue: { total: number, skipped: number }, unsynced: number, words?: Words, undoKey?: string,
 *   error?: Error | null, online?: boolean }} page
 * @returns {[string, string]}
 */
export function ending(state, page) {
  const { queue, unsynced, words = LINKING, undoKey = "U", error = null, online = true } = page;
  const { thing, verb, done } = words;
  const kept = unsynced ? ` ${unsynced} unsynced: kept in this browser and sent by themselves.` : "";
  if (state === "fetching") return [`Fetching the next ${thing}s`, "One moment."];
  if (state === "lost") {
    const answered = online && error?.name === "Error";
    const why = answered ? error.message : "There is no answer from the server.";
    const again = `This page tries again ${answered ? "by itself" : "when the network is back"}.`;
    return [`The next ${thing}s cannot be fetched`, `${why} ${again}${kept}`];
  }
  if (queue.total === 0) {
    const [none, who] = [`No ${thing} of this batch is assigned to you.`, "The manager of the project"];
    return [`Nothing to ${verb} here yet`, `${none} ${who} draws ${thing}s into batches.`];
  }
  const { total, skipped } = queue;
  if (skipped > 0) {
    const counts = `${total - skipped} of ${total} are ${done}; ${skipped} skipped.`;
    return [`No open ${thing}s are left`, `${counts} Undo (${undoKey}) leads back to them.${kept}`];
  }
  const again = `Undo (${undoKey}) opens the last ${thing} again.`;
  return [
    `All ${queue.total} ${thing}s are answered`,
    `Thank you. The project's page shows what else is waiting for you. ${again}${kept}`,
  ];
}
