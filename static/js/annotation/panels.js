/** Parts of the judging page beside the pair: context and the way back. */

import { request } from "../shared/api.js";
import { create, find } from "../shared/page.js";
import { SIDES, textNodes } from "../shared/text.js";
import { gettext, wordsFor } from "../shared/texts.js";

/**
 * @typedef {import("../shared/outbox.js").Entry} Entry
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
  for (const side of SIDES) fill(sides[side], "from", [gettext("Fetching the context")]);
  const { status, data } = await request(url).catch(() => ({ status: 0, data: null }));
  if (!stillWanted()) return;
  for (const side of SIDES) {
    const block = sides[side];
    if (status !== 200) {
      const why = gettext("The context cannot be shown: %(why)s", { why: data?.detail ?? status });
      fill(block, "from", [status === 0 ? gettext("The context needs the network.") : why]);
      continue;
    }
    /** @type {Record<string, string> & { before: string[], after: string[] }} */
    const { source, published, title, url: address, before, after } = data[side];
    const cluster = `${wordsFor("cluster").thing} ${data.cluster}`;
    const from = [source, published?.slice(0, 10), cluster].filter(Boolean);
    const article = /^https?:\/\//i.test(address) ? link(address, title || address) : isolated(title);
    fill(block, "from", [...from.flatMap((one) => [isolated(one), " · "]), article]);
    fill(block, "before", before.flatMap((sentence) => [isolated(sentence), " "]));
    fill(block, "after", after.flatMap((sentence) => [isolated(sentence), " "]));
  }
}

/** @param {string} text */
function isolated(text) {
  const made = create("bdi");
  made.dir = "auto";
  made.append(...textNodes(text));
  return made;
}

/** @param {string} href @param {string} text */
function link(href, text) {
  const made = Object.assign(create("a"), { href, rel: "noopener noreferrer", target: "_blank" });
  made.append(isolated(text));
  return made;
}

/** @param {Element} block @param {string} name @param {(Node | string)[]} nodes */
function fill(block, name, nodes) {
  const place = find(`[data-part="${name}"]`, HTMLElement, block);
  place.hidden = false;
  place.replaceChildren(...nodes);
}
