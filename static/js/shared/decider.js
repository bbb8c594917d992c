/** The rows of a review with what is decided on each: one choice decides and leads to the next open row. */

import { begin, decide, fitting, openOf, redo, undo } from "./decisions.js";
import { action } from "./page.js";
import { Rows } from "./rows.js";
import { gettext } from "./texts.js";

/**
 * @typedef {import("./decisions.js").Decisions} Decisions
 * @typedef {import("./rows.js").Row} Row
 */

export class Decider {
  /**
   * `made` are the choices of an earlier decision; changed() is called after every change, moved(row) when
   * another row is the current one, done() when the last open row has been decided.
   * @param {{ annotators: string[], rows: Row[], made: [string, string][], changed: () => void,
   *   moved: (row: Row) => void, done?: () => void, say: (message: string) => void }} page
   */
  constructor({ annotators, rows, made, changed, moved, done = () => action("store").focus(), say }) {
    this.changed = changed;
    this.done = done;
    this.say = say;
    this.rows = new Rows({ annotators, choose: (key, value) => this.choose(value, key), moved });
    this.decisions = begin();
    this.open({ annotators, rows, made });
  }

  /** @param {{ annotators: string[], rows: Row[], made: [string, string][] }} item */
  open({ annotators, rows, made }) {
    this.decisions = begin(made);
    this.rows.open(rows, annotators);
    this.rows.current = Math.max(0, rows.findIndex(({ key }) => !this.choices.has(key)));
    this.rows.paint(this.choices);
  }

  get choices() { return this.decisions.choices; }

  get keys() { return this.rows.rows.map(({ key }) => key); }

  get left() { return openOf(this.keys, this.decisions).length; }

  /**
   * Decides a row, the current one by default, and goes on to the next open one.
   * @param {string} value
   */
  choose(value, key = this.rows.row?.key) {
    const row = this.rows.rows.find((one) => one.key === key);
    if (!row) return;
    this.turn(decide(this.decisions, [[row.key, value]]), `${row.said}: ${this.named(row, value)}.`);
    if (!this.rows.toOpen()) this.done();
  }

  /**
   * Decides every open row in one step.
   * @param {(key: string) => string} rule @param {string} said
   */
  fill(rule, said) {
    const open = openOf(this.keys, this.decisions);
    if (!open.length) return this.say(gettext("Nothing is open."));
    this.turn(decide(this.decisions, open.map((key) => /** @type {const} */ ([key, rule(key)]))), said);
    this.done();
  }

  undo() { return this.#step(undo(this.decisions), gettext("Undone.")); }

  redo() { return this.#step(redo(this.decisions), gettext("Done again.")); }

  /** @param {Decisions} next @param {string} said */
  #step(next, said) {
    if (next === this.decisions) return false;
    const differing = this.keys.find((key) => next.choices.get(key) !== this.choices.get(key));
    this.turn(next, said);
    if (differing) this.rows.goToKey(differing);
    return true;
  }

  /** @param {Decisions} next @param {string} said */
  turn(next, said) {
    this.decisions = next;
    this.rows.paint(this.choices);
    this.changed();
    const { left } = this;
    this.say(`${said} ${left ? gettext("%(left)s open.", { left }) : gettext("All decided.")}`);
  }

  /** To the next open row. */
  next() { if (!this.rows.toOpen()) this.say(gettext("Nothing is open.")); }

  focus() {
    if (this.left || !this.keys.length) this.rows.focus();
    else action("store").focus({ preventScroll: true });
  }

  draft() { return { choices: [...this.choices] }; }

  /** @param {{ choices: [string, string][] }} kept @param {readonly string[]} allowed */
  take(kept, allowed) {
    this.decisions = begin(fitting(kept.choices, this.keys, allowed));
    this.rows.paint(this.choices);
    this.rows.stayOrToOpen();
  }

  /** @param {Row} row @param {string} value */
  named({ options }, value) {
    return (options.find((option) => option.value === value)?.text ?? value).toLowerCase();
  }
}
