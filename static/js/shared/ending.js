/**
 * What one does with which things, for the words at the end.
 * @typedef {{ thing: string, verb: string, done: string, answered?: string }} Words
 * @type {Words}
 */
export const LINKING = { thing: "pair", verb: "link", done: "linked" };

/**
 * [title, text] for the page when there is nothing on it: "fetching", "lost", "paused" or "done".
 * @param {string} state
 * Nothing is lost where nothing is `left`.
 * @param {{ queue: { total: number, skipped: number, left?: number }, unsynced: number, words?: Words,
 *   undoKey?: string, error?: Error | null, online?: boolean }} page
 * @returns {[string, string]}
 */
export function ending(state, page) {
  const { queue, unsynced, words = LINKING, undoKey = "U", error, online = true } = page;
  const { total, skipped, left = total } = queue;
  const { thing, verb, done, answered = "answered" } = words;
  const answers = `${unsynced} ${unsynced === 1 ? "answer is" : "answers are"}`;
  const kept = unsynced ? ` ${answers} kept in this browser and sent by themselves.` : "";
  if (state === "fetching") return [`Fetching the next ${thing}s`, "One moment."];
  if (state === "lost" && (left || !total)) {
    // A plain Error carries the server's words; everything else means that the server did not answer.
    const refused = online && error?.constructor === Error ? error.message : "";
    const why = refused || "There is no answer from the server.";
    const again = `This page tries again ${refused ? "by itself" : "when the network is back"}.`;
    return [`The next ${thing}s cannot be fetched`, `${why} ${again}${kept}`];
  }
  if (state === "paused") {
    const paused = "A manager of the project has paused your work in this batch.";
    return [`You get no ${thing}s for now`, `${paused} What you answered is kept.${kept}`];
  }
  if (total === 0) {
    const [none, who] = [`No ${thing} of this batch is assigned to you.`, "The manager of the project"];
    return [`Nothing to ${verb} here yet`, `${none} ${who} draws ${thing}s into batches.`];
  }
  if (skipped > 0) {
    const passed = `${skipped} ${skipped === 1 ? "was" : "were"} skipped`;
    const counts = `${total - skipped} of ${total} are ${done}, ${passed}`;
    const next = "Go through these again below, or leave them: the manager sees how many were skipped.";
    return [`No open ${thing}s are left`, `${counts}. ${next}${kept}`];
  }
  const thanks = "Thank you. The project's page shows what else is waiting for you.";
  const back = `Undo (${undoKey}) takes the last answer back.`;
  return [`All ${total} ${thing}s are ${answered}`, `${thanks} ${back}${kept}`];
}

/**
 * What is said of the item on the page beside its place: that it has come again, or that it is answered.
 * @param {{ current: import("./api.js").Item | null, returned: boolean, skipped: number }} queue
 * @param {string} thing @param {string} given the answer that counts
 */
export function standing({ current, returned, skipped }, thing, given) {
  if (current?.state === "done") return `Your answer: ${given}. It counts until you give another one.`;
  if (!returned || current?.state !== "skipped") return "";
  return skipped === 1
    ? `1 skipped ${thing} left; this is the last one.`
    : `${skipped} skipped ${thing}s left; these are the last ones.`;
}
