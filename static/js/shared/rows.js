/**
 * The table of what is in dispute: a row for each thing, a column for each annotator, and the decision as a
 * radio group. One choice decides and leads to the next open row.
 *
 * A choice; `keyed` is the key that is shown on it.
 * @typedef {{ value: string, text: string, keyed: string }} Option
 *
 * `name` is what the row is about, `said` the same aloud; `cells` is what each annotator made of it.
 * @typedef {{ key: string, name: Node, said: string, cells: Node[], options: Option[] }} Row
 */

import { around, create, find, part } from "./page.js";

/**
 * The choices that the page declares with their keys, as buttons in its part "choices".
 * @returns {Option[]}
 */
export function declaredOptions() {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = part("choices").querySelectorAll("[data-choice]");
  return [...buttons].map((button) => ({
    value: button.dataset.choice ?? "",
    text: (button.firstChild?.textContent ?? "").trim(),
    keyed: button.querySelector("kbd")?.textContent ?? "",
  }));
}

export class Rows {
  current = 0;
  /** @type {Row[]} */
  rows = [];
  /** @type {HTMLElement[]} */
  #elements = [];
  /** @type {Map<string, string>} */
  #choices = new Map();

  /**
   * choose(key, value) decides a row; moved(row) is called when another row becomes the current one.
   * @param {{ annotators: string[], choose: (key: string, value: string) => void,
   *   moved: (row: Row) => void }} page
   */
  constructor({ annotators, choose, moved }) {
    this.table = part("rows");
    this.body = find("tbody", HTMLElement, this.table);
    this.moved = moved;
    /** @type {string[]} */
    this.annotators = [];
    this.#head(annotators);
    this.body.addEventListener("click", (event) => {
      const row = around(event, "tr");
      if (!row) return;
      this.goTo(this.#elements.indexOf(row));
      const radio = around(event, '[role="radio"]');
      if (radio) choose(this.rows[this.current].key, radio.dataset.value ?? "");
    });
    this.body.addEventListener("keydown", (event) => this.#walk(event));
  }

  get row() { return this.rows[this.current]; }

  /** @param {string[]} annotators */
  #head(annotators) {
    if (annotators.join() === this.annotators.join()) return;
    this.annotators = annotators;
    for (const head of this.table.querySelectorAll("thead .annotator")) head.remove();
    const last = find("thead th:last-child", HTMLElement, this.table);
    last.before(...annotators.map((name) => {
      const head = roled("th", "columnheader", "annotator");
      head.append(name);
      return head;
    }));
  }

  /** @param {Row[]} rows */
  open(rows, annotators = this.annotators) {
    this.#head(annotators);
    this.rows = rows;
    this.current = 0;
    this.#elements = rows.map((row) => this.#build(row));
    this.body.replaceChildren(...this.#elements);
  }

  /**
   * Shows the decisions, by the keys of the rows.
   * @param {Map<string, string>} choices
   */
  paint(choices) {
    this.#choices = choices;
    this.rows.forEach((row, index) => {
      const choice = choices.get(row.key);
      const element = this.#elements[index];
      element.classList.toggle("done", choice !== undefined);
      const group = find('[role="radiogroup"]', HTMLElement, element);
      if (choice !== undefined && !row.options.some(({ value }) => value === choice)) {
        const option = { value: choice, text: choice, keyed: "" };
        row.options.push(option);
        group.append(radioOf(option));
      }
      for (const radio of radios(element)) {
        radio.setAttribute("aria-checked", String(radio.dataset.value === choice));
      }
    });
    this.#mark();
  }

  /**
   * Makes a row the current one. Without `focus` the focus stays where it is.
   * @param {number} index
   */
  goTo(index, { focus = true } = {}) {
    if (!this.rows.length) return;
    this.current = Math.max(0, Math.min(this.rows.length - 1, index));
    this.#mark();
    if (focus) this.focus();
    this.moved(this.row);
  }

  /** @param {string} key */
  goToKey(key) {
    const index = this.rows.findIndex((row) => row.key === key);
    if (index >= 0) this.goTo(index);
    return index >= 0;
  }

  /** The next open row after the current one, or from the first. Returns whether there is one. */
  toOpen() {
    const { length } = this.rows;
    const order = this.rows.map((_, step) => (this.current + 1 + step) % length);
    const next = order.find((index) => !this.#choices.has(this.rows[index].key));
    if (next !== undefined) this.goTo(next);
    return next !== undefined;
  }

  /** The current row if it is open, else the next open one. */
  stayOrToOpen() {
    if (this.row && !this.#choices.has(this.row.key)) this.focus();
    else this.toOpen();
  }

  focus() {
    if (document.querySelector("dialog[open]") || !this.rows.length) return;
    const element = this.#elements[this.current];
    radios(element).find((radio) => radio.tabIndex === 0)?.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  /** The current row, and the one radio of it that Tab reaches. */
  #mark() {
    this.#elements.forEach((element, index) => {
      const now = index === this.current;
      if (now) element.setAttribute("aria-current", "true");
      else element.removeAttribute("aria-current");
      const all = radios(element);
      const stop = all.find((radio) => radio.getAttribute("aria-checked") === "true") ?? all[0];
      for (const radio of all) radio.tabIndex = now && radio === stop ? 0 : -1;
    });
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const all = radios(this.#elements[this.current]);
    const at = all.findIndex((radio) => radio === document.activeElement);
    const rightToLeft = document.dir === "rtl" ? -1 : 1;
    const beside = (/** @type {number} */ step) => {
      if (at < 0) return;
      for (const radio of all) radio.tabIndex = -1;
      const radio = all[(at + step * rightToLeft + all.length) % all.length];
      radio.tabIndex = 0;
      radio.focus();
    };
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.goTo(this.current + 1), ArrowUp: () => this.goTo(this.current - 1),
      Home: () => this.goTo(0), End: () => this.goTo(this.rows.length - 1),
      ArrowRight: () => beside(1), ArrowLeft: () => beside(-1),
    };
    const work = keys[event.code];
    if (!work) return;
    event.preventDefault();
    work();
  }

  /** @param {Row} row */
  #build({ key, name, said, cells, options }) {
    const element = roled("tr", "row");
    element.dataset.key = key;
    const head = roled("th", "rowheader", "what");
    head.setAttribute("scope", "row");
    head.append(name);
    const given = cells.map((cell, index) => {
      const made = roled("td", "cell", "given");
      // On a phone the columns have no heading above them.
      const letter = create("span", "letter", this.annotators[index]);
      letter.setAttribute("aria-hidden", "true");
      made.append(letter, cell);
      return made;
    });
    const decision = roled("td", "cell", "decision");
    const group = create("div", "choice");
    group.setAttribute("role", "radiogroup");
    group.setAttribute("aria-label", said);
    group.append(...options.map(radioOf));
    decision.append(group);
    element.append(head, ...given, decision);
    return element;
  }
}

/** @param {Element} element @returns {HTMLElement[]} */
const radios = (element) => [...element.querySelectorAll('[role="radio"]')].map((one) => (
  /** @type {HTMLElement} */ (one)));

/** @param {Option} option */
function radioOf({ value, text, keyed }) {
  const radio = create("button", "", text);
  radio.type = "button";
  radio.setAttribute("role", "radio");
  radio.setAttribute("aria-checked", "false");
  radio.dataset.value = value;
  radio.tabIndex = -1;
  if (keyed) {
    const shown = create("kbd", "", keyed);
    shown.setAttribute("aria-hidden", "true");
    radio.append(" ", shown);
  }
  return radio;
}

/**
 * A part of the table with its role written out: laid out as a grid on a phone, it would lose it.
 * @param {"tr" | "th" | "td"} name @param {string} role @param {string} [kind]
 */
function roled(name, role, kind) {
  const made = create(name, kind);
  made.setAttribute("role", role);
  return made;
}
