/**
 * The board in the document: the headlines that are still open, the groups beside them, and what is done with
 * both by key, pointer and finger. Saving, the queue and the network are the page's.
 */

import { action, around, create, find, part } from "../shared/page.js";
import { sentenceNode } from "../shared/text.js";
import { gettext, ngettext } from "../shared/texts.js";
import { wireDragging } from "./dragging.js";
import {
  begin, commit, difference, fromItem, groupsOf, membersOf, newGroup, NONE, place, placeOf, redo, settle,
  undo,
} from "./partition.js";

/**
 * @typedef {import("./partition.js").Cluster} Cluster
 * @typedef {import("./partition.js").Headline} Headline
 * @typedef {import("./partition.js").History} History
 * @typedef {import("./partition.js").State} State
 * @typedef {"open" | "placed"} Column
 */

const HUES = 8;

export class Board {
  /** @type {Map<number, HTMLElement>} */
  #rows = new Map(); // by number
  /** @type {Map<number, HTMLElement>} */
  #sections = new Map(); // by group
  /** @type {Record<Column, number | null>} */
  #last = { open: null, placed: null }; // where the focus was last in each column
  /** @type {number | null} */
  #anchor = null;

  /**
   * say(text) for the live region; onEdit(action) after a change; marksOf(number) gives nodes to show beside
   * a headline.
   * @param {{ say: (message: string) => void, onEdit: (action: string) => void,
   *   marksOf?: (number: number) => Node[] }} page
   */
  constructor({ say, onEdit, marksOf = () => [] }) {
    this.say = say;
    this.onEdit = onEdit;
    this.marksOf = marksOf;
    this.root = part("bench");
    this.openList = find(".open ul", HTMLElement, this.root);
    this.groups = find(".groups", HTMLElement, this.root);
    /** @type {Cluster} */
    this.item = { headlines: [] };
    // Until there is an item there is no history.
    this.history = /** @type {History} */ (/** @type {unknown} */ (null));
    /** @type {Set<number>} */
    this.selected = new Set();
    this.current = 1;
    this.root.addEventListener("keydown", (event) => this.#walk(event));
    this.root.addEventListener("click", (event) => this.#pick(event));
    wireDragging(this);
  }

  /** The page's desk works on an editor: here it is the board itself. */
  get editor() { return this; }

  get state() { return this.history.state; }

  get left() { return membersOf(this.state, null).length; }

  /** What the buttons with data-action do; the headlines keep the focus. */
  get actions() {
    const into = (/** @type {number | "new" | null} */ group) => () => this.history && this.put(group);
    const groups = Array.from({ length: 9 }, (_, index) => [`group${index + 1}`, into(index + 1)]);
    return {
      ...Object.fromEntries(groups), none: into(NONE), new: into("new"), open: into(null),
      sources: () => this.#showSources(),
    };
  }

  /**
   * Puts an item on the board, with a history kept from before or as the server has it.
   * @param {Cluster} item @param {History | null} history
   */
  open(item, history = null) {
    this.item = item;
    this.history = history ?? begin(fromItem(item));
    this.#rows = new Map(item.headlines.map((headline) => [headline.number, this.#row(headline)]));
    this.#sections.clear();
    this.selected.clear();
    this.#last = { open: null, placed: null };
    this.#stand(membersOf(this.state, null)[0] ?? 1);
    this.#paint();
    scrollTo(0, 0);
    this.focus();
  }

  /**
   * Puts headlines (those selected, or the one in focus) into a group, NONE, "new" or null: open again.
   * @param {number | "new" | null} group
   */
  put(group, chosen = this.targets()) {
    const to = group === "new" ? newGroup(this.state) : group;
    const wasOpen = placeOf(this.state, this.current) === null;
    const next = place(this.state, chosen, to);
    const what = chosen.length === 1
      ? gettext("Headline %(number)s", { number: chosen[0] }) : headlines(chosen.length);
    if (next === this.state) {
      this.say(gettext("%(what)s: %(place)s already.", { what, place: nameOf(to) }));
      return this.focus();
    }
    const open = membersOf(next, null);
    if (wasOpen && open.length) {
      this.#stand(open.find((number) => number > this.current) ?? open[open.length - 1]);
    }
    this.#turn(commit(this.history, next), "put", `${what}: ${nameOf(to)}.`);
    this.focus();
  }

  /**
   * Takes another state over as a step that can be undone.
   * @param {Pick<Cluster, "placements">} item
   */
  adopt(item) {
    this.take(fromItem({ ...this.item, placements: item.placements }), "adopt", gettext("Taken over."));
  }

  /** @param {State} state @param {string} action @param {string} said */
  take(state, action, said) {
    // A state that only looks new is no step.
    const next = difference(this.state, state).length ? state : this.state;
    this.#turn(commit(this.history, next), action, said);
  }

  /** Before a submission: what was undone is given up. */
  settle() { this.history = settle(this.history); }

  undo() { return this.#step(undo, "undo", gettext("Undone.")); }

  redo() { return this.#step(redo, "redo", gettext("Done again.")); }

  targets() {
    return this.selected.has(this.current) ? [...this.selected].sort((p, q) => p - q) : [this.current];
  }

  focus() {
    if (document.querySelector("dialog[open]")) return;
    this.#rows.get(this.current)?.focus({ preventScroll: true });
    this.#rows.get(this.current)?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Goes to a headline, as if by key.
   * @param {number} number
   */
  goTo(number) {
    this.#letGo();
    this.#stand(number);
    this.#point();
    this.focus();
  }

  /**
   * Makes a headline the current one and leaves the focus where it is.
   * @param {number} number
   */
  stand(number) {
    this.#letGo();
    this.#stand(number);
    this.#point();
  }

  /** @param {Headline} headline */
  #row({ number, source, published, ...headline }) {
    const row = create("li", "headline");
    row.setAttribute("role", "option");
    row.dataset.number = String(number);
    const grip = create("span", "grip");
    grip.setAttribute("aria-hidden", "true");
    const from = create("span", "from", [source, published?.slice(0, 10)].filter(Boolean).join(", "));
    row.append(grip, sentenceNode(headline), ...this.marksOf(number), from);
    return row;
  }

  #paint() {
    const { state } = this;
    const rowsOf = (/** @type {number | null} */ group) => (
      membersOf(state, group).map((number) => /** @type {HTMLElement} */ (this.#rows.get(number))));
    const open = rowsOf(null);
    this.openList.replaceChildren(...open);
    this.openList.hidden = open.length === 0;
    part("all-placed", HTMLElement, this.root).hidden = open.length > 0;
    part("open-count", HTMLElement, this.root).textContent = open.length ? String(open.length) : "";
    const sections = groupsOf(state).map((group) => this.#section(group, rowsOf(group)));
    const none = rowsOf(NONE);
    if (none.length) sections.push(this.#section(NONE, none));
    this.groups.replaceChildren(...sections, this.#newSection());
    this.#point();
  }

  /** @param {number} group @param {HTMLElement[]} rows */
  #section(group, rows) {
    let section = this.#sections.get(group);
    if (!section) {
      section = create("section", "group");
      section.dataset.drop = String(group);
      if (group !== NONE) section.dataset.hue = String((group - 1) % HUES);
      const title = create("h2");
      title.id = `group-${group}`;
      const badge = create("span", "badge", group === NONE ? gettext("none") : String(group));
      const list = create("ul");
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-multiselectable", "true");
      list.setAttribute("aria-label", group === NONE
        ? gettext("In no group") : gettext("Group %(number)s", { number: group }));
      title.append(badge, create("span", "count"));
      section.append(title, list);
      this.#sections.set(group, section);
    }
    find(".count", HTMLElement, section).textContent = headlines(rows.length);
    find("ul", HTMLElement, section).replaceChildren(...rows);
    return section;
  }

  #newSection() {
    const section = create("p", "new-group", groupsOf(this.state).length
      ? gettext("Drop here for a new group")
      : gettext("Headlines that say the same go into one group: press its number, or drag them here."));
    section.dataset.drop = "new";
    return section;
  }

  #point() {
    for (const [number, row] of this.#rows) {
      row.tabIndex = number === this.current ? 0 : -1;
      row.classList.toggle("current", number === this.current);
      row.setAttribute("aria-selected", String(this.selected.has(number)));
    }
  }

  /** @param {(history: History) => History} turn @param {string} action @param {string} said */
  #step(turn, action, said) {
    const history = turn(this.history);
    if (history === this.history) return false;
    const [[number, , to], ...others] = difference(this.state, history.state);
    const what = others.length ? "" : ` ${gettext("Headline %(number)s", { number })}: ${nameOf(to)}.`;
    this.#turn(history, action, said + what);
    this.focus();
    return true;
  }

  /** @param {History} history @param {string} action @param {string} said */
  #turn(history, action, said) {
    if (history === this.history) return;
    const focused = this.root.contains(document.activeElement);
    this.history = history;
    this.#letGo();
    this.#paint();
    // A headline that has moved in the document has lost the focus.
    if (focused) this.focus();
    this.onEdit(action);
    this.say(`${said} ${gettext("%(count)s left", { count: this.left })}.`);
  }

  /** @param {number} number */
  #stand(number) {
    this.current = number;
    this.#last[this.#columnOf(number)] = number;
  }

  #letGo() {
    this.selected.clear();
    this.#anchor = null;
  }

  /** @param {number} number @returns {Column} */
  #columnOf(number) { return placeOf(this.state, number) === null ? "open" : "placed"; }

  /**
   * The headlines of a column in their order on the page.
   * @param {Column} column
   */
  #order(column) {
    if (column === "open") return membersOf(this.state, null);
    return [...groupsOf(this.state), NONE].flatMap((group) => membersOf(this.state, group));
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (!around(event, ".headline")) return;
    const column = this.#columnOf(this.current);
    const order = this.#order(column);
    const at = order.indexOf(this.current);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.#move(order, at + 1, event.shiftKey),
      ArrowUp: () => this.#move(order, at - 1, event.shiftKey),
      Home: () => this.#move(order, 0, event.shiftKey),
      End: () => this.#move(order, order.length - 1, event.shiftKey),
      ArrowRight: () => this.#cross("placed"),
      ArrowLeft: () => this.#cross("open"),
      Space: () => this.#toggle(this.current),
      Escape: () => this.#clear(),
    };
    const work = keys[event.code];
    if (!work) return;
    event.preventDefault();
    work();
  }

  /** @param {number[]} order @param {number} index @param {boolean} extend */
  #move(order, index, extend) {
    const to = order[Math.max(0, Math.min(order.length - 1, index))];
    if (extend) this.#range(order, to);
    else this.#letGo();
    this.#stand(to);
    this.#point();
    this.focus();
  }

  /** @param {number[]} order @param {number} to */
  #range(order, to) {
    this.#anchor ??= this.current;
    const [from, end] = [order.indexOf(this.#anchor), order.indexOf(to)].sort((p, q) => p - q);
    this.selected = new Set(order.slice(Math.max(0, from), end + 1));
  }

  /** @param {Column} column */
  #cross(column) {
    const order = this.#order(column);
    if (column === this.#columnOf(this.current) || !order.length) return;
    this.goTo(order.find((number) => number === this.#last[column]) ?? order[0]);
  }

  /** @param {number} number */
  #toggle(number) {
    if (!this.selected.delete(number)) this.selected.add(number);
    this.#point();
    this.say(gettext("%(count)s selected.", { count: this.selected.size }));
  }

  #clear() {
    this.#letGo();
    this.#point();
  }

  /**
   * A click makes a headline the current one; with Shift it selects up to it, with Ctrl or on its grip it
   * adds it.
   * @param {MouseEvent} event
   */
  #pick(event) {
    const row = around(event, ".headline");
    if (!row) return;
    const number = Number(row.dataset.number);
    const add = event.ctrlKey || event.metaKey || Boolean(around(event, ".grip"));
    if (event.shiftKey) this.#range(this.#order(this.#columnOf(number)), number);
    else if (!add) this.#letGo();
    this.#stand(number);
    if (add) this.#toggle(number);
    this.#point();
    this.focus();
  }

  #showSources() {
    const shown = this.root.classList.toggle("sources");
    action("sources").setAttribute("aria-pressed", String(shown));
    this.say(shown ? gettext("Sources shown.") : gettext("Sources hidden."));
    this.focus();
  }
}

/** @param {number | null} group */
function nameOf(group) {
  if (group === null) return gettext("open");
  return group === NONE ? gettext("in no group") : gettext("group %(number)s", { number: group });
}

/** @param {number} count */
export const headlines = (count) => ngettext("%(count)s headline", "%(count)s headlines", count);
