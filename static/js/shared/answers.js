/**
 * The list of one's own answers and skipped items of a batch, in a dialog: searched by words, narrowed to a
 * label, or to those skipped or flagged. The one chosen is put on the page. What the server does not know yet
 * is listed from here; without the network, that is all there is.
 */

import { request } from "./api.js";
import { create, find, part } from "./page.js";
import { textNodes } from "./text.js";
import { gettext, wordsFor } from "./texts.js";

/**
 * @typedef {import("./api.js").Item} Item
 * @typedef {Item & Partial<Record<"a" | "b", { text: string }>> & { headlines?: { text: string }[] }} Listed
 */

const AT_ONCE = 50; // rows
const REST = 200; // milliseconds without a key before the words are searched

/** @param {Listed} item */
const textsOf = ({ a, b, headlines = [] }) => (
  [a, b, ...headlines].flatMap((sentence) => (sentence ? [sentence.text] : [])));

/**
 * Whether an item is among those asked for. `show`: "" for all, "done", "skipped", "flagged", or a label.
 * @param {Listed} item @param {{ show: string, words: string }} filters
 */
export function fits(item, { show, words }) {
  if (item.state === "open") return false;
  if (show === "flagged" && !item.flagged) return false;
  if (["done", "skipped"].includes(show) && item.state !== show) return false;
  if (!["", "flagged", "done", "skipped"].includes(show) && item.label !== show) return false;
  return [...textsOf(item), item.comment].some((text) => text.toLowerCase().includes(words.toLowerCase()));
}

/**
 * The rows: what the server listed, as it is here by now, after what it does not know yet.
 * @template {Listed} T
 * @param {T[]} fetched @param {T[]} unsynced the latest first @param {(item: T) => boolean} fitting
 */
export function merged(fetched, unsynced, fitting) {
  const here = new Set(unsynced.map(({ assignment }) => assignment));
  return [...unsynced, ...fetched.filter(({ assignment }) => !here.has(assignment))].filter(fitting);
}

/**
 * Returns what opens the dialog, narrowed at first to what is named. `asItem` makes an item of what the
 * server lists, `nameOf` says the answer to it; choose(item) puts it on the page.
 * @param {{ url: string, thing: string, queue: () => import("./queue.js").Queue<any>,
 *   outbox: () => import("./outbox.js").Outbox, asItem?: (item: any) => any, nameOf: (item: any) => string,
 *   choose: (item: any) => void }} page
 */
export function wireAnswers({ url, thing, queue, outbox, asItem = (item) => item, nameOf, choose }) {
  const dialog = find("#answers", HTMLDialogElement);
  const words = part("answers-words", HTMLInputElement);
  const show = part("answers-show", HTMLSelectElement);
  const list = part("answers-list");
  const count = part("answers-count");
  const more = part("answers-more");
  let latest = 0; // the request whose answer is shown
  let offset = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {number} from */
  async function fill(from) {
    const turn = (latest += 1);
    const filters = { show: show.value, words: words.value.trim() };
    const query = new URLSearchParams({ limit: String(AT_ONCE), cursor: String(from) });
    if (filters.show) query.set("show", filters.show);
    if (filters.words) query.set("q", filters.words);
    const { status, data } = await request(`${url}?${query}`).catch(() => ({ status: 0, data: null }));
    if (turn !== latest || !dialog.open) return;
    offset = from;
    const answers = queue().answers;
    const waiting = new Set(outbox().entries.map(({ assignment }) => assignment));
    const unsynced = status === 200 ? answers.filter(({ assignment }) => waiting.has(assignment)) : answers;
    const fetched = status !== 200 ? [] : data.items.map(asItem).map((/** @type {Listed} */ item) => {
      const held = queue().held(item.assignment);
      return held ? Object.assign(held, { ...item, ...held }) : item;
    });
    const rows = merged(fetched, from ? [] : unsynced, (item) => fits(item, filters));
    if (from) list.append(...rows.map(rowOf));
    else replaceRows(rows);
    more.hidden = status !== 200 || from + data.items.length >= data.count;
    const total = status === 200 ? Math.max(data.count, rows.length) : rows.length;
    const { thing: one, things } = wordsFor(thing);
    const counted = `${total} ${total === 1 ? one : things}.`;
    const alone = gettext("The server does not answer: these are from this sitting.");
    count.textContent = status === 200 ? counted : `${counted} ${data?.detail ?? alone}`;
  }

  /**
   * The row that has the focus keeps it.
   * @param {Listed[]} rows
   */
  function replaceRows(rows) {
    const { assignment } = /** @type {HTMLElement} */ (document.activeElement).dataset;
    list.replaceChildren(...rows.map(rowOf));
    /** @type {HTMLElement | null} */ (list.querySelector(`[data-assignment="${assignment}"]`))?.focus();
  }

  /** @param {Listed} item */
  function rowOf(item) {
    const button = create("button", "own-answer");
    button.type = "button";
    button.dataset.assignment = String(item.assignment);
    const said = create("span", "said");
    said.append(create("b", "", `${wordsFor(thing).Thing} ${item.position}`));
    said.append(` ${nameOf(item)}${item.flagged ? `, ${gettext("flagged")}` : ""}`);
    button.append(said, ...textsOf(item).map((text) => isolated(text)));
    if (item.comment) button.append(isolated(item.comment, "comment"));
    button.addEventListener("click", () => {
      dialog.close();
      choose(item);
    });
    const row = create("li");
    row.append(button);
    return row;
  }

  const again = () => {
    clearTimeout(timer);
    timer = setTimeout(() => fill(0), REST);
  };
  words.addEventListener("input", again);
  show.addEventListener("change", () => fill(0));
  more.addEventListener("click", () => fill(offset + AT_ONCE));
  dialog.addEventListener("submit", (event) => event.preventDefault());
  dialog.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.code];
    if (!step || event.target === show || event.ctrlKey || event.altKey || event.metaKey) return;
    const stops = [words, ...list.querySelectorAll("button")];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    event.preventDefault();
    stops[Math.max(0, Math.min(stops.length - 1, at + step))].focus();
  });
  return (narrowed = "") => {
    [words.value, show.value] = ["", narrowed];
    [count.textContent, more.hidden] = ["", true];
    dialog.showModal();
    words.focus();
    // Those of this sitting at once, all of them when the server has answered.
    replaceRows(queue().answers.filter((item) => fits(item, { show: narrowed, words: "" })));
    fill(0);
  };
}

/** @param {string} text */
function isolated(text, kind = "") {
  const made = create("bdi", kind);
  made.dir = "auto";
  made.append(...textNodes(text));
  return made;
}
