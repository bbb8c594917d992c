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

/** @template {Item} [T=Item] */
export class Queue {
  /** @type {Set<number>} */
  #answered = new Set(); // assignments answered here: the server may still list them as open

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
    /** @type {T[]} */
    this.upcoming = [];
    /** @type {Answered<T>[]} */
    this.past = [];
    /** @type {Answered<T>[]} */
    this.future = [];
    for (const { assignment, answer, flagged, comment } of latestAnswers(entries)) {
      const item = payload.items.find((one) => one.assignment === assignment);
      if (item) Object.assign(item, { flagged, comment });
      if (!isAnswer(answer)) continue;
      this.#answered.add(assignment);
      // What the server lists as open it has not counted as done.
      if (item) this.#count(answer, 1);
    }
    this.add(payload.items);
    this.advance();
  }

  get left() { return Math.max(0, this.total - this.done); }

  get needsMore() { return this.upcoming.length < AHEAD; }

  /**
   * How many to ask for, so that AHEAD new ones come after those already known here or not yet acknowledged.
   */
  limit(unsynced = 0) { return Math.min(100, 2 * AHEAD + this.upcoming.length + 1 + unsynced); }

  /**
   * Puts fetched items at the end, without those known or answered here. Returns how many were new.
   * @param {T[]} items
   */
  add(items) {
    const known = new Set([this.current, ...this.upcoming].map((item) => item?.assignment));
    const fresh = items.filter(({ assignment }) => !known.has(assignment) && !this.#answered.has(assignment));
    this.upcoming.push(...fresh);
    return fresh.length;
  }

  advance() {
    this.current = this.upcoming.shift() ?? null;
    return this.current;
  }

  /**
   * Answers the current item, which there must be, and goes on to the next. Returns the item answered.
   * @param {Answer} answer
   */
  answer(answer, { redoing = false } = {}) {
    const item = /** @type {T} */ (this.current);
    if (!redoing) this.future = [];
    this.past.push({ item, answer });
    this.#answered.add(item.assignment);
    this.#count(answer, 1);
    this.advance();
    return item;
  }

  /** Takes the latest answer back: its item is current again. Returns both, or null at the beginning. */
  undo() {
    const last = this.past.pop();
    if (!last) return null;
    if (this.current) this.upcoming.unshift(this.current);
    this.future.push(last);
    this.current = last.item;
    this.#answered.delete(last.item.assignment);
    this.#count(last.answer, -1);
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
      ...unsent.map(({ item, answer }) => ({ item: /** @type {T} */ (item), answer })),
    ].filter(({ item, answer }) => isAnswer(answer) && !known.has(item.assignment));
    for (const { item } of recalled) this.#answered.add(item.assignment);
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
    for (const item of this.#copies(current.assignment)) Object.assign(item, current);
    for (const one of this.past) {
      if (one.item.assignment !== current.assignment) continue;
      one.answer = { label: current.label, skipped: current.state === "skipped" };
    }
  }

  /**
   * Another tab answered it: it need not be shown here. Returns true when it was the one on the screen.
   * @param {number} assignment
   */
  forget(assignment) {
    this.#answered.add(assignment);
    this.upcoming = this.upcoming.filter((item) => item.assignment !== assignment);
    this.future = this.future.filter(({ item }) => item.assignment !== assignment);
    if (this.current?.assignment !== assignment) return false;
    this.advance();
    return true;
  }

  /** @param {Answer} answer @param {number} step */
  #count({ skipped }, step) {
    this.done += step;
    if (skipped) this.skipped += step;
  }

  /** @param {number} assignment */
  #copies(assignment) {
    const held = [...this.upcoming, ...[...this.past, ...this.future].map(({ item }) => item)];
    if (this.current) held.push(this.current);
    return held.filter((item) => item.assignment === assignment);
  }
}

/** Keeps the queue filled: the next items come before they are needed, with the server's counts. */
export class Supply {
  exhausted = false; // whether the server had no more when it was asked last
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
      if (status !== 200) throw new Error(data?.detail || `The server answered ${status}.`);
      this.#failures = 0;
      queue.total = data.total;
      this.exhausted = queue.add(data.items) === 0;
      if (!unsynced && !outbox.counts.unsynced && before === this.#acknowledged) {
        Object.assign(queue, { done: data.done, skipped: data.skipped });
      }
      this.#asking = null;
      if (queue.current) counted();
      else if (queue.advance()) shown();
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
