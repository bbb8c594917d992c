/**
 * The board in the document: the headlines that are still open, the groups beside them, and what is done with both by
 * key, pointer and finger. Saving, the queue and the network are the page's.
 */

import { sentenceNode } from "../shared/text.js";
import { wireDragging } from "./dragging.js";
import {
  begin, commit, difference, fromItem, groupsOf, membersOf, newGroup, NONE, place, placeOf, redo, settle, undo,
} from "./partition.js";

const HUES = 8;

export class Board {
  #rows = new Map(); // number -> its element
  #sections = new Map(); // group -> its element
  #last = { open: null, placed: null }; // where the focus was last in each column
  #anchor = null;

  /** say(text) for the live region; onEdit(action) after a change; marksOf(number) gives nodes to show beside a headline. */
  constructor({ say, onEdit, marksOf = () => [] }) {
    Object.assign(this, { say, onEdit, marksOf });
    this.root = document.querySelector('[data-part="bench"]');
    this.openList = this.root.querySelector(".open ul");
    this.groups = this.root.querySelector(".groups");
    this.history = null;
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
    const into = (group) => () => this.history && this.put(group);
    const groups = Array.from({ length: 9 }, (_, index) => [`group${index + 1}`, into(index + 1)]);
    return {
      ...Object.fromEntries(groups), none: into(NONE), new: into("new"), open: into(null), sources: () => this.#showSources(),
    };
  }

  /** Puts an item on the board, with a history kept from before or as the server has it. */
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

  /** Puts headlines (those selected, or the one in focus) into a group, NONE, "new" or null: open again. */
  put(group, chosen = this.targets()) {
    const to = group === "new" ? newGroup(this.state) : group;
    const wasOpen = placeOf(this.state, this.current) === null;
    const next = place(this.state, chosen, to);
    const what = chosen.length === 1 ? `Headline ${chosen[0]}` : `${chosen.length} headlines`;
    if (next === this.state) {
      this.say(`${what}: ${nameOf(to)} already.`);
      return this.focus();
    }
    const open = membersOf(next, null);
    if (wasOpen && open.length) this.#stand(open.find((number) => number > this.current) ?? open.at(-1));
    this.#turn(commit(this.history, next), "put", `${what}: ${nameOf(to)}.`);
    this.focus();
  }

  /** Takes another state over as a step that can be undone. */
  adopt(item) { this.take(fromItem({ ...this.item, placements: item.placements }), "adopt", "Taken over."); }

  take(state, action, said) {
    // A state that only looks new is no step.
    const next = difference(this.state, state).length ? state : this.state;
    this.#turn(commit(this.history, next), action, said);
  }

  /** Before a submission: what was undone is given up. */
  settle() { this.history = settle(this.history); }

  undo() { return this.#step(undo, "undo", "Undone."); }

  redo() { return this.#step(redo, "redo", "Done again."); }

  targets() { return this.selected.has(this.current) ? [...this.selected].sort((p, q) => p - q) : [this.current]; }

  focus() {
    if (document.querySelector("dialog[open]")) return;
    this.#rows.get(this.current)?.focus({ preventScroll: true });
    this.#rows.get(this.current)?.scrollIntoView({ block: "nearest" });
  }

  /** Goes to a headline, as if by key. */
  goTo(number) {
    this.#letGo();
    this.#stand(number);
    this.#point();
    this.focus();
  }

  #row({ number, source, published, ...headline }) {
    const row = element("li", "headline");
    row.setAttribute("role", "option");
    row.dataset.number = number;
    const grip = element("span", "grip");
    grip.setAttribute("aria-hidden", "true");
    const from = element("span", "from");
    from.textContent = [source, published].filter(Boolean).join(", ");
    row.append(grip, sentenceNode(headline), ...this.marksOf(number), from);
    return row;
  }

  #paint() {
    const { state } = this;
    const rowsOf = (group) => membersOf(state, group).map((number) => this.#rows.get(number));
    const open = rowsOf(null);
    this.openList.replaceChildren(...open);
    this.openList.hidden = open.length === 0;
    this.root.querySelector('[data-part="all-placed"]').hidden = open.length > 0;
    this.root.querySelector('[data-part="open-count"]').textContent = open.length || "";
    const sections = groupsOf(state).map((group) => this.#section(group, rowsOf(group)));
    const none = rowsOf(NONE);
    if (none.length) sections.push(this.#section(NONE, none));
    this.groups.replaceChildren(...sections, this.#newSection());
    this.#point();
  }

  #section(group, rows) {
    let section = this.#sections.get(group);
    if (!section) {
      section = element("section", "group");
      section.dataset.drop = group;
      if (group !== NONE) section.dataset.hue = (group - 1) % HUES;
      const title = element("h2");
      title.id = `group-${group}`;
      const badge = element("span", "badge");
      badge.textContent = group === NONE ? "none" : group;
      const list = element("ul");
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-multiselectable", "true");
      list.setAttribute("aria-label", group === NONE ? "In no group" : `Group ${group}`);
      title.append(badge, element("span", "count"));
      section.append(title, list);
      this.#sections.set(group, section);
    }
    section.querySelector(".count").textContent = rows.length === 1 ? "1 headline" : `${rows.length} headlines`;
    section.querySelector("ul").replaceChildren(...rows);
    return section;
  }

  #newSection() {
    const section = element("p", "new-group");
    section.dataset.drop = "new";
    section.textContent = groupsOf(this.state).length ? "Drop here for a new group" : "Headlines that say the same go into one group: press its number, or drag them here.";
    return section;
  }

  #point() {
    for (const [number, row] of this.#rows) {
      row.tabIndex = number === this.current ? 0 : -1;
      row.classList.toggle("current", number === this.current);
      row.setAttribute("aria-selected", String(this.selected.has(number)));
    }
  }

  #step(turn, action, said) {
    const history = turn(this.history);
    if (history === this.history) return false;
    this.#turn(history, action, said);
    this.focus();
    return true;
  }

  #turn(history, action, said) {
    if (history === this.history) return;
    const focused = this.root.contains(document.activeElement);
    this.history = history;
    this.#letGo();
    this.#paint();
    // A headline that has moved in the document has lost the focus.
    if (focused) this.focus();
    this.onEdit(action);
    this.say(`${said} ${this.left} left.`);
  }

  #stand(number) {
    this.current = number;
    this.#last[this.#columnOf(number)] = number;
  }

  #letGo() {
    this.selected.clear();
    this.#anchor = null;
  }

  #columnOf(number) { return placeOf(this.state, number) === null ? "open" : "placed"; }

  /** The headlines of a column in the order in which they stand. */
  #order(column) {
    if (column === "open") return membersOf(this.state, null);
    return [...groupsOf(this.state), NONE].flatMap((group) => membersOf(this.state, group));
  }

  #walk(event) {
    if (!event.target.closest(".headline") || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const column = this.#columnOf(this.current);
    const order = this.#order(column);
    const at = order.indexOf(this.current);
    const work = {
      ArrowDown: () => this.#move(order, at + 1, event.shiftKey),
      ArrowUp: () => this.#move(order, at - 1, event.shiftKey),
      Home: () => this.#move(order, 0, event.shiftKey),
      End: () => this.#move(order, order.length - 1, event.shiftKey),
      ArrowRight: () => this.#cross("placed"),
      ArrowLeft: () => this.#cross("open"),
      Space: () => this.#toggle(this.current),
      Escape: () => this.#clear(),
    }[event.code];
    if (!work) return;
    event.preventDefault();
    work();
  }

  #move(order, index, extend) {
    const to = order[Math.max(0, Math.min(order.length - 1, index))];
    if (extend) this.#range(order, to);
    else this.#letGo();
    this.#stand(to);
    this.#point();
    this.focus();
  }

  #range(order, to) {
    this.#anchor ??= this.current;
    const [from, end] = [order.indexOf(this.#anchor), order.indexOf(to)].sort((p, q) => p - q);
    this.selected = new Set(order.slice(Math.max(0, from), end + 1));
  }

  #cross(column) {
    const order = this.#order(column);
    if (column === this.#columnOf(this.current) || !order.length) return;
    this.goTo(order.includes(this.#last[column]) ? this.#last[column] : order[0]);
  }

  #toggle(number) {
    if (!this.selected.delete(number)) this.selected.add(number);
    this.#point();
    this.say(`${this.selected.size} selected.`);
  }

  #clear() {
    this.#letGo();
    this.#point();
  }

  /** A click makes a headline the current one; with Shift it selects up to it, with Ctrl or on its grip it adds it. */
  #pick(event) {
    const row = event.target.closest(".headline");
    if (!row) return;
    const number = Number(row.dataset.number);
    const add = event.ctrlKey || event.metaKey || Boolean(event.target.closest(".grip"));
    if (event.shiftKey) this.#range(this.#order(this.#columnOf(number)), number);
    else if (!add) this.#letGo();
    this.#stand(number);
    if (add) this.#toggle(number);
    this.#point();
    this.focus();
  }

  #showSources() {
    const shown = this.root.classList.toggle("sources");
    document.querySelector('[data-action="sources"]').setAttribute("aria-pressed", String(shown));
    this.say(shown ? "Sources shown." : "Sources hidden.");
    this.focus();
  }
}

const nameOf = (group) => (group === null ? "open" : group === NONE ? "in no group" : `group ${group}`);

function element(name, kind = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  return made;
}
