/**
 * Shortcuts are declared in the HTML, on the button they press:
 *
 *   <button aria-keyshortcuts="J ArrowRight" data-code="KeyJ ArrowRight">Paraphrase</button>
 *   <button aria-keyshortcuts="?" data-key="?">Keys</button>
 *
 * (annotation/templatetags/shortcuts.py writes them there: the person's own keys, or the defaults.) data-code
 * holds places on the keyboard (KeyboardEvent.code, so that they are the same on every layout), with
 * Control+, Shift+ and Alt+ before them where needed; data-key holds a printed character. A button inside a
 * dialog has its keys while that dialog is open, and the page's keys rest meanwhile.
 *
 * @typedef {{ code: string, control: boolean, shift: boolean, alt: boolean }} Chord
 *
 * One button's keys: its chords, its printed character, and the dialog it belongs to (null: the page).
 * @typedef {{ button: HTMLElement, key: string, chords: Chord[], scope: Element | null }} Shortcut
 */

import { around, find } from "./page.js";

/** @type {Record<string, string>} */
const NAMES = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Control: "Ctrl", Backspace: "⌫",
};
const TEXT_INPUTS = new Set([
  "text", "search", "email", "url", "tel", "password", "number", "date", "time", "datetime-local", "month",
  "week",
]);

/**
 * "Control+Shift+KeyZ" -> {code: "KeyZ", control: true, shift: true, alt: false}
 * @param {string} text @returns {Chord}
 */
export function parseChord(text) {
  const parts = text.split("+");
  const code = parts.pop() ?? "";
  const has = (/** @type {string} */ modifier) => parts.includes(modifier);
  return { code, control: has("Control"), shift: has("Shift"), alt: has("Alt") };
}

/**
 * The chord of a key press, as parseChord reads it; "" for a modifier alone. Command on a Mac stands for
 * Control.
 * @param {KeyboardEvent} event
 */
export function chordOf(event) {
  const code = codeOf(event);
  if (!code || /^(Control|Shift|Alt|Meta|OS|CapsLock|NumLock|Fn)/.test(code)) return "";
  const control = event.ctrlKey || event.metaKey;
  const modifiers = [control && "Control", event.altKey && "Alt", event.shiftKey && "Shift"];
  return [...modifiers.filter(Boolean), code].join("+");
}

/**
 * The place on the keyboard. Some on-screen keyboards send none: the letter is all there is then.
 * @param {KeyboardEvent} event
 */
function codeOf({ code, key }) {
  return code || (/^[a-z]$/i.test(key ?? "") ? `Key${key.toUpperCase()}` : "");
}

/**
 * The first key of a button as it is shown on it.
 * @param {Element} button
 */
export function keyOn(button) { return button.querySelector("kbd")?.textContent ?? ""; }

/** @param {HTMLElement} button @returns {Shortcut} */
export function readShortcut(button) {
  const { code = "", key = "" } = button.dataset;
  const chords = code.split(/\s+/).filter(Boolean).map(parseChord);
  return { button, key, chords, scope: button.closest("dialog") };
}

/** @param {ParentNode} root */
export function readShortcuts(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = root.querySelectorAll("[data-code], [data-key]");
  return [...buttons].map(readShortcut);
}

/**
 * Does this key press mean this shortcut? Command on a Mac stands for Control.
 * @param {Shortcut} shortcut @param {KeyboardEvent} event
 */
export function matches(shortcut, event) {
  if (event.isComposing || event.getModifierState?.("AltGraph")) return false;
  const control = event.ctrlKey || event.metaKey;
  if (shortcut.key && event.key === shortcut.key) return !control && !event.altKey;
  const code = codeOf(event);
  return shortcut.chords.some((chord) => chord.code === code && chord.control === control
    && chord.shift === event.shiftKey && chord.alt === event.altKey);
}

/**
 * Two buttons of one scope on one key. Empty is what it should be.
 * @param {Shortcut[]} shortcuts
 */
export function findCollisions(shortcuts) {
  /** @type {Map<Element | null, Map<string, HTMLElement[]>>} */
  const taken = new Map();
  for (const { button, key, chords, scope } of shortcuts) {
    const keys = chords.map(({ control, shift, alt, code }) => (
      [control && "Control", shift && "Shift", alt && "Alt", code].filter(Boolean).join("+")));
    const place = taken.get(scope) ?? new Map();
    taken.set(scope, place);
    for (const name of key ? [...keys, key] : keys) place.set(name, [...(place.get(name) ?? []), button]);
  }
  const used = [...taken.values()].flatMap((place) => [...place]);
  return used.filter(([, buttons]) => buttons.length > 1).map(([key, buttons]) => ({ key, buttons }));
}

/** @param {EventTarget | null} target */
export function isTextField(target) {
  const element = /** @type {HTMLInputElement | null} */ (target);
  if (!element?.tagName) return false;
  // The field of a dialog that was just closed has the focus until the next frame, but takes no more text.
  if (element.closest?.("dialog:not([open])")) return false;
  if (element.isContentEditable || ["TEXTAREA", "SELECT"].includes(element.tagName)) return true;
  return element.tagName === "INPUT" && TEXT_INPUTS.has(element.type);
}

/**
 * What a key press asks for: {shortcut, act}. act is false for an auto-repeat, which is swallowed but does
 * nothing. Returns null when the press is none of ours (a text field, another dialog, an undeclared
 * modifier).
 * @param {KeyboardEvent} event @param {Shortcut[]} shortcuts @param {Element | null} openDialog
 */
export function resolve(event, shortcuts, openDialog = null) {
  const shortcut = shortcuts.find((one) => one.scope === openDialog && matches(one, event));
  if (!shortcut) return null;
  if (isTextField(event.target) && !(event.ctrlKey || event.metaKey)) return null;
  // Ctrl+Z in a text field belongs to the text; only the field's own dialog may take a Ctrl key there.
  if (isTextField(event.target) && shortcut.scope === null) return null;
  return { shortcut, act: !event.repeat };
}

/**
 * Space and Enter press the button or follow the link that has the focus, whatever else they are declared
 * for.
 * @param {KeyboardEvent} event
 */
function presses(event) {
  const { code, ctrlKey, metaKey } = event;
  if (!["Space", "Enter", "NumpadEnter"].includes(code) || ctrlKey || metaKey) return false;
  return around(event, "button, a[href]") !== null;
}

/** Ignores answers that come too soon after a new item was painted: the eye cannot have read it. */
export function createGuard(milliseconds = 150) {
  let paintedAt = -Infinity;
  return {
    /** @param {number} time */
    painted(time) { paintedAt = time; },
    /** @param {number} time */
    accepts(time) { return time - paintedAt >= milliseconds; },
  };
}

/**
 * Calls back once the frame that shows the present document has been painted.
 * @param {() => void} callback
 */
export function onPainted(callback) {
  requestAnimationFrame(() => {
    const afterFrame = new MessageChannel();
    afterFrame.port1.onmessage = callback;
    afterFrame.port2.postMessage(null);
  });
}

/**
 * Listens for the declared keys. activate(button, event) presses the button; returns the shortcuts found.
 * @param {{ root?: Document, activate?: (button: HTMLElement, event: KeyboardEvent) => void }} options
 */
export function startKeyboard({ root = document, activate = (button) => button.click() } = {}) {
  // A page that comes back from the browser's memory has the items and the keys of before: it is fetched
  // again before it takes a key or a click.
  let outdated = false;
  globalThis.addEventListener?.("pageshow", ({ persisted }) => {
    if (!persisted) return;
    outdated = document.documentElement.inert = true;
    location.reload();
  });
  const shortcuts = readShortcuts(root);
  for (const { key, buttons } of findCollisions(shortcuts)) {
    console.error(`The key ${key} is declared ${buttons.length} times.`, ...buttons);
  }
  root.addEventListener("keydown", (event) => {
    if (outdated) return event.preventDefault();
    // Enter held down on a focused button would press it again and again.
    if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) {
      return event.preventDefault();
    }
    if (event.defaultPrevented || presses(event)) return;
    const found = resolve(event, shortcuts, [...root.querySelectorAll("dialog[open]")].at(-1) ?? null);
    if (!found) return;
    event.preventDefault();
    if (found.act && !found.shortcut.button.hidden) activate(found.shortcut.button, event);
  });
  return shortcuts;
}

/**
 * Writes the list of keys into a <dl>, from the page's own aria-keyshortcuts.
 * @param {Element} list
 */
function fillKeyList(list) {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[aria-keyshortcuts]:not([data-close])");
  list.replaceChildren(...[...buttons].flatMap((button) => {
    const keys = document.createElement("dt");
    for (const chord of (button.getAttribute("aria-keyshortcuts") ?? "").split(/\s+/)) {
      const kbd = document.createElement("kbd");
      kbd.textContent = chord.split("+").map((part) => NAMES[part] ?? part).join(" ");
      keys.append(kbd);
    }
    const meaning = document.createElement("dd");
    meaning.textContent = button.dataset.help ?? button.dataset.name ?? (button.textContent ?? "").trim();
    return [keys, meaning];
  }));
}

/** Buttons with data-opens="id" open that dialog, buttons with data-close close theirs. */
export function wireDialogs() {
  document.addEventListener("click", (event) => {
    const button = around(event, "[data-opens], [data-close]");
    if (!button) return;
    if (button.hasAttribute("data-close")) return button.closest("dialog")?.close();
    const dialog = find(`#${button.dataset.opens}`, HTMLDialogElement);
    const list = dialog.querySelector('[data-part="keys"]');
    if (list) fillKeyList(list);
    dialog.showModal();
  });
}
