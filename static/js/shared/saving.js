/**
 * What is made of an item on its way to the server: drafts some seconds after the last edit, submissions at
 * once, both through the outbox. At most one draft of an item waits there; the next is made when it has been
 * acknowledged.
 *
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./drafts.js").Drafts} Drafts
 * @typedef {import("./notices.js").Difference} Difference
 * @typedef {import("./outbox.js").Outbox} Outbox
 *
 * How a page reads and writes its answers; what their states and histories are is its own. `path` is that of
 * the answer's address, `drafts` the name of what is kept in the browser, `compare` gives what is only in
 * either answer.
 * `shown` is what the annotator was shown besides, which goes with the answer.
 * @typedef {{ path: string, drafts: string, fromItem(item: any): any, toPayload(state: any): object,
 *   shown?(item: any): object, restore(stored: any, item: any): any, serialise(history: any): object,
 *   compare(mine: any, current: any): { mine: Difference[], stored: Difference[] } }} Ways
 *
 * What edits the item on the bench; `left` counts what is still open.
 * @typedef {{ history: any, state: any, left: number, undo(): boolean, redo(): boolean, settle(): void,
 *   adopt(item: any): unknown }} Editor
 */

const REST = 2000; // milliseconds without an edit before a draft is sent

export class Saving {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {Item | null} */
  #item = null;
  #editor;
  #spent = 0;
  #since = performance.now();

  /**
   * mark(item, state) says what becomes of an item.
   * @param {{ editor: Editor, answer: Ways, outbox: Outbox, drafts: Drafts, batch: number,
   *   url: (assignment: number) => string, mark: (item: Item, state: string) => void }} page
   */
  constructor({ editor, answer, outbox, drafts, batch, url, mark }) {
    this.answer = answer;
    this.outbox = outbox;
    this.drafts = drafts;
    this.batch = batch;
    this.url = url;
    this.mark = mark;
    this.dirty = false;
    this.#editor = editor;
    addEventListener("pagehide", () => this.#keep());
  }

  /**
   * Turns to another item; what was edited in the one before is handed to the outbox first.
   * @param {Item | null} item
   */
  open(item, { dirty = false } = {}) {
    this.#item = item;
    this.dirty = dirty;
    this.#spent = 0;
    this.#since = performance.now();
    clearTimeout(this.#timer);
    if (dirty) this.#schedule();
  }

  /** A submitted item that is edited is open until it is submitted again; a skipped one stays skipped. */
  edited() {
    this.dirty = true;
    if (this.#item?.state === "done") this.mark(this.#item, "open");
    this.#keep();
    this.#schedule();
  }

  /** Writes the history into the browser's storage at once: a reload a moment later finds it. */
  #keep() {
    if (!this.#item || !this.#editor.history) return;
    this.drafts.put(this.#item.assignment, {
      version: this.#item.version, dirty: this.dirty, history: this.answer.serialise(this.#editor.history),
    });
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.draft(), REST);
  }

  /** @param {number} assignment */
  #waiting(assignment) { return this.outbox.entries.some((entry) => entry.assignment === assignment); }

  /** Sends what is on the bench without submitting it, unless an earlier save of it is still on its way. */
  draft({ force = false } = {}) {
    clearTimeout(this.#timer);
    if (!this.#item || (!force && (!this.dirty || this.#waiting(this.#item.assignment)))) return null;
    const { state } = this.#item;
    return this.#put(this.#item, { submitted: state === "done", skipped: state === "skipped" });
  }

  /** Sends what is on the bench as the answer, or the item as skipped. */
  submit({ skipped = false } = {}) {
    clearTimeout(this.#timer);
    return this.#item && this.#put(this.#item, { submitted: !skipped, skipped });
  }

  /** @param {number} assignment @param {number} version */
  acknowledged(assignment, version) {
    this.drafts.acknowledge(assignment, version);
    if (assignment === this.#item?.assignment && this.dirty) this.#schedule();
  }

  /** @param {Item} item @param {{ submitted: boolean, skipped: boolean }} answer */
  #put(item, { submitted, skipped }) {
    const payload = this.answer.toPayload(this.#editor.state);
    Object.assign(item, payload);
    this.mark(item, submitted ? "done" : skipped ? "skipped" : "open");
    const { flagged, comment, version } = item;
    const milliseconds = Math.round(performance.now() - this.#since);
    this.#since = performance.now();
    this.#spent += milliseconds;
    const shown = this.answer.shown?.(item);
    const answer = { submitted, skipped, flagged, comment, version, milliseconds: this.#spent };
    const body = { ...payload, ...shown, ...answer };
    this.dirty = false;
    this.#keep();
    // The entry must be on its way before another item is opened: put() registers it at once.
    return this.outbox.put({
      assignment: item.assignment, batch: this.batch, url: this.url(item.assignment), body,
      item: structuredClone(item),
    });
  }
}
