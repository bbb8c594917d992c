/** The line that says what spoke for the suggested links of the focused words; asked for with a key. */

import { request } from "../shared/api.js";
import { action, create, embedded, part } from "../shared/page.js";
import { gettext } from "../shared/texts.js";
import { selected } from "./cursor.js";

/**
 * @typedef {{ a: number, b: number, reason: string }} Reason of a suggested link
 * @typedef {import("./state.js").Pair & { assignment: number }} Item
 */

/**
 * A word among others, in its own direction.
 * @param {string} word
 */
const isolated = (word) => `\u2068${word}\u2069`;

/**
 * What to say of the selected words: a line for each suggested link, or one that says there is none.
 * @param {Reason[]} reasons @param {import("./state.js").Words} words
 * @param {import("../shared/text.js").Side} side @param {number[]} places
 */
export function lines(reasons, words, side, places) {
  const chosen = reasons.filter(({ a, b }) => places.includes(side === "a" ? a : b));
  if (!chosen.length) return [gettext("No link is suggested for this word.")];
  const none = gettext("the aligner gives no reason");
  return chosen.map(({ a, b, reason }) => (
    `${isolated(words.a[a])} – ${isolated(words.b[b])}: ${reason || none}`));
}

export class Why {
  /** @type {Item | null} */
  #item = null;
  /** @type {Reason[] | null} */
  #reasons = null; // of the item: null before they are there
  #shown = false;

  /** @param {{ editor: import("./editor.js").Editor, say: (message: string) => void }} page */
  constructor({ editor, say }) {
    this.editor = editor;
    this.say = say;
    this.place = part("why");
    this.button = action("why");
    editor.onPoint = () => {
      const before = this.place.innerText;
      this.#paint();
      if (this.#shown && this.place.innerText !== before) this.say(this.place.innerText);
    };
  }

  /** @param {Item} item */
  open(item) {
    this.#item = item;
    this.#reasons = null;
    this.button.hidden = !item.suggestions?.length;
    if (this.button.hidden) this.#show(false);
    else if (this.#shown) this.#fetch(item);
  }

  async toggle() {
    if (!this.#item?.suggestions?.length) return this.say(gettext("No link is suggested in this pair."));
    this.#show(!this.#shown);
    if (!this.#shown) return;
    await this.#fetch(this.#item);
    this.say(this.place.innerText);
  }

  /** @param {boolean} shown */
  #show(shown) {
    this.#shown = shown;
    this.place.hidden = !shown;
    this.button.setAttribute("aria-pressed", String(shown));
  }

  /** @param {Item} item */
  async #fetch(item) {
    if (this.#reasons) return this.#paint();
    this.place.textContent = "…";
    let reasons = null;
    const { urls } = embedded("bootstrap");
    const url = urls.assignment.replace(/\/0\/$/, `/${item.assignment}/suggestions/`);
    try {
      const { status, data } = await request(url);
      if (status === 200) reasons = data.links;
    } catch {
      // Said below: there is no answer to show.
    }
    if (item !== this.#item) return;
    this.#reasons = reasons;
    if (reasons) this.#paint();
    else this.place.textContent = gettext("What spoke for the links cannot be fetched now.");
  }

  #paint() {
    if (!this.#shown || !this.#reasons) return;
    const { cursor, words } = this.editor;
    const said = lines(this.#reasons, words, cursor.side, selected(cursor));
    this.place.replaceChildren(...said.map((text) => create("span", "", text)));
  }
}
