/** The elements that a page's scripts work on. What is asked for here is there, or the page is wrong. */

import { gettext } from "./texts.js";

/**
 * The first element of the selector within `root`. Throws where there is none of this kind.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector @param {new () => T} [kind] @param {ParentNode} [root] @returns {T}
 */
export function find(selector, kind, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof (kind ?? HTMLElement))) throw new Error(`The page has no ${selector}.`);
  return /** @type {T} */ (element);
}

/**
 * The element with this data-part.
 * @template {Element} [T=HTMLElement]
 * @param {string} name @param {new () => T} [kind] @param {ParentNode} [root] @returns {T}
 */
export const part = (name, kind, root) => find(`[data-part="${name}"]`, kind, root);

/**
 * The button with this data-action.
 * @param {string} name
 */
export const action = (name) => find(`[data-action="${name}"]`, HTMLButtonElement);

/**
 * The JSON that the page brings along in the element of this id.
 * @param {string} id @param {ParentNode} [root]
 */
export const embedded = (id, root) => JSON.parse(find(`#${id}`, HTMLElement, root).textContent ?? "");

/**
 * The nearest element of the selector around what the event happened to, or null.
 * @param {Event} event @param {string} selector @returns {HTMLElement | null}
 */
export function around({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {string} [kind] its class @param {string} [text]
 */
export function create(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}

/**
 * Shows how far a queue is, and how many answers wait in the outbox.
 * @param {{ done: number, skipped: number, total: number }} queue
 * @param {{ unsynced: number, failing: boolean }} counts
 */
export function paintProgress({ done, skipped, total }, { unsynced, failing }) {
  const counted = gettext("%(done)s of %(total)s", { done: done - skipped, total });
  const passed = skipped ? `, ${gettext("%(count)s skipped", { count: skipped })}` : "";
  part("counter").textContent = counted + passed;
  const bar = part("progress", HTMLProgressElement);
  bar.max = total || 1;
  bar.value = done - skipped;
  paintUnsynced({ unsynced, failing });
}

/**
 * Changes the word on a button and leaves its key.
 * @param {string} name of its action @param {string} word
 */
export function rename(name, word) {
  const text = action(name).firstChild;
  if (text) text.textContent = `${word} `;
}

/**
 * Shows a line of text, or hides its place where there is none.
 * @param {string} name @param {string} text
 */
export function showLine(name, text) {
  part(name).textContent = text;
  part(name).hidden = !text;
}

/**
 * Shows the page without an item; the skipped ones can be gone through again.
 * @param {[string, string]} words title and text @param {{ lost: boolean, skipped: boolean }} state
 */
export function paintEnding([title, text], { lost, skipped }) {
  part("finished").hidden = false;
  part("finished-title").textContent = title;
  part("finished-text").textContent = text;
  action("reload").hidden = !lost;
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll('[data-action="again"], [data-action="skipped"]');
  for (const button of buttons) button.hidden = !skipped;
  find("a", HTMLElement, part("finished")).classList.toggle("main", !skipped);
}

/** Unless a button of it has the focus already: the ending is shown again when the server answers. */
export function focusEnding() {
  const finished = part("finished");
  if (!finished.contains(document.activeElement)) finished.focus({ preventScroll: true });
}

/**
 * Shows how many answers wait in the outbox, and whether the server cannot be reached.
 * @param {{ unsynced: number, failing: boolean }} counts
 */
export function paintUnsynced({ unsynced, failing }) {
  const badge = part("unsynced");
  badge.hidden = unsynced === 0;
  find(":first-child", HTMLElement, badge).textContent = gettext("%(count)s unsynced", { count: unsynced });
  find(":last-child", HTMLElement, badge).hidden = !failing;
}
