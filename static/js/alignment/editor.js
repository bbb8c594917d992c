/**
 * One pair on the bench: its history and its cursor, the commands that change them, and the three views of
 * them. Saving, the queue and the network are the page's.
 */

import { gettext } from "../shared/texts.js";
import {
  cross, focusAt, focusCell, heldIn, letGo, move, pick, selected, startCursor, targetCells,
} from "./cursor.js";
import { begin, commit, difference, redo, settle, undo } from "./history.js";
import { counterpart, nextMatch } from "./jump.js";
import { both, changeSentence } from "./labels.js";
import {
  acceptAll, acceptSuggestions, cellOf, clearWords, cycle, fromItem, identicalSuggestions, keyOf, link,
  linksOf, openWords, otherSide, remove, sizeOf, suggestionsOf, SURE, toggleNull,
} from "./state.js";
import { strengthWord } from "./words.js";

/**
 * @typedef {import("./cursor.js").Cursor} Cursor
 * @typedef {import("./cursor.js").Hover} Hover
 * @typedef {import("./history.js").History} History
 * @typedef {import("./state.js").Cell} Cell
 * @typedef {import("./state.js").Links} Links
 * @typedef {import("./state.js").Pair} Pair
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Strength} Strength
 * @typedef {import("../shared/text.js").Side} Side
 *
 * @typedef {[strength?: Strength, draw?: typeof link]} Drawing what a link becomes, and whether others stay
 */

export class Editor {
  /** @type {Hover | null} */
  #hover = null;

  /** @type {Cell[]} those of the last link, whose words the cursor has left; none once it has moved again */
  #drawn = [];

  /**
   * say(text) for the live region; onEdit(action) after a change; onFrame(action, start) once it is drawn.
   * @param {{ ladder: import("./ladder.js").Ladder, matrix: import("./matrix.js").Matrix,
   *   prose: import("./prose.js").Prose, say: (message: string) => void, onEdit: (action: string) => void,
   *   onFrame: (action: string, start: number) => void }} page
   */
  constructor({ ladder, matrix, prose, say, onEdit, onFrame }) {
    this.ladder = ladder;
    this.matrix = matrix;
    this.prose = prose;
    this.say = say;
    this.onEdit = onEdit;
    this.onFrame = onFrame;
    /** @type {(() => void) | undefined} */
    this.onPoint = undefined; // after the cursor or what is under the pointer changed
    // Until there is a pair there is no history.
    this.history = /** @type {History} */ (/** @type {unknown} */ (null));
    /** @type {import("./state.js").Words} */
    this.words = { a: [], b: [] };
    this.cursor = startCursor();
  }

  get state() { return this.history.state; }

  get left() {
    const open = openWords(this.state);
    return open.a.length + open.b.length;
  }

  /**
   * Puts an item on the bench, with a history kept from before or as the server has it.
   * @param {Pair} item @param {History | null} history
   */
  open(item, history = null) {
    this.words = { a: item.a.tokens, b: item.b.tokens };
    this.history = history ?? begin(fromItem(item));
    this.#hover = null;
    this.#drawn = [];
    this.cursor = focusAt(startCursor(), "a", openWords(this.state).a[0] ?? 0);
    this.ladder.open(item, this.state);
    this.matrix.open(item, this.state);
    this.prose.open(item);
    this.#point();
  }

  /**
   * One undoable step. Returns false when it changes nothing.
   * @param {string} action @param {(state: State) => State} change
   */
  edit(action, change, nothing = gettext("Nothing to change here.")) {
    const from = performance.now();
    const history = commit(this.history, change(this.state));
    if (history === this.history) {
      this.say(nothing);
      this.#point();
      return false;
    }
    this.#turn(history, action, from);
    return true;
  }

  /**
   * Takes another state over as a step that can be undone: the server's after a conflict.
   * @param {Pair} item
   */
  adopt(item) {
    return this.edit("adopt", () => fromItem({ ...item, suggestions: [] }), gettext("Both are the same."));
  }

  /**
   * The cells that a key acts on: the link or cell under the pointer, where it was moved last, else the held
   * words with the focused ones.
   */
  get #target() {
    return this.#hover?.key === undefined ? targetCells(this.cursor) : [cellOf(this.#hover.key)];
  }

  /**
   * Links what is chosen, and goes on; with nothing held, changes the link that was just drawn.
   * @param {Strength} strength @param {typeof link} draw
   */
  strength(strength, draw = link) {
    const { held } = this.cursor;
    const chosen = this.#target;
    const cells = chosen.length ? chosen : this.#drawn;
    if (!cells.length) {
      return this.say(gettext(
        "First choose a word here, then go to the other column: left or right arrow.",
      ));
    }
    const changed = this.edit(strength, (state) => draw(state, cells, strength), already(strength));
    if (changed && held && chosen.length > 0 && this.#hover?.key === undefined) {
      this.#goOn(held.side, Math.max(held.from, held.to));
      this.#drawn = cells;
    }
    return changed;
  }

  noCounterpart() {
    const { side } = this.cursor;
    const words = selected(this.cursor);
    const changed = this.edit("null", (state) => toggleNull(state, side, words));
    const open = openWords(this.state)[side];
    if (changed && !words.some((index) => open.includes(index))) this.#goOn(side, Math.max(...words));
    return changed;
  }

  /**
   * To the next open word of the column, else to the first one there is. In the matrix the cell stays.
   * @param {Side} side @param {number} index
   */
  #goOn(side, index) {
    if (this.matrix.root.contains(document.activeElement)) return;
    const open = openWords(this.state);
    const next = open[side].find((word) => word > index) ?? open[side][0];
    const to = next === undefined ? otherSide(side) : side;
    const word = next ?? open[to][0];
    if (word !== undefined) this.at(focusAt(letGo(this.cursor), to, word));
  }

  /**
   * The link under the pointer, or those between the held and the focused words; when there are none, all
   * links of the focused words.
   */
  erase() {
    const between = remove(this.state, this.#target);
    const change = between === this.state && this.#hover?.key === undefined
      ? clearWords(this.state, this.cursor.side, selected(this.cursor))
      : between;
    return this.edit("remove", () => change, gettext("There is no link here."));
  }

  accept() {
    const held = this.#target.filter(([i, j]) => this.state.suggestions.has(keyOf(i, j)));
    const cells = held.length ? held : suggestionsOf(this.state, this.cursor.side, selected(this.cursor));
    const change = acceptSuggestions(this.state, cells);
    return this.edit("accept", () => change, gettext("No link is suggested for this word."));
  }

  acceptIdentical() {
    const cells = identicalSuggestions(this.state, this.words);
    const change = acceptSuggestions(this.state, cells);
    return this.edit("accept identical", () => change, gettext("No link of identical words is suggested."));
  }

  acceptAll() { return this.edit("accept all", acceptAll, gettext("No link is suggested.")); }

  /** @param {number} i @param {number} j */
  cycle(i, j) { return this.edit("cycle", (state) => cycle(state, i, j)); }

  /** @param {Cell[]} cells @param {Strength} strength @param {typeof link} draw */
  block(cells, strength = SURE, draw = link) {
    return this.edit("block", (state) => draw(state, cells, strength), already(strength));
  }

  /** Before a submission: what was undone is given up. */
  settle() { this.history = settle(this.history); }

  undo() { return this.#step(undo, "undo"); }

  redo() { return this.#step(redo, "redo"); }

  /** @param {number} delta @param {boolean} extend */
  move(delta, extend) { this.at(move(this.cursor, delta, sizeOf(this.state, this.cursor.side), extend)); }

  /** @param {boolean} last @param {boolean} extend */
  edge(last, extend) { this.move(last ? Infinity : -Infinity, extend); }

  /** Over to the other column: to the counterpart of the focused word where there is one. */
  cross(to = otherSide(this.cursor.side)) {
    const { side, focus } = this.cursor;
    if (to === side) return;
    const target = counterpart({
      linked: linksOf(this.state, side, focus).map((mark) => mark.other),
      suggested: suggestionsOf(this.state, side, [focus]).map(([i, j]) => (side === "a" ? j : i)),
      token: this.words[side][focus], otherTokens: this.words[to], otherOpen: openWords(this.state)[to],
    });
    this.at(cross(this.cursor, Math.min(target ?? this.cursor.last[to], this.words[to].length - 1)));
  }

  /** @param {number} di @param {number} dj @param {boolean} extend */
  moveCell(di, dj, extend) {
    const { last } = this.cursor;
    /** @param {number} index @param {number} size */
    const within = (index, size) => Math.max(0, Math.min(size - 1, index));
    const [i, j] = [within(last.a + di, this.words.a.length), within(last.b + dj, this.words.b.length)];
    this.cursor = focusCell(this.cursor, i, j, extend);
    this.#hover = null;
    this.#point();
    const undrawn = this.state.suggestions.has(keyOf(i, j)) ? "suggested" : "no link";
    const strength = this.state.links.get(keyOf(i, j))?.strength ?? undrawn;
    this.say(`${both(this.words.a[i], this.words.b[j])}: ${strengthWord(strength)}`);
  }

  /** @param {number} i @param {number} j */
  focusCell(i, j) {
    this.cursor = focusCell(this.cursor, i, j);
    this.#point();
  }

  letGo() { this.at(letGo(this.cursor)); }

  /**
   * A click on a word, or a drag over a run of words.
   * @param {Side} side @param {number} from @param {number} to @param {Drawing} how
   */
  pick(side, from, to, ...how) {
    const { cursor, cells } = pick(this.cursor, side, from, to);
    this.cursor = cursor;
    if (cells.length) this.block(cells, ...how);
    else this.#point();
    this.ladder.focus(side, to);
  }

  /**
   * A drag that ends in the other column: every pair of the run and the word it ends at.
   * @param {Side} side @param {number} from @param {number} to @param {number} index
   * @param {Drawing} how
   */
  draw(side, from, to, index, ...how) {
    this.cursor = letGo(this.cursor);
    this.pick(side, from, to);
    if (heldIn(this.cursor, side).length) this.pick(otherSide(side), index, index, ...how);
  }

  /** @param {string} letters */
  jump(letters, after = false) {
    const index = nextMatch(this.words[this.cursor.side], letters, this.cursor.focus, after);
    if (index >= 0) {
      this.cursor = focusAt(this.cursor, this.cursor.side, index);
      this.#hover = null;
      this.#point();
      this.ladder.words[this.cursor.side][index].scrollIntoView({ block: "nearest" });
    }
    return index;
  }

  /** @param {Cursor} cursor */
  at(cursor) {
    const from = performance.now();
    this.cursor = cursor;
    this.#hover = null;
    this.#drawn = [];
    this.#point();
    this.ladder.focus(cursor.side, cursor.focus);
    this.onFrame("move", from);
  }

  /** @param {Hover | null} place */
  hover(place) {
    const now = this.#hover;
    if (place?.key === now?.key && place?.side === now?.side && place?.index === now?.index) return;
    const from = performance.now();
    this.#hover = place;
    this.#point();
    this.onFrame("hover", from);
  }

  /**
   * Shows a run while it is being dragged over.
   * @param {Side} side @param {number} from @param {number} to
   */
  preview(side, from, to) {
    this.cursor = focusAt(focusAt(this.cursor, side, from), side, to, true);
    this.#point();
  }

  /** @param {(history: History) => History} turn @param {string} action */
  #step(turn, action) {
    const from = performance.now();
    const history = turn(this.history);
    if (history === this.history) return false;
    this.#turn(history, action, from);
    return true;
  }

  /** @param {History} history @param {string} action @param {number} from */
  #turn(history, action, from) {
    const patch = difference(this.state, history.state);
    this.history = history;
    this.ladder.update(this.state, patch);
    this.matrix.update(this.state);
    this.#point();
    this.onEdit(action);
    const said = action === "undo" ? gettext("Undone.") : action === "redo" ? gettext("Done again.") : "";
    this.say(`${said} ${changeSentence(patch, this.words, this.left)}`.trim());
    this.onFrame(action, from);
  }

  #point() {
    this.ladder.point(this.cursor, this.#hover);
    this.matrix.point(this.cursor, this.#hover);
    this.prose.point(this.state, this.cursor, this.#hover);
    this.onPoint?.();
  }
}

/** @param {Strength} strength */
function already(strength) {
  return strength === SURE ? gettext("Already sure.") : gettext("Already possible.");
}
