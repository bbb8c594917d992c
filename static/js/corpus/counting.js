/** Has the server count again with what the form says, a moment after the last change. */

const WAIT_MILLISECONDS = 500;

/**
 * `send(signal)` gives the answer's document; only the last one asked for reaches `show(document)`.
 * @param {{ send: (signal: AbortSignal) => Promise<Document>, show: (page: Document) => void,
 *   fail: (error: Error) => void, wait?: number }} page
 */
export function counting({ send, show, fail, wait = WAIT_MILLISECONDS }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {AbortController | null} */
  let running = null;

  async function count() {
    running = new AbortController();
    const { signal } = running;
    try {
      const answer = await send(signal);
      if (!signal.aborted) show(answer);
    } catch (error) {
      if (!signal.aborted) fail(/** @type {Error} */ (error));
    }
  }

  function cancel() {
    clearTimeout(timer);
    running?.abort();
  }

  return {
    cancel,
    soon() {
      cancel();
      timer = setTimeout(count, wait);
    },
  };
}

/**
 * The page that the server makes of the form, as a document. Throws with the form's own errors, if it has
 * any.
 * @param {HTMLFormElement} form @param {AbortSignal} signal
 */
export async function sendForm(form, signal) {
  const body = new FormData(form);
  const answer = await fetch(form.getAttribute("action") ?? "", { method: "POST", body, signal });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const errors = [...page.querySelectorAll(".errorlist li")].map((item) => item.textContent?.trim());
  if (!answer.ok || !page.getElementById("numbers")) {
    throw new Error(errors.join(" ") || "The server did not count. Reload the page and try again.");
  }
  return page;
}
