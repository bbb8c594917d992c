/**
 * The frame in which an adjudicator decides what annotators differ on, one item a page: the draft in this
 * browser, undo back to the items before, the decision on its way to the server through an outbox, and what
 * is said when the server has another one. What an item is, its rows and its views are the page's own.
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
 * @property {(current: any) => { mine: Difference[], stored: Difference[] }} compare
 * @property {() => void} focus
 * @property {Record<string, () => unknown>} actions
 */

import { announce, tellNetwork } from "./announce.js";
import { request } from "./api.js";
import { createGuard, onPainted, startKeyboard, wireDialogs } from "./keyboard.js";
import { offerLogin } from "./login.js";
import { clearNotice, showConflict, showOutdated, showRefusal, warnUnkept } from "./notices.js";
import { memoryStore, openStore, Outbox } from "./outbox.js";
import { around, embedded, find, paintUnsynced, part } from "./page.js";

/**
 * @typedef {{ user: number, batch: number, review: any, urls: { review: string, next: string } }} Bootstrap
 */

/** @type {Bootstrap} */
const { user, batch, review, urls } = embedded("bootstrap");
const thing = part("frame").dataset.thing ?? "pair";
const draftName = `paragold-decision-${user}-${review.item}-${review.version}-${review.basis.join(".")}`;
const trailName = `paragold-decided-${user}-${batch}`;
const comment = find("#comment-text", HTMLTextAreaElement);
const guard = createGuard();

/** @type {Deciding} */
let page;
/** @type {Outbox} */
let outbox;
let asked = false; // whether what is still open has been asked about
let moving = false; // the next page is on its way

/** @param {string} message */
export const say = (message) => announce(part("live"), message);

/** The item as the server gave it. */
export const reviewed = review;

/** A key that comes before the eye can have read the page decides nothing. */
export const readByNow = () => guard.accepts(performance.now());

/** After every change of the decision: keeps it in the browser and shows how much is open. */
export function changed() {
  asked = false;
  keepDraft();
  paintFrame();
}

function keepDraft() {
  try {
    localStorage.setItem(draftName, JSON.stringify({ ...page.draft(), comment: comment.value }));
  } catch {
    warnUnkept(part("notices"));
  }
}

function readDraft() {
  comment.value = review.decision?.comment ?? "";
  try {
    const draft = JSON.parse(localStorage.getItem(draftName) ?? "null");
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
  part("left-count").textContent = left ? `${left} open` : "All decided";
  part("left-note").textContent = asked ? "decide all the same?" : "";
  part("last").textContent = last?.said ?? "";
  const counts = outbox?.counts ?? { unsynced: 0, failing: false };
  paintUnsynced(counts);
  tellNetwork(part("network"), counts);
}

function undo() {
  if (page.undo()) return;
  const trail = decidedBefore();
  const last = trail.pop();
  if (!last) return say("There is nothing to undo.");
  keepTrail(trail);
  leave(last.url);
}

/** @param {string} url */
function leave(url) {
  moving = true;
  location.assign(url);
}

/** Sends the decision; the next item comes once the server has it. */
export async function store() {
  if (moving) return;
  const left = page.left();
  const mayStayOpen = part("frame").hasAttribute("data-may-stay-open");
  if (left && !asked) {
    asked = mayStayOpen;
    paintFrame();
    page.toOpen();
    return say(mayStayOpen
      ? `${left} still open. Press again to decide all the same.`
      : `${left} still open: decide ${left === 1 ? "it" : "them"} first.`);
  }
  const { item, number, version, basis } = review;
  await outbox.discard(item); // what an earlier press left behind
  clearNotice(part("notices"), item);
  const body = { ...page.answer(), version, basis, comment: comment.value };
  const shown = { assignment: item, position: number, said: page.decided() };
  await outbox.put({
    assignment: item, batch, url: urls.review, body: /** @type {any} */ (body),
    item: /** @type {any} */ (shown),
  });
}

/** @param {import("./outbox.js").Entry} entry */
function stored({ assignment, item }) {
  paintFrame();
  if (assignment !== review.item) return;
  localStorage.removeItem(draftName);
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
  const { current } = parked;
  if (!here || parked.status !== 409 || !current) {
    return showRefusal(place, {
      entry, parked, thing, retry: () => outbox.retry(entry.key), drop: () => outbox.discard(assignment),
    });
  }
  const take = async () => {
    await outbox.discard(assignment);
    localStorage.removeItem(draftName);
    location.reload();
  };
  if (current.basis.join() !== review.basis.join()) {
    return showOutdated(place, { assignment, thing, detail: parked.detail, reload: take });
  }
  showConflict(place, {
    item: entry.item, mine: entry.body, thing, compare: () => page.compare(current),
    current: { ...current, assignment, position: review.number },
    keep: () => outbox.resend(assignment, current.version), take,
  });
}

/** @type {Record<string, () => unknown>} */
const actions = {
  undo,
  redo: () => page.redo() || say("There is nothing to do again."),
  store,
  sync: () => outbox.retryNow(),
  comment: () => comment.focus(),
};

/** @param {Deciding} deciding */
export async function startReview(deciding) {
  page = deciding;
  Object.assign(actions, page.actions);
  readDraft();
  const kept = await openStore().catch(() => null);
  outbox = new Outbox({
    // Decisions have an outbox of their own: items and assignments are numbered alike.
    user: -user,
    store: kept ?? memoryStore(),
    send: ({ url, body, key }) => request(url, { method: "PUT", body, headers: { "Idempotency-Key": key } }),
    channel: new BroadcastChannel(`paragold-outbox-${-user}`),
    onChange: paintFrame,
    onAcknowledged: stored,
    onParked: refused,
    onUnkept: () => warnUnkept(part("notices")),
  });
  await outbox.load();
  wireDialogs();
  document.addEventListener("click", (event) => {
    actions[around(event, "[data-action]")?.dataset.action ?? ""]?.();
  });
  comment.addEventListener("input", keepDraft);
  comment.addEventListener("keydown", (event) => {
    if (event.key === "Escape") page.focus();
  });
  startKeyboard();
  offerLogin(() => outbox.retryNow());
  addEventListener("online", () => outbox.retryNow());
  onPainted(() => guard.painted(performance.mark("paragold:painted").startTime));
  part("frame").hidden = false;
  paintFrame();
  page.focus();
  outbox.flush();
}
