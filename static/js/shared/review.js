/**
 * The frame in which an adjudicator decides what annotators differ on: the draft in this browser, undo back
 * to the items before, the decision on its way to the server through an outbox, and what is said when the
 * server has another one. What an item is, its rows and its views are the page's own.
 *
 * A page that brings a queue shows the next item at once, while the decision is on its way; the others have
 * one item a page, and lead to the next once the server has the decision.
 *
 * @typedef {import("./notices.js").Difference} Difference
 *
 * The page's own part. `left` counts what is open; `draft` is what is kept in the browser, `take` reads it;
 * `answer` is what is sent of the decision; `compare` names what is only in the decision here and only in the
 * stored one; `decided` says the decision in short.
 * @typedef {object} Deciding
 * @property {() => number} left
 * @property {() => void} toOpen goes to what is open
 * @property {() => boolean} undo
 * @property {() => boolean} redo
 * @property {() => object} draft
 * @property {(draft: any) => void} take
 * @property {() => object} answer
 * @property {() => string} decided
 * @property {() => string} [spoken] what the item is, aloud
 * @property {(current: any, mine: any) => { mine: Difference[], stored: Difference[] }} compare
 * @property {() => void} focus
 * @property {Record<string, () => unknown>} actions
 * @property {(review: any) => void} [open] shows another item, where the page has a queue
 *
 * An item of the queue: `review` is what the server gave of it.
 * @typedef {import("./api.js").Item & { review: any }} Reviewed
 */

import { announce, tellNetwork } from "./announce.js";
import { request } from "./api.js";
import { onPainted } from "./keyboard.js";
import { clearNotice, showConflict, showOutdated, showRefusal, warnUnkept } from "./notices.js";
import { action, embedded, find, focusEnding, paintUnsynced, part } from "./page.js";
import { Queue, Supply } from "./queue.js";
import { gettext, ngettext, wordsFor } from "./texts.js";
import { openOutbox, wirePage } from "./working.js";

/**
 * @typedef {{ user: number, batch: number, review: any, urls: Record<string, string>,
 *   queue?: { total: number, done: number, items: any[] } }} Bootstrap
 */

/** @type {Bootstrap} */
const { user, batch, review: first, urls, queue: payload } = embedded("bootstrap");
const thing = part("frame").dataset.thing ?? "pair";
const trailName = `paragold-decided-${user}-${batch}`;
const comment = find("#comment-text", HTMLTextAreaElement);

/** @type {Deciding} */
let page;
/** @type {import("./outbox.js").Outbox} */
let outbox;
/** @type {Queue<Reviewed> | null} */
let queue = null;
/** @type {Supply | null} */
let supply = null;
let review = first; // the item on the screen
let asked = false; // whether what is still open has been asked about
let moving = false; // the next page is on its way

/** @param {string} message */
export const say = (message) => announce(part("live"), message);

/** The item that the page begins with, as the server gave it. */
export const reviewed = first;

/** The version of the decision that the one on the screen replaces. */
const version = () => queue?.current?.version ?? review.version;

/** @param {any} of */
const draftName = (of, on = of.version) => (
  `paragold-decision-${user}-${of.item}-${on}-${of.basis.join(".")}`);

/** @param {any} given @returns {Reviewed} */
const asItem = (given) => ({
  assignment: given.item, position: given.number, version: given.version, label: null, flagged: false,
  comment: "", state: given.decision || !given.place ? "done" : "open", review: given,
});

/** After every change of the decision: keeps it in the browser and shows how much is open. */
export function changed() {
  asked = false;
  keepDraft();
  paintFrame();
}

function keepDraft() {
  try {
    const draft = JSON.stringify({ ...page.draft(), comment: comment.value });
    localStorage.setItem(draftName(review, version()), draft);
  } catch {
    warnUnkept(part("notices"));
  }
}

function readDraft() {
  comment.value = review.decision?.comment ?? "";
  try {
    const draft = JSON.parse(localStorage.getItem(draftName(review, version())) ?? "null");
    if (!draft) return;
    page.take(draft);
    comment.value = draft.comment;
  } catch (error) {
    console.error("A kept draft cannot be read and is left aside.", error);
  }
}

/** What was decided in this sitting, the latest last. @returns {{ url: string, said: string }[]} */
function decidedBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(trailName) ?? "[]");
  } catch {
    return [];
  }
}

/** @param {{ url: string, said: string }[]} trail */
function keepTrail(trail) {
  try {
    sessionStorage.setItem(trailName, JSON.stringify(trail.slice(-50)));
  } catch {
    // Without it Undo ends at the beginning of this item.
  }
}

export function paintFrame() {
  const left = page.left();
  const last = decidedBefore().at(-1);
  part("left").classList.toggle("complete", left === 0);
  part("left").classList.toggle("asking", asked);
  part("left-count").textContent = left ? gettext("%(left)s open", { left }) : gettext("All decided");
  part("left-note").textContent = asked ? gettext("decide all the same?") : "";
  part("last").textContent = last?.said ?? "";
  const counts = outbox?.counts ?? { unsynced: 0, failing: false };
  paintUnsynced(counts);
  tellNetwork(part("network"), counts);
}

function undo() {
  if (page.undo()) return;
  const trail = decidedBefore();
  const last = trail.pop();
  if (!last) return say(gettext("There is nothing to undo."));
  keepTrail(trail);
  if (queue?.undo()) return show(gettext("Back at the decision."));
  leave(last.url);
}

/** Leaves the item for later: it comes again at the end. One that is decided stays so. */
function later() {
  const item = queue?.current;
  if (!queue || !item) return;
  if (item.review.decision) {
    queue.mark(item, "done");
    queue.leave();
  } else {
    queue.pass();
  }
  show(gettext("Left for later."));
}

/**
 * The current item of the queue on the screen, or why there is none.
 * @param {string} said
 */
function show(said) {
  const item = queue?.current;
  part("frame").hidden = !item;
  part("finished").hidden = Boolean(item);
  if (!item) {
    finish("fetching");
    return void supply?.refill({ force: true });
  }
  asked = false;
  review = item.review;
  history.replaceState(history.state, "", pageOf(review.item));
  page.open?.(review);
  readDraft();
  paintFrame();
  page.focus();
  onPainted(() => performance.mark("paragold:painted"));
  say(`${said} ${page.spoken?.() ?? ""}`.trim());
  supply?.refill();
}

/** @param {number} item */
const pageOf = (item) => urls.page.replace("/0/", `/${item}/`);

/**
 * There is nothing to decide on the screen: "fetching", "lost" or "done".
 * @param {string} state @param {Error | null} error
 */
function finish(state, error = null) {
  if (!queue || queue.current) return;
  const left = queue.returning.length;
  const { unsynced } = outbox.counts;
  const kept = unsynced
    ? gettext("%(unsynced)s unsynced: kept in this browser and sent automatically.", { unsynced }) : "";
  const words = wordsFor(thing);
  const [title, text] = state === "fetching"
    ? [gettext("Fetching the next %(things)s", words), gettext("One moment.")]
    : left
      ? [gettext("No other %(thing)s waits for a decision", words),
        `${gettext("%(left)s left for later.", { left })} ${kept}`]
      : queue.left
        ? [gettext("The next %(things)s cannot be fetched", words), `${error?.message ?? ""} ${kept}`]
        : [gettext("Every disputed %(thing)s that you may decide is decided", words), kept];
  part("finished-title").textContent = title;
  part("finished-text").textContent = text;
  part("again").hidden = !left;
  action("reload").hidden = state !== "lost";
  if (state === "fetching") return;
  if (state === "done" && !left && !unsynced) return leave(urls.overview);
  say(`${title}. ${text}`);
  focusEnding();
}

/** @param {string} url */
function leave(url) {
  moving = true;
  location.assign(url);
}

/** Sends the decision. The next item comes at once where there is a queue, else once the server has it. */
export async function store() {
  if (moving || (queue && !queue.current)) return;
  const left = page.left();
  const mayStayOpen = part("frame").hasAttribute("data-may-stay-open");
  if (left && !asked) {
    asked = mayStayOpen;
    paintFrame();
    page.toOpen();
    return say(mayStayOpen
      ? gettext("%(left)s still open. Press again to decide all the same.", { left })
      : ngettext("%(count)s still open: decide it first.", "%(count)s still open: decide them first.", left));
  }
  const { item, number, basis } = review;
  const [decided, made] = [page.decided(), { ...page.answer(), comment: comment.value }];
  const body = /** @type {any} */ ({ ...made, version: version(), basis });
  const shown = /** @type {any} */ ({ assignment: item, position: number, said: decided });
  const url = queue ? urls.item.replace("/0/", `/${item}/`) : urls.review;
  // What was refused before, or left behind by an earlier press where the page waits for the server.
  const stale = outbox.entries.some((entry) => entry.assignment === item && (entry.parked || !queue));
  clearNotice(part("notices"), item);
  localStorage.removeItem(draftName(review, version()));
  if (queue) {
    review.decision = made;
    keepTrail([...decidedBefore(), { url: pageOf(item), said: decided }]);
    queue.answer({ label: decided, skipped: false });
    show(decided);
  }
  if (stale) await outbox.discard(item);
  await outbox.put({ assignment: item, batch, url, body, item: shown });
}

/** @param {import("./outbox.js").Entry} entry @param {any} data */
function stored({ assignment, item, batch: of }, data) {
  paintFrame();
  if (queue) {
    if (of === batch) supply?.acknowledge(assignment, data, { counts: false });
    return;
  }
  if (assignment !== review.item) return;
  const said = /** @type {any} */ (item)?.said ?? "";
  keepTrail([...decidedBefore(), { url: location.pathname, said }]);
  leave(urls.next);
}

/** @param {import("./outbox.js").Entry} entry */
function refused(entry) {
  const { parked, assignment } = entry;
  if (!parked) return;
  const place = part("notices");
  const here = assignment === review.item;
  const held = here ? review : queue?.held(assignment)?.review;
  const { current } = parked;
  if (!held || parked.status !== 409 || !current) {
    return showRefusal(place, { entry, outbox, thing });
  }
  const take = async () => {
    await outbox.discard(assignment);
    localStorage.removeItem(draftName(held));
    leave(queue ? pageOf(assignment) : location.href);
  };
  if (current.basis.join() !== held.basis.join()) {
    const which = here ? thing : `${thing} ${held.number}`;
    return showOutdated(place, { assignment, thing: which, detail: parked.detail, reload: take });
  }
  showConflict(place, {
    item: entry.item, mine: entry.body, thing, compare: () => page.compare(current, entry.body),
    current: { ...current, assignment, position: held.number },
    keep: () => outbox.resend(assignment, current.version), take,
  });
}

/** @type {Record<string, () => unknown>} */
const actions = {
  undo,
  redo: () => page.redo() || say(gettext("There is nothing to do again.")),
  store,
  sync: () => outbox.retryNow(),
  comment: () => comment.focus(),
};

/** The queue of the page: the item of its address, then the others that are open. */
function startQueue() {
  if (!payload) return;
  const { total, done, items } = payload;
  const others = items.filter(({ item }) => item !== first.item);
  // The item of the address is shown, even if a decision on it is still on its way.
  const entries = outbox.entries.filter((entry) => entry.batch === batch && entry.assignment !== first.item);
  const made = new Queue({ total, done, items: [first, ...others].map(asItem) }, entries);
  queue = made;
  supply = new Supply({
    queue: made, outbox, counted: paintFrame, shown: () => show(""),
    async ask(limit) {
      const reply = await request(`${urls.queue}&limit=${limit}`);
      if (reply.status === 200) reply.data.items = reply.data.items.map(asItem);
      return reply;
    },
    ended: (state, given) => finish(state, state === "lost" ? given : null),
  });
  const again = () => {
    made.goRound();
    show(gettext("Those left for later."));
  };
  Object.assign(actions, { later, again, reload: () => supply?.refill({ force: true }) });
}

/** @param {Deciding} deciding */
export async function startReview(deciding) {
  page = deciding;
  Object.assign(actions, page.actions);
  if (!payload) readDraft();
  outbox = await openOutbox({
    // Decisions have an outbox of their own: items and assignments are numbered alike.
    user: -user,
    onChange: paintFrame,
    onAcknowledged: stored,
    onParked: refused,
    onElsewhere({ batch: of, assignment }) {
      if (of === batch && queue?.forget(assignment)) show(gettext("Decided in another tab."));
    },
  });
  startQueue();
  comment.addEventListener("input", keepDraft);
  comment.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.focus();
  });
  wirePage({
    actions, outbox, goOn: () => queue && !queue.current && supply?.refill({ force: true }),
  });
  if (queue) {
    show("");
  } else {
    onPainted(() => performance.mark("paragold:painted"));
    part("frame").hidden = false;
    paintFrame();
    page.focus();
  }
  outbox.flush();
}
