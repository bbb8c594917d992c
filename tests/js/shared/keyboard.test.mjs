import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chordOf, createGuard, findCollisions, matches, parseChord, resolve,
} from "../../../static/js/shared/keyboard.js";

const shortcut = (code, { key = "", scope = null, name = code } = {}) => ({
  button: name, key, scope, chords: code.split(" ").filter(Boolean).map(parseChord),
});
const press = (code, more = {}) => ({
  code, key: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false,
  target: { tagName: "BODY" }, ...more,
});

test("a place on the keyboard counts, not the letter printed on it", () => {
  assert.ok(matches(shortcut("KeyJ"), press("KeyJ", { key: "о" })));
  assert.ok(!matches(shortcut("KeyJ"), press("KeyK", { key: "j" })));
  assert.ok(
    matches(shortcut("KeyJ"), press("", { key: "j" })), "an on-screen keyboard sends the letter only",
  );
});

test("undeclared modifiers make it another key; Command stands for Control", () => {
  for (const modifier of ["ctrlKey", "altKey", "shiftKey", "metaKey"]) {
    assert.ok(!matches(shortcut("KeyK"), press("KeyK", { [modifier]: true })));
  }
  assert.ok(matches(shortcut("KeyU Control+KeyZ"), press("KeyZ", { ctrlKey: true })));
  assert.ok(matches(shortcut("KeyU Control+KeyZ"), press("KeyZ", { metaKey: true })));
  assert.ok(!matches(shortcut("KeyU Control+KeyZ"), press("KeyZ", { ctrlKey: true, shiftKey: true })));
  assert.ok(!matches(shortcut("KeyQ"), press("KeyQ", { getModifierState: (name) => name === "AltGraph" })));
  assert.ok(!matches(shortcut("KeyJ"), press("KeyJ", { isComposing: true })));
});

test("a printed character is found whatever place and Shift it takes", () => {
  assert.ok(matches(shortcut("", { key: "?" }), press("Slash", { key: "?", shiftKey: true })));
  assert.ok(matches(shortcut("", { key: "?" }), press("Minus", { key: "?", shiftKey: true })));
  assert.ok(!matches(shortcut("", { key: "?" }), press("Slash", { key: "/" })));
});

test("auto-repeat is taken but does nothing", () => {
  const all = [shortcut("KeyJ")];
  assert.equal(resolve(press("KeyJ"), all).act, true);
  assert.equal(resolve(press("KeyJ", { repeat: true }), all).act, false);
});

test("keys belong to the open dialog, or else to the page; a text field keeps its own", () => {
  const dialog = { id: "comment" };
  const all = [
    shortcut("KeyG", { name: "open" }), shortcut("KeyG Control+Enter", { scope: dialog, name: "close" }),
    shortcut("Control+KeyZ", { name: "undo" }),
  ];
  const field = { tagName: "TEXTAREA" };
  assert.equal(resolve(press("KeyG"), all).shortcut.button, "open");
  assert.equal(resolve(press("KeyG"), all, dialog).shortcut.button, "close");
  assert.equal(resolve(press("KeyG", { target: field }), all, dialog), null);
  assert.equal(
    resolve(press("Enter", { target: field, ctrlKey: true }), all, dialog).shortcut.button, "close",
  );
  assert.equal(resolve(press("KeyZ", { target: field, ctrlKey: true }), all), null);
  assert.equal(
    resolve(press("KeyG", { target: { tagName: "INPUT", type: "checkbox" } }), all).shortcut.button, "open",
  );
});

test("two buttons of one scope on one key are found", () => {
  assert.deepEqual(findCollisions([shortcut("KeyJ"), shortcut("KeyF"), shortcut("KeyJ", { scope: {} })]), []);
  assert.deepEqual(
    findCollisions([shortcut("KeyJ ArrowRight", { name: 1 }), shortcut("KeyL ArrowRight", { name: 2 })]),
    [{ key: "ArrowRight", buttons: [1, 2] }],
  );
});

test("an answer within 150 ms of a new item is too early", () => {
  const guard = createGuard(150);
  assert.ok(guard.accepts(0));
  guard.painted(1000);
  assert.ok(!guard.accepts(1149));
  assert.ok(guard.accepts(1150));
});

test("a key press as a chord, by its place", () => {
  assert.equal(chordOf(press("KeyJ", { key: "о" })), "KeyJ");
  assert.equal(chordOf(press("KeyZ", { ctrlKey: true, shiftKey: true })), "Control+Shift+KeyZ");
  assert.equal(chordOf(press("KeyZ", { metaKey: true })), "Control+KeyZ");
  assert.equal(chordOf(press("", { key: "q" })), "KeyQ");
  for (const code of ["ShiftLeft", "ControlRight", "AltLeft", "MetaLeft", ""]) {
    assert.equal(chordOf(press(code)), "", code);
  }
  for (const chord of ["KeyJ", "Control+Shift+KeyZ", "Shift+Digit1"]) {
    const { code, control, shift, alt } = parseChord(chord);
    assert.equal(chordOf(press(code, { ctrlKey: control, shiftKey: shift, altKey: alt })), chord);
  }
});
