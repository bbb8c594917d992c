/** When the server has another answer than this page: refused ones, stale versions, another tab of the same person. */

import { showConflict, showRefusal } from "./notices.js";

export class Disputes {
  /**
   * `page`: place (of the notices), queue, outbox, saving, editor, batch, answer (toPayload, compare), words (thing),
   * asAnswer(item), paint(said), paintCounts().
   */
  constructor(page) { Object.assign(this, page); }

  /** A parked entry: 409 asks which answer shall stand, anything else whether to try again. */
  show(entry) {
    const { assignment, parked, body } = entry;
    const { current } = parked;
    const { outbox, queue, saving } = this;
    if (parked.status !== 409 || !current) {
      return showRefusal(this.place, { entry, thing: this.words.thing, retry: () => outbox.retry(entry.key), drop: () => outbox.discard(assignment) });
    }
    showConflict(this.place, {
      item: entry.item, current, thing: this.words.thing, compare: this.answer.compare,
      mine: this.#onBench(assignment) ? this.answer.toPayload(this.editor.state) : body,
      keep: async () => {
        if (!this.#onBench(assignment)) return outbox.resend(assignment, current.version);
        // What is on the bench may be newer than what was refused: that is what shall stand. It counts as an edit,
        // so that a reload between the two steps finds it.
        saving.edited();
        await outbox.discard(assignment);
        queue.acknowledge(assignment, current.version);
        saving.draft({ force: true });
      },
      take: async () => {
        await outbox.discard(assignment);
        queue.replace(this.asAnswer(current));
        if (!this.#onBench(assignment)) return;
        this.adopt(current);
        if (current.state !== "open" && queue.forget(assignment)) this.paint("The stored answer is kept.");
      },
    });
  }

  /** Another tab saved: an answered item is done with, a draft is followed. */
  follow({ batch, assignment, body }) {
    if (batch !== this.batch) return;
    const { queue } = this;
    if (body.submitted || body.skipped) {
      if (queue.forget(assignment)) this.paint("Answered in another tab.");
    } else if (this.#onBench(assignment)) {
      const { submitted, skipped, version, milliseconds, ...shown } = body;
      Object.assign(queue.current, shown);
      this.adopt(queue.current);
    }
  }

  /** Another answer on the bench, as a step that can be undone: one's own is one U away. */
  adopt(item) {
    this.editor.adopt(item);
    this.saving.open(this.queue.current);
    this.paintCounts();
  }

  #onBench(assignment) { return this.queue.current?.assignment === assignment; }
}
