/** Keeps a project's overview up to date while it is looked at; focus and open details stay as they are. */

import { announce } from "../shared/announce.js";
import { find, part } from "../shared/page.js";
import { changedTexts, refreshing } from "./refreshing.js";

const BUSY_MILLISECONDS = 5_000;
const QUIET_MILLISECONDS = 30_000;

const overview = find("#overview");
const changes = part("changes");

/** What data-announce says of each part, or else its text, by its id. */
const texts = () => new Map([...overview.querySelectorAll("[data-announce]")].map((element) => {
  const text = element.getAttribute("data-announce") || element.textContent || "";
  return [element.id || element.parentElement?.id || "", text.replace(/\s+/g, " ").trim()];
}));

/** What finds the focused element again: its section, and its address or id within it; null for none. */
function focused() {
  const active = document.activeElement;
  if (!active || !overview.contains(active) || active === overview) return null;
  const section = active.closest("section, .next, .phases");
  const among = [...(section?.querySelectorAll(active.localName) ?? [])];
  return {
    section: section?.id ?? "",
    id: active.id,
    href: active.getAttribute("href"),
    name: active.localName,
    at: among.indexOf(active),
  };
}

/** @param {NonNullable<ReturnType<typeof focused>>} was */
function focusAgain({ section, id, href, name, at }) {
  const place = document.getElementById(section) ?? overview;
  const same = [...place.querySelectorAll(name)];
  const target = (id && document.getElementById(id))
    || same.find((element) => href && element.getAttribute("href") === href)
    || (href ? null : same[at])
    || place;
  if (!(target instanceof HTMLElement)) return;
  if (target === place) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Whether somebody is marking text in it, which new content would undo. */
function marking() {
  const selection = getSelection();
  return Boolean(selection && !selection.isCollapsed && overview.contains(selection.anchorNode));
}

/** @param {string} content */
function show(content) {
  if (marking()) return false;
  const before = texts();
  const was = focused();
  const open = [...overview.querySelectorAll("details[open]")].map(({ id }) => id);
  const parsed = new DOMParser().parseFromString(content, "text/html");
  overview.replaceChildren(...parsed.body.childNodes);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  if (was) focusAgain(was);
  const changed = changedTexts(before, texts());
  if (changed.length) announce(changes, changed.join(" "));
  return true;
}

async function load() {
  const answer = await fetch(overview.dataset.refresh ?? "", { headers: { Accept: "text/html" } });
  if (answer.redirected || answer.status === 403 || answer.status === 404) return null;
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.text();
}

const page = refreshing({
  load,
  show,
  visible: () => document.visibilityState === "visible",
  wait: () => overview.querySelector("[data-busy]") ? BUSY_MILLISECONDS : QUIET_MILLISECONDS,
});
document.addEventListener("visibilitychange", () => page.seen());
page.plan();
