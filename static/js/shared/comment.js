/** The comment on the item that is worked on. What is typed survives a reload before it is saved. */

import { find } from "./page.js";

/** @typedef {import("./api.js").Item} Item */

/**
 * current() gives the item; changed() is called after its comment changed, closed() in any case.
 * Returns what opens the dialog.
 * @param {{ current: () => Item | null, changed: () => void, closed: () => void }} page
 */
export function wireComment({ current, changed, closed }) {
  const dialog = find("#comment", HTMLDialogElement);
  const field = find("#comment-text", HTMLTextAreaElement);
  /** @param {Item} item */
  const draftName = (item) => `paragold-comment-${item.assignment}`;
  field.addEventListener("input", () => {
    const item = current();
    if (item) sessionStorage.setItem(draftName(item), field.value);
  });
  dialog.addEventListener("close", () => {
    const item = current();
    if (item) sessionStorage.removeItem(draftName(item));
    if (item && field.value !== item.comment) {
      item.comment = field.value;
      changed();
    }
    closed();
  });
  return () => {
    const item = current();
    if (!item) return;
    field.value = sessionStorage.getItem(draftName(item)) ?? item.comment;
    dialog.showModal();
  };
}
