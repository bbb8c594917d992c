/** Asks for a part of a page again and again while somebody looks at it. */

/**
 * Loads at once when the page is seen again, and then `wait()` milliseconds after each answer. `load` gives
 * the part, or null when there is nothing more to ask for; one that fails is tried again at the next turn.
 * `show` gives false where it could not show the part now.
 * @param {{ load: () => Promise<string | null>, show: (part: string) => boolean, visible: () => boolean,
 *   wait: () => number }} page
 */
export function refreshing({ load, show, visible, wait }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let last = "";
  let ended = false;
  let loading = false;

  function plan() {
    clearTimeout(timer);
    if (!ended && visible()) timer = setTimeout(refresh, wait());
  }

  async function refresh() {
    if (loading || ended || !visible()) return;
    loading = true;
    try {
      const part = await load();
      ended = part === null;
      if (part !== null && part !== last && show(part)) last = part;
    } catch {
      // No answer from the server: the next turn asks again.
    }
    loading = false;
    plan();
  }

  return {
    plan,
    /** Call it when the page is shown or hidden. */
    seen() {
      clearTimeout(timer);
      return refresh();
    },
  };
}

/**
 * The texts of `after` that `before` did not have, by their names.
 * @param {Map<string, string>} before @param {Map<string, string>} after
 */
export const changedTexts = (before, after) =>
  [...after].filter(([name, text]) => text && before.get(name) !== text).map(([, text]) => text);
