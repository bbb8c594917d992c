/** Notices above the bench: a link set that the server did not take, a browser that keeps nothing. */

import { textNodes } from "../shared/text.js";
import { listed } from "./labels.js";
import { fromItem } from "./state.js";

const SHOWN = 6; // links named on each side of a conflict

/**
 * The same pair was changed in another place: both link sets stand until the person chooses. `mine` is a payload or
 * a body, `current` the server's item; keep() and take() do what the buttons say.
 */
export function showConflict(place, { item, mine, current, keep, take }) {
  const words = { a: current.a.tokens, b: current.b.tokens };
  const links = (source) => listed(fromItem({ ...current, ...source, suggestions: [] }), words);
  const [here, there] = [links(mine), links(current)];
  const notice = open(place, current.assignment);
  notice.append(paragraph(`Pair ${item?.position ?? current.position} was changed in another place.`, " Both versions are kept until you choose."));
  const lists = element("dl", "versions");
  const only = (one, other) => one.filter(({ i, j, strength }) => !other.some((link) => link.i === i && link.j === j && link.strength === strength));
  describe(lists, "Only in yours", only(here, there));
  describe(lists, "Only in the stored one", only(there, here));
  notice.append(lists, choices(notice, [["Keep mine as the newest", keep], ["Take the stored one", take]]));
}

/** Anything else the server said no to: kept in the browser, to be tried again or dropped. */
export function showRefusal(place, { entry, retry, drop }) {
  const { parked, item, assignment } = entry;
  const session = [401, 403].includes(parked.status);
  const why = parked.detail || (session ? "You may have been logged out." : `The server answered ${parked.status}.`);
  const notice = open(place, assignment);
  notice.append(paragraph(`${item ? `Pair ${item.position}` : "A pair"} was not taken.`, ` ${why} It is kept in this browser.`));
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
  notice.append(paragraph("Keep this tab open.", " This browser does not let the page keep links over a reload; they are still sent as you draw them."));
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

function describe(list, title, links) {
  list.append(element("dt", "", title));
  const names = element("dd");
  if (!links.length) names.textContent = "nothing";
  links.slice(0, SHOWN).forEach(({ text, strength }, index) => {
    if (index) names.append("; ");
    const isolated = element("bdi");
    isolated.append(...textNodes(text));
    names.append(isolated, strength === "possible" ? " (possible)" : "");
  });
  if (links.length > SHOWN) names.append(` and ${links.length - SHOWN} more`);
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
