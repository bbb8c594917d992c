/** The comment on the item that is worked on. What is typed survives a reload before it is saved. */

import { find } from "./page.js";

/** @typedef {{ assignment: number, comment: string }} Item */

/** @param {Item} item */
const draftName = (item) => `paragold-comment-${item.assignment}`;

/**
 * What was typed before a reload, or else the item's comment.
 * @param {Item} item
 */
export const typedComment = (item) => sessionStorage.getItem(draftName(item)) ?? item.comment;

/** @param {Item} item */
export const dropDraft = (item) => sessionStorage.removeItem(draftName(item));

/**
 * current() gives the item; changed() is called after its comment changed, closed() in any case.
 * Returns what opens the dialog.
 * @param {{ current: () => Item | null, changed: () => void, closed: () => void }} page
 */
export function wireComment({ current, changed, closed }) {
  const dialog = find("#comment", HTMLDialogElement);
  const field = find("#comment-text", HTMLTextAreaElement);
  field.addEventListener("input", () => {
    const item = current();
    if (item) sessionStorage.setItem(draftName(item), field.value);
  });
  // Whatever else closes the dialog keeps what was typed.
  find('[data-part="cancel-comment"]', HTMLButtonElement).addEventListener("click", () => {
    const item = current();
    if (item) dropDraft(item);
    field.value = item?.comment ?? "";
  });
  dialog.addEventListener("close", () => {
    const item = current();
    if (item) dropDraft(item);
    if (item && field.value !== item.comment) {
      item.comment = field.value;
      changed();
    }
    closed();
  });
  return () => {
    const item = current();
    if (!item) return;
    field.value = typedComment(item);
    dialog.showModal();
  };
}
