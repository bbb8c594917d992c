/**
 * When the server has another answer than this page: refused ones, stale versions, another tab of the person.
 */

import { showConflict, showRefusal } from "./notices.js";
import { gettext } from "./texts.js";

/**
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./outbox.js").Entry} Entry
 *
 * @typedef {object} Page
 * @property {Element} place of the notices
 * @property {import("./queue.js").Queue} queue
 * @property {import("./outbox.js").Outbox} outbox
 * @property {import("./saving.js").Saving} saving
 * @property {import("./saving.js").Editor} editor
 * @property {import("./saving.js").Ways} answer
 * @property {number} batch
 * @property {string} thing what an item is
 * @property {(item: Item) => Item} asAnswer
 * @property {(said: string) => void} paint
 * @property {() => void} paintCounts
 */

export class Disputes {
  /** @param {Page} page */
  constructor(page) { this.page = page; }

  /**
   * A parked entry: 409 asks which answer shall stand, anything else whether to try again.
   * @param {Entry} entry
   */
  show(entry) {
    const { assignment, parked, body } = entry;
    if (!parked) return;
    const { current } = parked;
    const { place, thing, answer, editor, outbox, queue, saving } = this.page;
    if (parked.status !== 409 || !current) return showRefusal(place, { entry, outbox, thing });
    showConflict(place, {
      item: entry.item, current, thing, compare: answer.compare,
      mine: this.#onBench(assignment) ? answer.toPayload(editor.state) : body,
      keep: async () => {
        if (!this.#onBench(assignment)) return outbox.resend(assignment, current.version);
        // What is on the bench may be newer than what was refused: that is what shall stand. It counts as an
        // edit, so that a reload between the two steps finds it.
        saving.edited();
        await outbox.discard(assignment);
        queue.acknowledge(assignment, current.version);
        saving.draft({ force: true });
      },
      take: async () => {
        await outbox.discard(assignment);
        queue.replace(this.page.asAnswer(current));
        if (!this.#onBench(assignment)) return;
        this.adopt(current);
        if (current.state === "open") return;
        if (queue.forget(assignment)) this.page.paint(gettext("The stored answer is kept."));
      },
    });
  }

  /**
   * Another tab saved: an answered item is done with, a draft is followed.
   * @param {Entry} entry
   */
  follow({ batch, assignment, body }) {
    const { queue } = this.page;
    if (batch !== this.page.batch) return;
    if (body.submitted || body.skipped) {
      if (queue.forget(assignment, { skipped: body.skipped })) {
        this.page.paint(gettext("Answered in another tab."));
      }
    } else if (queue.current && this.#onBench(assignment)) {
      const { submitted, skipped, version, milliseconds, ...shown } = body;
      Object.assign(queue.current, shown);
      this.adopt(queue.current);
    }
  }

  /**
   * Another answer on the bench, as a step that can be undone: one's own is one U away.
   * @param {Item} item
   */
  adopt(item) {
    const { editor, saving, queue, paintCounts } = this.page;
    editor.adopt(item);
    saving.open(queue.current);
    paintCounts();
  }

  /** @param {number} assignment */
  #onBench(assignment) { return this.page.queue.current?.assignment === assignment; }
}
