/**
 * The items in front of an annotator and behind: what is shown, what comes next (prefetched), what can be taken back
 * and given again. No network and no document here: the page fetches, sends and paints.
 *
 * Answer: what was said of an item, for judging {label, skipped}.
 */

/** Fewer items than this ahead, and the next ones are fetched. */
export const AHEAD = 10;

export class Queue {
  #answered = new Set(); // assignments answered here: the server may still list them as open

  /** payload: the queue of the API; entries: what is still in the outbox for this batch. */
  constructor(payload, entries = []) {
    this.total = payload.total;
    this.done = payload.done; // answered or skipped
    this.skipped = payload.skipped ?? 0;
    this.current = null;
    this.upcoming = [];
    this.past = [];
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

  /** How many to ask for, so that AHEAD new ones come after those already known here or not yet acknowledged. */
  limit(unsynced = 0) { return Math.min(100, 2 * AHEAD + this.upcoming.length + 1 + unsynced); }

  /** Puts fetched items at the end, without those known or answered here. Returns how many were new. */
  add(items) {
    const known = new Set([this.current, ...this.upcoming].map((item) => item?.assignment));
    const fresh = items.filter((item) => !known.has(item.assignment) && !this.#answered.has(item.assignment));
    this.upcoming.push(...fresh);
    return fresh.length;
  }

  advance() {
    this.current = this.upcoming.shift() ?? null;
    return this.current;
  }

  /** Answers the current item and goes on to the next. Returns the item answered. */
  answer(answer, { redoing = false } = {}) {
    const item = this.current;
    if (!redoing) this.future = [];
    this.past.push({ item, answer });
    this.#answered.add(item.assignment);
    this.#count(answer, 1);
    this.advance();
    return item;
  }

  /** Takes the latest answer back: its item is current again. Returns {item, answer}, or null at the beginning. */
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

  /** Fills the past after a reload, oldest first: the server's history, then what is still in the outbox. */
  recall(items, entries = []) {
    const known = new Set([this.current, ...this.upcoming, ...this.past.map(({ item }) => item)].map((item) => item?.assignment));
    const unsent = latestAnswers(entries).filter(({ item }) => item);
    const waiting = new Set(unsent.map(({ assignment }) => assignment));
    const earlier = [...items].reverse().filter((item) => !waiting.has(item.assignment));
    const recalled = [
      ...earlier.map((item) => ({ item, answer: { label: item.label, skipped: item.state === "skipped" } })),
      ...unsent.map(({ item, answer }) => ({ item, answer })),
    ].filter(({ item, answer }) => isAnswer(answer) && !known.has(item.assignment));
    for (const { item } of recalled) this.#answered.add(item.assignment);
    this.past.unshift(...recalled);
    return recalled.length;
  }

  /** The server has a newer version of an assignment, wherever it is held here. */
  acknowledge(assignment, version) {
    for (const item of this.#copies(assignment)) item.version = version;
  }

  /** Takes over the item as the server has it now. */
  replace(current) {
    for (const item of this.#copies(current.assignment)) Object.assign(item, current);
    for (const one of this.past) {
      if (one.item.assignment === current.assignment) one.answer = { label: current.label, skipped: current.state === "skipped" };
    }
  }

  /** Another tab answered it: it need not be shown here. Returns true when it was the one on the screen. */
  forget(assignment) {
    this.#answered.add(assignment);
    this.upcoming = this.upcoming.filter((item) => item.assignment !== assignment);
    this.future = this.future.filter(({ item }) => item.assignment !== assignment);
    if (this.current?.assignment !== assignment) return false;
    this.advance();
    return true;
  }

  #count({ skipped }, step) {
    this.done += step;
    if (skipped) this.skipped += step;
  }

  #copies(assignment) {
    const held = [this.current, ...this.upcoming, ...this.past.map(({ item }) => item), ...this.future.map(({ item }) => item)];
    return held.filter((item) => item?.assignment === assignment);
  }
}

/** Keeps the queue filled: the next items come before they are needed, with the server's counts. */
export class Supply {
  exhausted = false; // whether the server had no more when it was asked last
  #way;
  #asking = null;
  #acknowledged = 0; // answers the server took; counts that were asked for before one are older than those here

  /**
   * way: {queue, outbox, ask(limit), counted(), shown(), ended(state, given)}. `ask` gives {status, data} of the API;
   * `counted` paints the counts, `shown` an item where there was none, `ended` says why there is none: "done" with what the
   * server gave, "lost" with the error.
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
      const { status, data } = await ask(queue.limit(outbox.counts.unsynced));
      if (status !== 200) throw new Error(data?.detail || `The server answered ${status}.`);
      queue.total = data.total;
      this.exhausted = queue.add(data.items) === 0;
      if (!unsynced && !outbox.counts.unsynced && before === this.#acknowledged) Object.assign(queue, { done: data.done, skipped: data.skipped });
      this.#asking = null;
      if (queue.current) counted();
      else if (queue.advance()) shown();
      else ended("done", data);
    } catch (error) {
      this.#asking = null;
      if (!queue.current) ended("lost", error);
    }
  }

  /** The server took an answer; `counts`: whether what it counted with it is what the queue counts. */
  acknowledge(assignment, data, { counts }) {
    const { queue, outbox, counted } = this.#way;
    this.#acknowledged += 1;
    queue.acknowledge(assignment, data.version);
    if (counts && outbox.counts.unsynced === 0) Object.assign(queue, { done: data.done, total: data.total });
    counted();
    if (!queue.current && !this.#asking) this.refill({ force: true });
  }
}

function isAnswer(answer) { return answer.label != null || answer.skipped; }

/** The last word of the outbox on each assignment, in the order of the answers. */
function latestAnswers(entries) {
  const latest = new Map();
  for (const { assignment, body, item } of entries) {
    const { label, skipped, flagged, comment } = body;
    latest.delete(assignment);
    latest.set(assignment, { assignment, item, flagged, comment, answer: { label, skipped } });
  }
  return [...latest.values()];
}
