/** The comment on the item that is worked on. What is typed survives a reload before it is saved. */

/** current() gives the item; changed() is called after its comment changed, closed() in any case. Returns what opens the dialog. */
export function wireComment({ current, changed, closed }) {
  const dialog = document.getElementById("comment");
  const field = document.getElementById("comment-text");
  const draftName = (item) => `paragold-comment-${item.assignment}`;
  field.addEventListener("input", () => sessionStorage.setItem(draftName(current()), field.value));
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
