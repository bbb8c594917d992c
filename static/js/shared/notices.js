/** Notices above the bench: an answer that the server did not take, a browser that keeps nothing. */

import { create } from "./page.js";
import { textNodes } from "./text.js";
import { gettext, wordsFor } from "./texts.js";

/**
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./outbox.js").Entry} Entry
 * @typedef {import("./outbox.js").Parked} Parked
 *
 * What an answer has and another has not.
 * @typedef {{ text: string, note: string }} Difference
 */

const SHOWN = 6; // differences named on each side of a conflict

/**
 * The same item was changed in another place: both answers stand until the person chooses. `mine` is a
 * payload or a body, `current` the server's item; compare(mine, current) gives what is only in either; keep()
 * and take() do what the buttons say.
 * @param {Element} place
 * @param {{ item: Item | null, mine: any, current: Item, thing: string,
 *   compare: (mine: any, current: any) => { mine: Difference[], stored: Difference[] },
 *   keep: () => void, take: () => void }} conflict
 */
export function showConflict(place, { item, mine, current, thing, compare, keep, take }) {
  const only = compare(mine, current);
  const notice = open(place, current.assignment);
  const position = item?.position ?? current.position;
  notice.append(paragraph(
    gettext("%(Thing)s %(position)s was changed in another place.", { ...wordsFor(thing), position }),
    gettext("Both versions are kept until you choose."),
  ));
  const lists = create("dl", "versions");
  describe(lists, gettext("Only in yours"), only.mine);
  describe(lists, gettext("Only in the stored one"), only.stored);
  notice.append(lists, choices(notice, [
    [gettext("Keep mine as the newest"), keep], [gettext("Take the stored one"), take],
  ]));
}

/**
 * Anything else the server said no to: kept in the browser, to be tried again or dropped. All that were
 * refused for one reason share one notice.
 * @param {Element} place
 * @param {{ entry: Entry, outbox: import("./outbox.js").Outbox, thing: string }} refusal
 */
export function showRefusal(place, { entry, outbox, thing }) {
  const { status, detail } = /** @type {Parked} */ (entry.parked);
  const alike = outbox.entries.filter(({ parked }) => parked?.status === status && parked.detail === detail);
  for (const { assignment } of alike) clearNotice(place, assignment);
  const notice = open(place, alike.length > 1 ? `${status} ${detail}` : entry.assignment);
  const session = [401, 403].includes(status);
  const why = detail || (session
    ? gettext("You may have been logged out.") : gettext("The server answered %(status)s.", { status }));
  const words = { ...wordsFor(thing), position: entry.item?.position ?? 0 };
  const which = entry.item
    ? gettext("%(Thing)s %(position)s was not taken.", words) : gettext("A %(thing)s was not taken.", words);
  notice.append(alike.length > 1
    ? paragraph(
      gettext("%(count)s answers were not taken.", { count: alike.length }),
      `${why} ${gettext("They are kept in this browser.")}`,
    )
    : paragraph(which, `${why} ${gettext("It is kept in this browser.")}`));
  const actions = choices(notice, [
    [gettext("Try again"), async () => { for (const { key } of alike) await outbox.retry(key); }],
    [gettext("Drop"), async () => { for (const { assignment } of alike) await outbox.discard(assignment); }],
  ]);
  if (session) {
    const login = create("a", "button", gettext("Log in again"));
    login.href = location.href; // without a session the server leads to the login, and back
    actions.prepend(login);
  }
  notice.append(actions);
}

/**
 * What a decision rests on has changed: the new answers are shown before anything is decided.
 * @param {Element} place
 * @param {{ assignment: number, thing: string, detail: string, reload: () => void }} change
 */
export function showOutdated(place, { assignment, thing, detail, reload }) {
  const notice = open(place, assignment);
  notice.append(paragraph(
    gettext("This %(thing)s was not decided.", { thing }),
    `${detail} ${gettext("An annotator's answer has changed.")}`,
  ));
  notice.append(choices(notice, [[gettext("Show the new answers"), reload]]));
}

/**
 * The browser refuses to keep anything over a reload: say so before it matters.
 * @param {Element} place
 */
export function warnUnkept(place) {
  const notice = open(place, "unkept");
  notice.append(paragraph(
    gettext("Keep this tab open."),
    gettext(
      "This browser does not let the page keep your work over a reload; it is still sent as you do it.",
    ),
  ));
}

/** @param {Element} place @param {number | string} assignment */
export function clearNotice(place, assignment) {
  place.querySelector(`[data-assignment="${CSS.escape(String(assignment))}"]`)?.remove();
}

/** @param {Element} place @param {number | string} name */
function open(place, name) {
  clearNotice(place, name);
  const notice = create("div", "notice");
  notice.setAttribute("role", "alert");
  notice.dataset.assignment = String(name);
  place.append(notice);
  return notice;
}

/** @param {Element} list @param {string} title @param {Difference[]} differences */
function describe(list, title, differences) {
  list.append(create("dt", "", title));
  const names = create("dd");
  if (!differences.length) names.textContent = gettext("nothing");
  differences.slice(0, SHOWN).forEach(({ text, note }, index) => {
    if (index) names.append("; ");
    const isolated = create("bdi");
    isolated.append(...textNodes(text));
    names.append(isolated, note ? ` (${note})` : "");
  });
  if (differences.length > SHOWN) {
    names.append(` ${gettext("and %(count)s more", { count: differences.length - SHOWN })}`);
  };
  list.append(names);
}

/** @param {Element} notice @param {[string, () => void][]} pairs */
function choices(notice, pairs) {
  const actions = create("div", "actions");
  for (const [text, work] of pairs) {
    const button = create("button", "", text);
    button.type = "button";
    button.addEventListener("click", () => {
      notice.remove();
      work();
    });
    actions.append(button);
  }
  return actions;
}

/** @param {string} strong @param {string} rest */
function paragraph(strong, rest) {
  const made = create("p");
  made.append(create("b", "", strong), ` ${rest}`);
  return made;
}
