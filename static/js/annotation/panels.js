/** What the judging page needs after the first pair: context, pace, the way back, what became of a refused answer. */

import { request } from "../shared/api.js";
import { textNodes } from "../shared/text.js";

export function sittingNodes(lines) {
  return lines.map((line) => element("span", {}, line));
}

/**
 * After a reload the past is in the server's history and in the outbox: brings both back into the queue.
 * Returns false when the history could not be fetched, so that it is asked for again.
 */
export async function recall(queue, url, entries) {
  const { status, data } = await request(`${url}?limit=50`).catch(() => ({ status: 0, data: null }));
  queue.recall(status === 200 ? data.items : [], entries);
  return status === 200;
}

/** Fetches and shows source, date, cluster and neighbouring sentences around both sentences. */
export async function showContext(url, sides, stillWanted) {
  for (const block of Object.values(sides)) fill(block, "from", ["Fetching the context"]);
  const { status, data } = await request(url).catch(() => ({ status: 0, data: null }));
  if (!stillWanted()) return;
  for (const [side, block] of Object.entries(sides)) {
    if (status !== 200) {
      fill(block, "from", [status === 0 ? "The context needs the network." : `The context cannot be shown: ${data?.detail ?? status}`]);
      continue;
    }
    const { source, published, title, url: address, before, after } = data[side];
    const from = [source, published, `cluster ${data.cluster}`].filter(Boolean).flatMap((one) => [isolated(one), " · "]);
    fill(block, "from", [...from, /^https?:\/\//i.test(address) ? link(address, title || address) : isolated(title)]);
    fill(block, "before", before.flatMap((sentence) => [isolated(sentence), " "]));
    fill(block, "after", after.flatMap((sentence) => [isolated(sentence), " "]));
  }
}

/** [title, text] for the page when there is no pair to show. */
export function endingWords(state, { total, skipped, unsynced, undoKey = "U", error = null }) {
  const kept = unsynced ? ` ${unsynced} ${unsynced === 1 ? "answer is" : "answers are"} kept in this browser and will be sent without your doing.` : "";
  if (state === "fetching") return ["Fetching the next pairs", "One moment."];
  if (state === "lost") {
    // A plain Error carries the server's words; everything else means that the server did not answer.
    const why = error?.constructor === Error ? error.message : "There is no answer from the server.";
    return ["The next pairs cannot be fetched", `${why} This page tries again when the network is back.${kept}`];
  }
  if (state === "paused") return ["You get no pairs for now", `A manager of the project has paused your work in this batch. What you answered is kept.${kept}`];
  if (total === 0) return ["Nothing to judge here yet", "No pair of this batch is assigned to you. The manager of the project draws pairs into batches."];
  if (skipped <= 0) return [`All ${total} pairs are judged`, `Thank you. The project's page shows what else is waiting for you. Undo (${undoKey}) takes the last answer back.${kept}`];
  return ["No open pairs are left", `${total - skipped} of ${total} are judged, ${skipped} ${skipped === 1 ? "was" : "were"} skipped. Undo (${undoKey}) leads back to them.${kept}`];
}

/**
 * An answer the server did not take: 409 (someone else's, or this person's in another place, stands), or refused.
 * The entry stays in the outbox until the person decides.
 */
export function showNotice(entry, { outbox, queue, nameOf, place, repaint }) {
  const { assignment, parked, item } = entry;
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
    notice(place, `conflict ${assignment}`, `${where} was changed in another place.`, `Stored there: ${stored}. Yours: ${mine}. Nothing was overwritten.`, [
      button(`Keep the stored one (${stored})`, keep),
      button(`Send mine (${mine})`, () => outbox.resend(assignment, current.version)),
    ]);
    return;
  }
  // All that were refused for one reason share one notice.
  const alike = outbox.entries.filter((one) => one.parked?.status === parked.status && one.parked.detail === parked.detail);
  const session = [401, 403].includes(parked.status);
  const why = parked.detail || (session ? "You may have been logged out." : `The server answered ${parked.status}.`);
  const [what, them] = alike.length > 1 ? [`${alike.length} answers were not taken.`, "They are"] : [`${where} (${mine}) was not taken.`, "It is"];
  notice(place, `${parked.status} ${parked.detail}`, what, `${why} ${them} kept in this browser.`, [
    ...(session ? [link(globalThis.location.href, "Log in again", "button")] : []),
    button("Try again", async () => { for (const { key } of alike) await outbox.retry(key); }),
    button("Drop", async () => { for (const one of alike) await outbox.discard(one.assignment); }),
  ]);
}

/** The browser has no database for this page (some private windows): say so before it matters. */
export function warnUnkept(place) {
  notice(place, "unkept", "Keep this tab open.", "This browser does not let the page keep answers over a reload; they are still sent as you give them.", []);
}

/** One notice for one subject: a later one takes the place of an earlier. Any choice closes it. */
function notice(place, subject, title, text, choices) {
  for (const earlier of place.children) if (earlier.dataset.subject === subject) earlier.remove();
  const box = element("div", { class: "notice", role: "alert", "data-subject": subject });
  const message = element("p", {});
  message.append(element("b", {}, title), ` ${text}`);
  const actions = element("div", { class: "actions" });
  actions.append(...choices);
  actions.addEventListener("click", () => box.remove());
  box.append(message, actions);
  place.append(box);
}

function button(text, work) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", work);
  return made;
}

function element(name, attributes, text = "") {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

function isolated(text) {
  const made = element("bdi", { dir: "auto" });
  made.append(...textNodes(text));
  return made;
}

function link(href, text, kind = "") {
  const made = element("a", { href, rel: "noopener noreferrer", class: kind });
  if (!kind) made.target = "_blank";
  made.append(isolated(text));
  return made;
}

function fill(block, name, nodes) {
  const place = block.querySelector(`[data-part="${name}"]`);
  place.hidden = false;
  place.replaceChildren(...nodes);
}
