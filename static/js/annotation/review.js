/** The adjudicator's page: its buttons by their keys. The page is plain HTML and works without this file. */

import { createGuard, onPainted, startKeyboard, wireDialogs } from "../shared/keyboard.js";

const guard = createGuard();
onPainted(() => guard.painted(performance.mark("paragold:painted").startTime));

// Every decision leads to a new pair: a key that comes before the eye can have read it decides nothing.
startKeyboard({
  activate(button) {
    const decides = button instanceof HTMLButtonElement && button.name === "label";
    if (!decides || guard.accepts(performance.now())) button.click();
  },
});
wireDialogs();
keepComment(document.querySelector("textarea[data-draft]"));

/**
 * What is typed stays in this browser until the pair is decided, whichever way the page is left.
 * @param {HTMLTextAreaElement | null} field
 */
function keepComment(field) {
  if (!field) return;
  const { draft = "", item } = field.dataset;
  /** @type {Storage} */
  let store;
  try {
    store = window.localStorage;
  } catch {
    return; // storage is switched off: the page works as without this file
  }
  // Drafts of the pair from before a decision have served.
  for (const key of Object.keys(store)) {
    if (key.startsWith(`${item}:`) && key !== draft) store.removeItem(key);
  }
  field.value = store.getItem(draft) ?? field.value;
  field.addEventListener("input", () => {
    if (field.value === field.defaultValue) store.removeItem(draft);
    else store.setItem(draft, field.value);
  });
}
