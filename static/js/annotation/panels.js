/** Parts of the judging page beside the pair: context, the way back, what became of a refused answer. */

import { request } from "../shared/api.js";
import { find } from "../shared/page.js";
import { SIDES, textNodes } from "../shared/text.js";

/**
 * @typedef {import("../shared/outbox.js").Entry} Entry
 * @typedef {import("../shared/outbox.js").Outbox} Outbox
 * @typedef {import("../shared/queue.js").Queue} Queue
 * @typedef {import("../shared/text.js").Side} Side
 */

/**
 * After a reload the past is in the server's history and in the outbox: brings both back into the queue.
 * Returns false when the history could not be fetched, so that it is asked for again.
 * @param {Queue} queue @param {string} url @param {Entry[]} entries
 */
export async function recall(queue, url, entries) {
  const { status, data } = await request(`${url}?limit=50`).catch(() => ({ status: 0, data: null }));
  queue.recall(status === 200 ? data.items : [], entries);
  return status === 200;
}

/**
 * Fetches and shows source, date, cluster and neighbouring sentences around both sentences.
 * @param {string} url @param {Record<Side, HTMLElement>} sides @param {() => boolean} stillWanted
 */
export async function showContext(url, sides, stillWanted) {
  for (const side of SIDES) fill(sides[side], "from", ["Fetching the context"]);
  const { status, data } = await request(url).catch(() => ({ status: 0, data: null }));
  if (!stillWanted()) return;
  for (const side of SIDES) {
    const block = sides[side];
    if (status !== 200) {
      const why = `The context cannot be shown: ${data?.detail ?? status}`;
      fill(block, "from", [status === 0 ? "The context needs the network." : why]);
      continue;
    }
    /** @type {Record<string, string> & { before: string[], after: string[] }} */
    const { source, published, title, url: address, before, after } = data[side];
    const from = [source, published, `cluster ${data.cluster}`].filter(Boolean);
    const article = /^https?:\/\//i.test(address) ? link(address, title || address) : isolated(title);
    fill(block, "from", [...from.flatMap((one) => [isolated(one), " · "]), article]);
    fill(block, "before", before.flatMap((sentence) => [isolated(sentence), " "]));
    fill(block, "after", after.flatMap((sentence) => [isolated(sentence), " "]));
  }
}

/**
 * An answer the server did not take: 409 (someone else's, or this person's in another place, stands), or
 * refused. The entry stays in the outbox until the person decides.
 * @param {Entry} entry
 * @param {{ outbox: Outbox, queue: Queue, place: Element, repaint: () => void,
 *   nameOf: (answer: { label?: string | null, skipped?: boolean }) => string }} page
 */
export function showNotice(entry, { outbox, queue, nameOf, place, repaint }) {
  const { assignment, parked, item } = entry;
  if (!parked) return;
  const mine = nameOf(entry.body);
  const where = item ? `Pair ${item.position}` : "A pair";
  if (parked.status === 409 && parked.current) {
    const { current } = parked;
    const stored = nameOf({ label: current.label, skipped: current.state === "skipped" });
    const keep = async () => {
      await outbox.discard(assignment);
      queue.replace(current);
      repaint();
    };
    const both = `Stored there: ${stored}. Yours: ${mine}. Nothing was overwritten.`;
    notice(place, `conflict ${assignment}`, `${where} was changed in another place.`, both, [
      button(`Keep the stored one (${stored})`, keep),
      button(`Send mine (${mine})`, () => outbox.resend(assignment, current.version)),
    ]);
    return;
  }
  // All that were refused for one reason share one notice.
  const { status, detail } = parked;
  const alike = outbox.entries.filter((one) => one.parked?.status === status && one.parked.detail === detail);
  const session = [401, 403].includes(status);
  const why = detail || (session ? "You may have been logged out." : `The server answered ${status}.`);
  const [what, them] = alike.length > 1
    ? [`${alike.length} answers were not taken.`, "They are"]
    : [`${where} (${mine}) was not taken.`, "It is"];
  notice(place, `${parked.status} ${parked.detail}`, what, `${why} ${them} kept in this browser.`, [
    ...(session ? [link(globalThis.location.href, "Log in again", "button")] : []),
    button("Try again", async () => { for (const { key } of alike) await outbox.retry(key); }),
    button("Drop", async () => { for (const one of alike) await outbox.discard(one.assignment); }),
  ]);
}

/**
 * The browser has no database for this page (some private windows): say so before it matters.
 * @param {Element} place
 */
export function warnUnkept(place) {
  const text = "This browser does not let the page keep answers over a reload; "
    + "they are still sent as you give them.";
  notice(place, "unkept", "Keep this tab open.", text, []);
}

/**
 * One notice for one subject: a later one takes the place of an earlier. Any choice closes it.
 * @param {Element} place @param {string} subject @param {string} title @param {string} text
 * @param {Element[]} choices
 */
function notice(place, subject, title, text, choices) {
  const earlier = [...place.children].find((one) => one.getAttribute("data-subject") === subject);
  earlier?.remove();
  const box = element("div", { class: "notice", role: "alert", "data-subject": subject });
  const message = element("p", {});
  message.append(element("b", {}, title), ` ${text}`);
  const actions = element("div", { class: "actions" });
  actions.append(...choices);
  actions.addEventListener("click", () => box.remove());
  box.append(message, actions);
  place.append(box);
}

/** @param {string} text @param {() => void} work */
function button(text, work) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", work);
  return made;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, string>} attributes
 */
function element(name, attributes, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** @param {string} text */
function isolated(text) {
  const made = element("bdi", { dir: "auto" });
  made.append(...textNodes(text));
  return made;
}

/** @param {string} href @param {string} text */
function link(href, text, kind = "") {
  const made = element("a", { href, rel: "noopener noreferrer", class: kind });
  if (!kind) made.target = "_blank";
  made.append(isolated(text));
  return made;
}

/** @param {Element} block @param {string} name @param {(Node | string)[]} nodes */
function fill(block, name, nodes) {
  const place = find(`[data-part="${name}"]`, HTMLElement, block);
  place.hidden = false;
  place.replaceChildren(...nodes);
}
