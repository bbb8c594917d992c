/**
 * The bench in the document: the editor with its three views, its tools, the jump field and the matrix
 * switch.
 */

import { onPainted } from "../shared/keyboard.js";
import { action, find, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";
import { Editor } from "./editor.js";
import { wireLadder, wireMatrix, wireProse, wireWords } from "./gestures.js";
import { Ladder } from "./ladder.js";
import { Matrix } from "./matrix.js";
import { Prose } from "./prose.js";
import { counts, identicalSuggestions, POSSIBLE, replace, SURE } from "./state.js";
import { Why } from "./why.js";

/**
 * An action and how long it took: `script` is the work done, `rendering` the layout and painting of its
 * frame, `milliseconds` the time until that was painted, the wait for the screen's next frame among it.
 * @typedef {{ action: string, script: number, rendering: number | null, milliseconds: number | null }} Timing
 */

/** @type {Timing[]} */
const timings = [];
Object.assign(window, { paragoldTimings: timings });
const wide = matchMedia("(min-width: 1000px)");

export class Bench {
  /** @param {import("../shared/desk.js").Calls} page */
  constructor({ say, onEdit }) {
    this.root = part("bench");
    const within = (/** @type {string} */ selector) => find(selector, HTMLElement, this.root);
    this.editor = new Editor({
      ladder: new Ladder(within(".ladder")), matrix: new Matrix(within(".matrix")),
      prose: new Prose({ a: within('.prose[data-side="a"]'), b: within('.prose[data-side="b"]') }),
      say, onFrame: (action, from) => this.timed(action, from),
      onEdit: (action) => {
        this.#tally();
        onEdit(action);
      },
    });
    this.say = say;
    this.why = new Why({ editor: this.editor, say });
    this.hint = part("hint", HTMLElement, this.root);
    this.heads = { a: within('[data-open="a"]'), b: within('[data-open="b"]') };
    this.jumpField = part("jump", HTMLInputElement);
    this.jumpBox = /** @type {HTMLElement} */ (this.jumpField.parentElement);
    this.matrixShown = wide.matches;
    wide.addEventListener("change", () => this.#showMatrix(wide.matches));
    for (const wire of [wireLadder, wireMatrix, wireProse, wireWords]) wire(this.editor);
    this.#wireJump();
    this.#showMatrix(this.matrixShown);
  }

  /** What the buttons with data-action do; the words keep the focus. */
  get actions() {
    const { editor } = this;
    const then = (/** @type {() => void} */ work) => () => {
      if (!editor.history) return;
      work();
      this.focus();
    };
    return {
      sure: then(() => editor.strength(SURE)),
      possible: then(() => editor.strength(POSSIBLE)),
      replace: then(() => editor.strength(SURE, replace)),
      null: then(() => editor.noCounterpart()),
      remove: then(() => editor.erase()),
      accept: then(() => editor.accept()),
      "accept-identical": then(() => editor.acceptIdentical()),
      "accept-all": then(() => editor.acceptAll()),
      why: then(() => this.why.toggle()),
      matrix: then(() => this.#showMatrix(!this.matrixShown)),
      jump: () => this.#openJump(),
    };
  }

  /** @param {import("./why.js").Item} item @param {import("./history.js").History | null} history */
  open(item, history) {
    this.why.open(item);
    for (const name of ["accept-identical", "accept-all", "accept"]) {
      action(name).hidden = !item.suggestions?.length;
    }
    this.editor.open(item, history);
    this.#tally();
    scrollTo(0, 0);
    this.focus({ scroll: false });
  }

  /** Back to the focused word, or to the matrix where it stands instead of the ladder. */
  focus({ scroll = true } = {}) {
    const { cursor, ladder, matrix } = this.editor;
    if (document.querySelector("dialog[open]")) return;
    if (document.activeElement === matrix.root && this.matrixShown) return;
    if (this.matrixShown && !wide.matches) return matrix.root.focus({ preventScroll: true });
    if (scroll) ladder.focus(cursor.side, cursor.focus);
    else ladder.words[cursor.side][cursor.focus]?.focus({ preventScroll: true });
  }

  /**
   * Records an action that began at `from`.
   * @param {string} action @param {number} from
   */
  timed(action, from) {
    /** @type {Timing} */
    const entry = { action, script: performance.now() - from, rendering: null, milliseconds: null };
    timings.push(entry);
    if (timings.length > 2000) timings.shift();
    let frame = from;
    requestAnimationFrame(() => { frame = performance.now(); });
    onPainted(() => {
      const now = performance.now();
      Object.assign(entry, { rendering: now - frame, milliseconds: now - from });
    });
  }

  #tally() {
    const { openA, openB, sure, possible, suggested } = counts(this.editor.state);
    this.hint.hidden = sure + possible + suggested > 0;
    this.heads.a.textContent = openA ? gettext("%(count)s open", { count: openA }) : gettext("complete");
    this.heads.b.textContent = openB ? gettext("%(count)s open", { count: openB }) : gettext("complete");
    const identical = suggested ? identicalSuggestions(this.editor.state, this.editor.words).length : 0;
    for (const name of ["accept", "accept-all"]) action(name).disabled = suggested === 0;
    action("accept-identical").disabled = identical === 0;
    // One action is the next: the identical words first, the submission when they are settled.
    action("accept-identical").classList.toggle("main", identical > 0);
    action("submit").classList.toggle("main", identical === 0);
    part("suggested-count").textContent = String(suggested);
    part("identical-count").textContent = String(identical);
  }

  /** @param {boolean} shown */
  #showMatrix(shown) {
    this.matrixShown = shown;
    this.root.dataset.view = shown ? "matrix" : "ladder";
    action("matrix").setAttribute("aria-pressed", String(shown));
  }

  #openJump() {
    if (!this.editor.history) return;
    this.jumpBox.hidden = false;
    action("jump").hidden = true;
    this.jumpField.value = "";
    this.jumpField.focus();
  }

  #wireJump() {
    const field = this.jumpField;
    const close = () => {
      if (this.jumpBox.hidden) return;
      this.jumpBox.hidden = true;
      action("jump").hidden = false;
      this.focus();
    };
    field.addEventListener("input", () => {
      if (field.value && this.editor.jump(field.value) < 0) {
        this.say(gettext("No word with %(letters)s.", { letters: field.value }));
      };
    });
    field.addEventListener("keydown", (event) => {
      const next = () => { this.editor.jump(field.value, true); };
      /** @type {Record<string, () => void>} */
      const keys = { Enter: close, Escape: close, Tab: close, ArrowDown: next, "/": next };
      const work = keys[event.key];
      if (!work || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      work();
    });
    field.addEventListener("blur", close);
  }
}
