/** The line that says what spoke for the suggested links of the focused words; asked for with a key. */

import { request } from "../shared/api.js";
import { selected } from "./cursor.js";

/** What to say of the selected words: a line for each suggested link, or one that says there is none. */
export function lines(reasons, words, side, places) {
  const chosen = reasons.filter(({ a, b }) => places.includes(side === "a" ? a : b));
  if (!chosen.length) return ["No link is suggested for this word."];
  return chosen.map(({ a, b, reason }) => `${words.a[a]} – ${words.b[b]}: ${reason || "the aligner gives no reason"}`);
}

export class Why {
  #item = null;
  #reasons = null; // of the item: null before they are there
  #shown = false;

  constructor({ editor, say }) {
    Object.assign(this, { editor, say });
    this.place = document.querySelector('[data-part="why"]');
    this.button = document.querySelector('[data-action="why"]');
    editor.onPoint = () => this.#paint();
  }

  open(item) {
    this.#item = item;
    this.#reasons = null;
    this.button.hidden = !item.suggestions?.length;
    if (this.button.hidden) this.#show(false);
    else if (this.#shown) this.#fetch();
  }

  async toggle() {
    if (!this.#item?.suggestions?.length) return this.say("No link is suggested in this pair.");
    this.#show(!this.#shown);
    if (!this.#shown) return;
    await this.#fetch();
    this.say(this.place.innerText);
  }

  #show(shown) {
    this.#shown = shown;
    this.place.hidden = !shown;
    this.button.setAttribute("aria-pressed", String(shown));
  }

  async #fetch() {
    const item = this.#item;
    if (this.#reasons) return this.#paint();
    this.place.textContent = "…";
    let reasons = null;
    const { urls } = JSON.parse(document.getElementById("bootstrap").textContent);
    try {
      const { status, data } = await request(urls.assignment.replace(/\/0\/$/, `/${item.assignment}/suggestions/`));
      if (status === 200) reasons = data.links;
    } catch {
      // Said below: there is no answer to show.
    }
    if (item !== this.#item) return;
    this.#reasons = reasons;
    if (reasons) this.#paint();
    else this.place.textContent = "What spoke for the links cannot be fetched now.";
  }

  #paint() {
    if (!this.#shown || !this.#reasons) return;
    const { cursor, words } = this.editor;
    this.place.replaceChildren(...lines(this.#reasons, words, cursor.side, selected(cursor)).map((text) => {
      const line = document.createElement("span");
      line.textContent = text;
      return line;
    }));
  }
}
