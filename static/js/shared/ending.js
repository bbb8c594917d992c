import { gettext, ngettext, wordsFor } from "./texts.js";

/**
 * What one does with which things, for the words at the end; `nothing` says that there is nothing to do.
 * @typedef {{ thing: string, nothing: string, done: string, answered?: string }} Words
 * @type {Words}
 */
export const LINKING = {
  thing: "pair", nothing: gettext("Nothing to link here yet"), done: gettext("linked"),
};

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
  const { done, answered = gettext("answered") } = words;
  const forms = wordsFor(words.thing);
  const stays = ngettext(
    "%(count)s answer is kept in this browser and sent by itself.",
    "%(count)s answers are kept in this browser and sent by themselves.", unsynced,
  );
  const kept = unsynced ? ` ${stays}` : "";
  if (state === "fetching") return [gettext("Fetching the next %(things)s", forms), gettext("One moment.")];
  if (state === "lost" && (left || !total)) {
    // A plain Error carries the server's words; everything else means that the server did not answer.
    const refused = online && error?.constructor === Error ? error.message : "";
    const why = refused || gettext("There is no answer from the server.");
    const again = refused
      ? gettext("This page tries again by itself.")
      : gettext("This page tries again when the network is back.");
    return [gettext("The next %(things)s cannot be fetched", forms), `${why} ${again}${kept}`];
  }
  if (state === "paused") {
    const paused = gettext("A manager of the project has paused your work in this batch.");
    const answers = gettext("What you answered is kept.");
    return [gettext("You get no %(things)s for now", forms), `${paused} ${answers}${kept}`];
  }
  if (total === 0) {
    const none = gettext("No %(thing)s of this batch is assigned to you.", forms);
    const who = gettext("The manager of the project draws %(things)s into batches.", forms);
    return [words.nothing, `${none} ${who}`];
  }
  if (skipped > 0) {
    const counts = ngettext(
      "%(answers)s of %(total)s are %(done)s, %(count)s was skipped.",
      "%(answers)s of %(total)s are %(done)s, %(count)s were skipped.",
      skipped, { answers: total - skipped, total, done },
    );
    const next = gettext(
      "Go through these again below, or leave them: the manager sees how many were skipped.",
    );
    return [gettext("No open %(things)s are left", forms), `${counts} ${next}${kept}`];
  }
  const thanks = gettext("Thank you. The project's page shows what else is waiting for you.");
  const back = gettext("Undo (%(key)s) takes the last answer back.", { key: undoKey });
  const title = gettext("All %(total)s %(things)s are %(answered)s", { ...forms, total, answered });
  return [title, `${thanks} ${back}${kept}`];
}

/**
 * What is said of the item on the page beside its place: that it has come again, or that it is answered.
 * @param {{ current: import("./api.js").Item | null, returned: boolean, skipped: number }} queue
 * @param {string} thing @param {string} given the answer that counts
 */
export function standing({ current, returned, skipped }, thing, given) {
  if (current?.state === "done") {
    return gettext("Your answer: %(answer)s. It counts until you give another one.", { answer: given });
  }
  if (!returned || current?.state !== "skipped") return "";
  return ngettext(
    "%(count)s skipped %(thing)s left; this is the last one.",
    "%(count)s skipped %(things)s left; these are the last ones.", skipped, wordsFor(thing),
  );
}
