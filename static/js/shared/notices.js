/** Notices above the bench: an answer that the server did not take, a browser that keeps nothing. */

import { textNodes } from "./text.js";

const SHOWN = 6; // differences named on each side of a conflict

/**
 * The same item was changed in another place: both answers stand until the person chooses. `mine` is a payload or a
 * body, `current` the server's item; compare(mine, current) gives what is only in either, {mine: [{text, note}], stored};
 * keep() and take() do what the buttons say.
 */
export function showConflict(place, { item, mine, current, thing, compare, keep, take }) {
  const only = compare(mine, current);
  const notice = open(place, current.assignment);
  notice.append(paragraph(`${capital(thing)} ${item?.position ?? current.position} was changed in another place.`, " Both versions are kept until you choose."));
  const lists = element("dl", "versions");
  describe(lists, "Only in yours", only.mine);
  describe(lists, "Only in the stored one", only.stored);
  notice.append(lists, choices(notice, [["Keep mine as the newest", keep], ["Take the stored one", take]]));
}

/** Anything else the server said no to: kept in the browser, to be tried again or dropped. */
export function showRefusal(place, { entry, thing, retry, drop }) {
  const { parked, item, assignment } = entry;
  const session = [401, 403].includes(parked.status);
  const why = parked.detail || (session ? "You may have been logged out." : `The server answered ${parked.status}.`);
  const notice = open(place, assignment);
  notice.append(paragraph(`${item ? `${capital(thing)} ${item.position}` : `A ${thing}`} was not taken.`, ` ${why} It is kept in this browser.`));
  const actions = choices(notice, [["Try again", retry], ["Drop it", drop]]);
  if (session) {
    const login = element("a", "button", "Log in again");
    login.href = location.href; // without a session the server leads to the login, and back
    actions.prepend(login);
  }
  notice.append(actions);
}

/** The browser refuses to keep anything over a reload: say so before it matters. */
export function warnUnkept(place) {
  const notice = open(place, "unkept");
  notice.append(paragraph("Keep this tab open.", " This browser does not let the page keep your work over a reload; it is still sent as you do it."));
}

export function clearNotice(place, assignment) {
  place.querySelector(`[data-assignment="${assignment}"]`)?.remove();
}

function open(place, name) {
  clearNotice(place, name);
  const notice = element("div", "notice");
  notice.setAttribute("role", "alert");
  notice.dataset.assignment = name;
  place.append(notice);
  return notice;
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

function describe(list, title, differences) {
  list.append(element("dt", "", title));
  const names = element("dd");
  if (!differences.length) names.textContent = "nothing";
  differences.slice(0, SHOWN).forEach(({ text, note }, index) => {
    if (index) names.append("; ");
    const isolated = element("bdi");
    isolated.append(...textNodes(text));
    names.append(isolated, note ? ` (${note})` : "");
  });
  if (differences.length > SHOWN) names.append(` and ${differences.length - SHOWN} more`);
  list.append(names);
}

function choices(notice, pairs) {
  const actions = element("div", "actions");
  for (const [text, work] of pairs) {
    const button = element("button", "", text);
    button.type = "button";
    button.addEventListener("click", () => {
      notice.remove();
      work();
    });
    actions.append(button);
  }
  return actions;
}

function paragraph(strong, rest) {
  const made = element("p");
  made.append(element("b", "", strong), rest);
  return made;
}

function element(name, kind = "", text = "") {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  if (text) made.textContent = text;
  return made;
}
