/**
 * Shortcuts are declared in the HTML, on the button they press:
 *
 *   <button aria-keyshortcuts="J ArrowRight" data-code="KeyJ ArrowRight">Paraphrase</button>
 *   <button aria-keyshortcuts="?" data-key="?">Keys</button>
 *
 * (annotation/templatetags/shortcuts.py writes them there: the person's own keys, or the defaults.)
 * data-code holds places on the keyboard (KeyboardEvent.code, so that they are the same on every layout), with
 * Control+, Shift+ and Alt+ before them where needed; data-key holds a printed character. A button inside a dialog
 * has its keys while that dialog is open, and the page's keys rest meanwhile.
 */

const NAMES = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Control: "Ctrl", Enter: "Enter", Backspace: "⌫", Space: "Space" };
const TEXT_INPUTS = new Set(["text", "search", "email", "url", "tel", "password", "number", "date", "time", "datetime-local", "month", "week"]);

/** "Control+Shift+KeyZ" -> {code: "KeyZ", control: true, shift: true, alt: false} */
export function parseChord(text) {
  const parts = text.split("+");
  const code = parts.pop();
  return { code, control: parts.includes("Control"), shift: parts.includes("Shift"), alt: parts.includes("Alt") };
}

/** The chord of a key press, as parseChord reads it; "" for a modifier alone. Command on a Mac stands for Control. */
export function chordOf(event) {
  const code = codeOf(event);
  if (!code || /^(Control|Shift|Alt|Meta|OS|CapsLock|NumLock|Fn)/.test(code)) return "";
  const modifiers = [(event.ctrlKey || event.metaKey) && "Control", event.altKey && "Alt", event.shiftKey && "Shift"];
  return [...modifiers.filter(Boolean), code].join("+");
}

/** The place on the keyboard. Some on-screen keyboards send none: the letter is all there is then. */
function codeOf({ code, key }) {
  return code || (/^[a-z]$/i.test(key ?? "") ? `Key${key.toUpperCase()}` : "");
}

/** The first key of a button as it is shown on it. */
export function keyOn(button) { return button.querySelector("kbd")?.textContent ?? ""; }

/** The shortcut of one button: its chords, its printed character, and the dialog it belongs to (null: the page). */
export function readShortcut(button) {
  const { code = "", key = "" } = button.dataset;
  return { button, key, chords: code.split(/\s+/).filter(Boolean).map(parseChord), scope: button.closest("dialog") };
}

export function readShortcuts(root) {
  return [...root.querySelectorAll("[data-code], [data-key]")].map(readShortcut);
}

/** Does this key press mean this shortcut? Command on a Mac stands for Control. */
export function matches(shortcut, event) {
  if (event.isComposing || event.getModifierState?.("AltGraph")) return false;
  const control = event.ctrlKey || event.metaKey;
  if (shortcut.key && event.key === shortcut.key) return !control && !event.altKey;
  const code = codeOf(event);
  return shortcut.chords.some(
    (chord) => chord.code === code && chord.control === control && chord.shift === event.shiftKey && chord.alt === event.altKey,
  );
}

/** Two buttons of one scope on one key: a list of {key, buttons}. Empty is what it should be. */
export function findCollisions(shortcuts) {
  const taken = new Map();
  for (const { button, key, chords, scope } of shortcuts) {
    const keys = chords.map((chord) => [chord.control && "Control", chord.shift && "Shift", chord.alt && "Alt", chord.code].filter(Boolean).join("+"));
    for (const name of key ? [...keys, key] : keys) {
      const place = taken.get(scope) ?? taken.set(scope, new Map()).get(scope);
      place.set(name, [...(place.get(name) ?? []), button]);
    }
  }
  return [...taken.values()].flatMap((place) => [...place].filter(([, buttons]) => buttons.length > 1).map(([key, buttons]) => ({ key, buttons })));
}

export function isTextField(element) {
  if (!element?.tagName) return false;
  // The field of a dialog that was just closed has the focus until the next frame, but takes no more text.
  if (element.closest?.("dialog:not([open])")) return false;
  if (element.isContentEditable || element.tagName === "TEXTAREA" || element.tagName === "SELECT") return true;
  return element.tagName === "INPUT" && TEXT_INPUTS.has(element.type);
}

/**
 * What a key press asks for: {shortcut, act}. act is false for an auto-repeat, which is swallowed but does nothing.
 * Returns null when the press is none of ours (a text field, another dialog, an undeclared modifier).
 */
export function resolve(event, shortcuts, openDialog = null) {
  const shortcut = shortcuts.find((one) => one.scope === openDialog && matches(one, event));
  if (!shortcut) return null;
  if (isTextField(event.target) && !(event.ctrlKey || event.metaKey)) return null;
  // Ctrl+Z in a text field belongs to the text; only the field's own dialog may take a Ctrl key there.
  if (isTextField(event.target) && shortcut.scope === null) return null;
  return { shortcut, act: !event.repeat };
}

/** Space and Enter press the button or follow the link that has the focus, whatever else they are declared for. */
function presses({ code, ctrlKey, metaKey, target }) {
  return ["Space", "Enter", "NumpadEnter"].includes(code) && !ctrlKey && !metaKey && Boolean(target.closest?.("button, a[href]"));
}

/** Ignores answers that come too soon after a new item was painted: the eye cannot have read it. */
export function createGuard(milliseconds = 150) {
  let paintedAt = -Infinity;
  return {
    painted(time) { paintedAt = time; },
    accepts(time) { return time - paintedAt >= milliseconds; },
  };
}

/** Calls back once the frame that shows the present document has been painted. */
export function onPainted(callback) {
  requestAnimationFrame(() => {
    const afterFrame = new MessageChannel();
    afterFrame.port1.onmessage = callback;
    afterFrame.port2.postMessage(null);
  });
}

/** Listens for the declared keys. activate(button, event) presses the button; returns the shortcuts found. */
export function startKeyboard({ root = document, activate = (button) => button.click() } = {}) {
  // A page that comes back from the browser's memory has the items and the keys of before: it is fetched again before
  // it takes a key or a click.
  let outdated = false;
  globalThis.addEventListener?.("pageshow", ({ persisted }) => {
    if (!persisted) return;
    outdated = document.documentElement.inert = true;
    location.reload();
  });
  const shortcuts = readShortcuts(root);
  for (const { key, buttons } of findCollisions(shortcuts)) console.error(`The key ${key} is declared ${buttons.length} times.`, ...buttons);
  root.addEventListener("keydown", (event) => {
    if (outdated) return event.preventDefault();
    // Enter held down on a focused button would press it again and again.
    if (event.repeat && event.key === "Enter" && event.target.tagName === "BUTTON") return event.preventDefault();
    if (event.defaultPrevented || presses(event)) return;
    const found = resolve(event, shortcuts, [...root.querySelectorAll("dialog[open]")].at(-1) ?? null);
    if (!found) return;
    event.preventDefault();
    if (found.act && !found.shortcut.button.hidden) activate(found.shortcut.button, event);
  });
  return shortcuts;
}

/** Writes the list of keys into a <dl>, from the page's own aria-keyshortcuts. */
export function fillKeyList(list, root = document) {
  const rows = [...root.querySelectorAll("[aria-keyshortcuts]")].filter((button) => !button.hasAttribute("data-close"));
  list.replaceChildren(...rows.flatMap((button) => {
    const keys = document.createElement("dt");
    for (const chord of button.getAttribute("aria-keyshortcuts").split(/\s+/)) {
      const kbd = document.createElement("kbd");
      kbd.textContent = chord.split("+").map((part) => NAMES[part] ?? part).join(" ");
      keys.append(kbd);
    }
    const meaning = document.createElement("dd");
    meaning.textContent = button.dataset.help ?? button.dataset.name ?? button.textContent.trim();
    return [keys, meaning];
  }));
}

/** Buttons with data-opens="id" open that dialog, buttons with data-close close theirs. */
export function wireDialogs(root = document) {
  root.addEventListener("click", (event) => {
    const button = event.target.closest("[data-opens], [data-close]");
    if (!button) return;
    if (button.hasAttribute("data-close")) return button.closest("dialog").close();
    const dialog = root.getElementById(button.dataset.opens);
    const list = dialog.querySelector('[data-part="keys"]');
    if (list) fillKeyList(list, root);
    dialog.showModal();
  });
}
