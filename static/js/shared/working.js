/** What every page of work has in common: the outbox and its way to the server, dialogs, keys, login. */

import { request } from "./api.js";
import { around, part } from "./page.js";
import { startKeyboard, wireDialogs } from "./keyboard.js";
import { offerLogin } from "./login.js";
import { warnUnkept } from "./notices.js";
import { memoryStore, openStore, Outbox } from "./outbox.js";

/**
 * The person's outbox with what an earlier page left in it, not yet sent. Where the browser keeps nothing,
 * the page says so.
 * @param {Omit<import("./outbox.js").Options, "store" | "send" | "channel">} page
 */
export async function openOutbox(page) {
  const kept = await openStore().catch(() => null);
  const onUnkept = () => warnUnkept(part("notices"));
  const outbox = new Outbox({
    store: kept ?? memoryStore(),
    send: ({ url, body, key }) => request(url, { method: "PUT", body, headers: { "Idempotency-Key": key } }),
    channel: new BroadcastChannel(`paragold-outbox-${page.user}`),
    onUnkept,
    ...page,
  });
  await outbox.load();
  if (!kept) onUnkept();
  return outbox;
}

/**
 * Wires the page: a button with data-action="name" does `actions.name`, keys press buttons, and when the
 * network or the login is back, what waits is sent and `goOn()` is called.
 * @param {{ actions: Record<string, () => unknown>, outbox: Outbox, goOn: () => void,
 *   activate?: (button: HTMLElement, event: KeyboardEvent) => void }} page
 */
export function wirePage({ actions, outbox, goOn, activate }) {
  const resume = () => {
    outbox.retryNow();
    goOn();
  };
  wireDialogs();
  document.addEventListener("click", (event) => {
    const pressed = around(event, "[data-action]");
    const work = actions[pressed?.dataset.action ?? ""];
    if (!work) return;
    if (pressed instanceof HTMLAnchorElement) event.preventDefault(); // the link is for pages without it
    work();
  });
  startKeyboard({ activate });
  offerLogin(resume);
  addEventListener("online", resume);
  if (location.hash === "#answers") actions.answers?.(); // as the list of one's batches links to it
}
