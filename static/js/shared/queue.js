/**
 * The items in front of an annotator and behind: what is shown, what comes next (prefetched), what can be
 * taken back and given again. No network and no document here: the page fetches, sends and paints.
 *
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./api.js").Reply} Reply
 * @typedef {import("./outbox.js").Entry} Entry
 *
 * What was said of an item.
 * @typedef {{ label?: string | null, skipped: boolean, phenomena?: Record<string, number> }} Answer
 */

import { backoff, isTemporary } from "./outbox.js";
import { gettext } from "./texts.js";

/**
 * The queue of the API: `done` are answered or skipped.
 * @template T
 * @typedef {{ total: number, done: number, skipped?: number, items: T[] }} Payload
 */

/**
 * @template T
 * @typedef {{ item: T, answer: Answer }} Answered
 */

/** Fewer items than this ahead, and the next ones are fetched. */
export const AHEAD = 10;

/**
 * Open items come first, those that were skipped at the end, in the order in which they were. Once every one
 * of these has come again and was passed over again, without an answer to any, there is no current item until
 * `goRound` is called.
 * @template {Item} [T=Item]
 */
export class Queue {
  /** @type {Set<number>} */
  #answered = new Set(); // assignments answered here: the server may still list them as open
  #passed = 0; // items passed over, one after another, that had come again

  /**
   * `entries`: what is still in the outbox for this batch.
   * @param {Payload<T>} payload @param {Entry[]} entries
   */
  constructor(payload, entries = []) {
    this.total = payload.total;
    this.done = payload.done; // answered or skipped
    this.skipped = payload.skipped ?? 0;
    /** @type {T | null} */
    this.current = null;
    this.returned = false; // whether the current item has come again
    this.complete = false; // whether every open item is known here
    /** @type {T[]} */
    this.upcoming = [];
    /** @type {T[]} */
    this.returning = []; // skipped here or before
    /** @type {Answered<T>[]} */
    this.past = [];
    /** @type {Answered<T>[]} */
    this.future = [];
    /** @type {T[]} */
    const skipped = [];
    for (const { assignment, answer, flagged, comment } of latestAnswers(entries)) {
      const item = payload.items.find((one) => one.assignment === assignment);
      if (!item && isAnswer(answer)) this.#answered.add(assignment);
      if (!item) continue;
      Object.assign(item, { flagged, comment });
      // What the server lists as open it has not counted as done.
      this.mark(item, isAnswer(answer) ? stateAfter(item, answer) : "open");
      if (item.state === "skipped") skipped.push(item);
    }
    this.add(payload.items.filter((item) => !skipped.includes(item)));
    this.returning.push(...skipped);
    this.advance();
  }

  get left() { return Math.max(0, this.total - this.done); }

  get needsMore() { return this.upcoming.length < AHEAD; }

  /**
   * How many to ask for, so that AHEAD new ones come after those already known here or not yet acknowledged.
   */
  limit(unsynced = 0) { return Math.min(100, 2 * AHEAD + this.upcoming.length + 1 + unsynced); }

  /**
   * What has become of an item, wherever it is held: the counts follow.
   * @param {T} item @param {string} state
   */
  mark(item, state) {
    this.done += Number(state !== "open") - Number(item.state !== "open");
    this.skipped += Number(state === "skipped") - Number(item.state === "skipped");
    item.state = state;
    if (state === "done") this.#answered.add(item.assignment);
    else this.#answered.delete(item.assignment);
  }

  /**
   * Puts fetched items at the end, without those known or answered here. Returns how many open ones were new.
   * @param {T[]} items
   */
  add(items) {
    const here = [this.current, ...this.upcoming, ...this.returning];
    const known = new Set(here.map((item) => item?.assignment));
    const fresh = items.filter(({ assignment }) => !known.has(assignment) && !this.#answered.has(assignment));
    const open = fresh.filter(({ state }) => state !== "skipped");
    this.upcoming.push(...open);
    this.returning.push(...fresh.filter(({ state }) => state === "skipped"));
    return open.length;
  }

  advance() {
    this.current = this.upcoming.shift() ?? null;
    const last = !this.current && (this.left === 0 || this.complete);
    if (last && this.#passed < this.returning.length) this.current = this.returning.shift() ?? null;
    this.returned = last && this.current !== null;
    return this.current;
  }

  /** Has every item that was passed over come once more. */
  goRound() {
    this.#passed = 0;
    this.complete = true;
    return this.current ?? this.advance();
  }

  /**
   * Answers the current item, which there must be, and goes on to the next. Returns the item answered.
   * @param {Answer} answer
   */
  answer(answer, { redoing = false } = {}) {
    const item = /** @type {T} */ (this.current);
    if (!redoing) this.future = [];
    this.past = this.past.filter((one) => one.item.assignment !== item.assignment);
    this.past.push({ item, answer });
    this.mark(item, stateAfter(item, answer));
    item.label = answer.label ?? item.first ?? null;
    if (item.state === "skipped") this.pass();
    else this.#goOn();
    return item;
  }

  /** Puts the current item, which there must be, behind all others, and goes on to the next. */
  pass() {
    this.returning.push(/** @type {T} */ (this.current));
    this.#passed = this.returned ? this.#passed + 1 : 0;
    this.advance();
  }

  #goOn() {
    this.#passed = 0;
    this.advance();
  }

  /**
   * Puts an answered or skipped item on the screen; what is there comes next. Its answer counts until another
   * one is given. Returns the item as it is held here.
   * @param {T} item
   */
  jump(item) {
    const held = this.held(item.assignment) ?? item;
    if (held !== this.current) this.#show(held);
    return held;
  }

  /** Leaves the current item as it is and goes on to the next. */
  leave() {
    this.#putBack();
    this.#goOn();
  }

  /** @param {T} item */
  #show(item) {
    this.#putBack();
    this.#drop(item.assignment);
    this.current = item;
    this.returned = false;
    this.#passed = 0;
  }

  #putBack() {
    if (this.current?.state === "open") this.upcoming.unshift(this.current);
    else if (this.current?.state === "skipped") this.returning.unshift(this.current);
  }

  /** @param {number} assignment */
  #drop(assignment) {
    this.upcoming = this.upcoming.filter((item) => item.assignment !== assignment);
    this.returning = this.returning.filter((item) => item.assignment !== assignment);
  }

  /** Takes the latest answer back: its item is current again. Returns both, or null at the beginning. */
  undo() {
    const last = this.past.pop();
    if (!last) return null;
    this.#show(last.item);
    this.future.push(last);
    this.mark(last.item, "open");
    last.item.label = null;
    return last;
  }

  /** Gives the answer again that was taken back last. Returns {item, answer}, or null. */
  redo() {
    const next = this.future.at(-1);
    if (!next || next.item.assignment !== this.current?.assignment) return null;
    this.future.pop();
    this.answer(next.answer, { redoing: true });
    return next;
  }

  /**
   * Fills the past after a reload, oldest first: the server's history, then what is still in the outbox.
   * @param {T[]} items @param {Entry[]} entries
   */
  recall(items, entries = []) {
    const here = [this.current, ...this.upcoming, ...this.past.map(({ item }) => item)];
    const known = new Set(here.map((item) => item?.assignment));
    const unsent = latestAnswers(entries).filter(({ item }) => item);
    const waiting = new Set(unsent.map(({ assignment }) => assignment));
    const earlier = [...items].reverse().filter((item) => !waiting.has(item.assignment));
    const recalled = [
      ...earlier.map((item) => ({ item, answer: { label: item.label, skipped: item.state === "skipped" } })),
      ...unsent.map(({ item, answer }) => {
        const sent = /** @type {T} */ (item);
        return { item: { ...sent, state: stateAfter(sent, answer) }, answer };
      }),
    ].filter(({ item, answer }) => isAnswer(answer) && !known.has(item.assignment))
      .map(({ item, answer }) => ({ item: this.held(item.assignment) ?? item, answer }));
    for (const { item } of recalled) if (item.state === "done") this.#answered.add(item.assignment);
    this.past.unshift(...recalled);
    return recalled.length;
  }

  /**
   * The server has a newer version of an assignment, wherever it is held here.
   * @param {number} assignment @param {number} version
   */
  acknowledge(assignment, version) {
    for (const item of this.#copies(assignment)) item.version = version;
  }

  /**
   * Takes over the item as the server has it now.
   * @param {T} current
   */
  replace(current) {
    const { assignment, state } = current;
    const held = this.held(assignment);
    if (held) this.mark(held, state);
    for (const item of this.#copies(assignment)) Object.assign(item, current);
    for (const one of this.past) {
      if (one.item.assignment !== assignment) continue;
      one.answer = { label: current.label, skipped: state === "skipped" };
    }
    if (!held || held === this.current || this.upcoming.includes(held)) return;
    this.#drop(assignment);
    if (state === "skipped") this.returning.push(held);
    else if (state === "open") this.upcoming.push(held);
  }

  /**
   * Another tab answered or skipped it: it need not be shown here. Returns true when it was the one on the
   * screen.
   * @param {number} assignment
   */
  forget(assignment, { skipped = false } = {}) {
    const here = this.current?.assignment === assignment;
    const item = this.held(assignment);
    this.#drop(assignment);
    this.future = this.future.filter((one) => one.item.assignment !== assignment);
    if (!item) this.#answered.add(assignment);
    else this.mark(item, skipped ? "skipped" : "done");
    if (item?.state === "skipped") this.returning.push(item);
    if (here) this.advance();
    return here;
  }

  /**
   * What was answered or skipped here, the latest first.
   * @returns {T[]}
   */
  get answers() {
    const items = new Set([...this.past.map(({ item }) => item), ...this.returning].reverse());
    if (this.current) items.add(this.current);
    return [...items].filter(({ state }) => state !== "open");
  }

  /**
   * The item of an assignment where it is known here.
   * @param {number} assignment @returns {T | undefined}
   */
  held(assignment) { return this.#copies(assignment)[0]; }

  /** @param {number} assignment */
  #copies(assignment) {
    const past = [...this.past, ...this.future].map(({ item }) => item);
    const held = [...this.upcoming, ...this.returning, ...past];
    if (this.current) held.unshift(this.current);
    return held.filter((item) => item.assignment === assignment);
  }
}

/** Keeps the queue filled: the next items come before they are needed, with the server's counts. */
export class Supply {
  exhausted = false; // whether the server had no further open item when it was asked last
  #way;
  /** @type {Promise<void> | null} */
  #asking = null;
  // Answers the server took; counts that were asked for before one are older than those here.
  #acknowledged = 0;
  #failures = 0;
  /** @type {unknown} */
  #timer = null;

  /**
   * `ask` gives the answer of the API; `counted` paints the counts, `shown` an item where there was none,
   * `ended` says why there is none: "done" with what the server gave, "lost" with the error.
   * @param {{ queue: Queue<any>, outbox: { counts: { unsynced: number } },
   *   ask: (limit: number) => Promise<Reply>, counted: () => void, shown: () => void,
   *   ended: (state: string, given: any) => void,
   *   schedule?: (work: () => void, wait: number) => unknown }} way
   */
  constructor(way) { this.#way = way; }

  /** Without `force`, only where few items are left, and not again once the server had no more. */
  refill({ force = false } = {}) {
    if (force || (this.#way.queue.needsMore && !this.exhausted)) this.#asking ??= this.#fill();
    return this.#asking;
  }

  async #fill() {
    const { queue, outbox, ask, counted, shown, ended } = this.#way;
    const [before, unsynced] = [this.#acknowledged, outbox.counts.unsynced];
    try {
      const { status, data, retryAfter } = await ask(queue.limit(outbox.counts.unsynced));
      if (isTemporary(status)) this.#askLater(retryAfter);
      const unanswered = gettext("The server answered %(status)s.", { status });
      if (status !== 200) throw new Error(data?.detail || unanswered);
      this.#failures = 0;
      queue.total = data.total;
      this.exhausted = queue.add(data.items) === 0;
      // An item whose answer is on its way may hold a place that a new one gets after it.
      queue.complete = this.exhausted && !unsynced && !outbox.counts.unsynced;
      if (!unsynced && !outbox.counts.unsynced && before === this.#acknowledged) {
        Object.assign(queue, { done: data.done, skipped: data.skipped });
      }
      this.#asking = null;
      if (queue.current) counted();
      else if (queue.advance()) shown();
      // The last answer was taken meanwhile: only now does the server know what is left.
      else if (unsynced && !outbox.counts.unsynced) this.refill({ force: true });
      else ended("done", data);
    } catch (error) {
      this.#asking = null;
      if (!queue.current) ended("lost", error);
    }
  }

  /** @param {number | null} retryAfter */
  #askLater(retryAfter) {
    const { schedule = setTimeout } = this.#way;
    this.#failures += 1;
    this.#timer ??= schedule(() => {
      this.#timer = null;
      this.refill({ force: true });
    }, backoff(this.#failures, retryAfter));
  }

  /**
   * The server took an answer; `counts`: whether what it counted with it is what the queue counts.
   * @param {number} assignment @param {{ version: number, done: number, total: number }} data
   * @param {{ counts: boolean }} options
   */
  acknowledge(assignment, data, { counts }) {
    const { queue, outbox, counted } = this.#way;
    this.#acknowledged += 1;
    queue.acknowledge(assignment, data.version);
    if (counts && outbox.counts.unsynced === 0) Object.assign(queue, { done: data.done, total: data.total });
    counted();
    if (!queue.current && !this.#asking) this.refill({ force: true });
  }
}

/**
 * A pair of a second pass has a first answer, which a skipped second look confirms.
 * @param {Item} item @param {Answer} answer
 */
function stateAfter(item, { skipped }) {
  const isSecondLook = item.first != null || item.disputed != null;
  return skipped && !isSecondLook ? "skipped" : "done";
}

/** @param {Answer} answer */
function isAnswer(answer) { return answer.label != null || answer.skipped; }

/**
 * The last word of the outbox on each assignment, in the order of the answers.
 * @param {Entry[]} entries
 */
function latestAnswers(entries) {
  const latest = new Map();
  for (const { assignment, body, item } of entries) {
    const { label, skipped, flagged, comment } = body;
    latest.delete(assignment);
    latest.set(assignment, { assignment, item, flagged, comment, answer: { label, skipped } });
  }
  return [...latest.values()];
}
