/**
 * Histories kept in the browser, one for each assignment of a user, so that undo survives a reload and an
 * edit that has not reached the outbox yet is not lost.
 *
 * @typedef {object} Draft
 * @property {number} version
 * @property {boolean} dirty whether it holds an edit that no outbox entry carries
 * @property {any} history as the page's `serialise` gives it
 * @property {number} [at] when it was kept
 */

const KEPT = 60; // assignments whose history is kept; the oldest settled ones go first

export class Drafts {
  #storage;
  #prefix;

  /**
   * `name` says what is kept; onRefused() is called when the storage will not take a draft.
   * @param {{ user: number, storage: Storage, name?: string, onRefused?: () => void }} options
   */
  constructor({ user, storage, name = "links", onRefused = () => {} }) {
    this.#storage = storage;
    this.#prefix = `paragold-${name}-${user}-`;
    this.onRefused = onRefused;
  }

  /** @param {number | string} assignment @returns {Draft | null} */
  get(assignment) {
    try {
      return JSON.parse(this.#storage.getItem(this.#prefix + assignment) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {number} assignment @param {Draft} draft */
  put(assignment, { version, dirty, history }) {
    const value = JSON.stringify({ version, dirty, at: Date.now(), history });
    const name = this.#prefix + assignment;
    try {
      this.#storage.setItem(name, value);
    } catch {
      this.#prune(0, name);
      try {
        this.#storage.setItem(name, value);
      } catch {
        this.onRefused();
      }
    }
  }

  /**
   * The server has this version now; a settled draft stands on it.
   * @param {number} assignment @param {number} version
   */
  acknowledge(assignment, version) {
    const draft = this.get(assignment);
    if (draft) this.put(assignment, { ...draft, version });
  }

  prune() { this.#prune(KEPT); }

  /** @param {number} keep */
  #prune(keep, except = "") {
    /** @type {[number, string][]} */
    const settled = [];
    for (let index = 0; index < this.#storage.length; index += 1) {
      const name = this.#storage.key(index) ?? "";
      if (!name.startsWith(this.#prefix) || name === except) continue;
      const draft = this.get(name.slice(this.#prefix.length));
      if (!draft?.dirty) settled.push([draft?.at ?? 0, name]);
    }
    settled.sort(([p], [q]) => q - p);
    for (const [, name] of settled.slice(keep)) this.#storage.removeItem(name);
  }
}

/**
 * What to show of an item: the stored history (`resave`: whether it must be saved again) or the item;
 * `conflict` when the kept edit and a newer version of the server contradict each other.
 * @param {Draft | null} stored @param {{ version: number }} item
 * @param {{ unsynced: boolean, same: boolean }} known
 * @returns {{ use: "item" | "stored", resave?: boolean, conflict?: boolean }}
 */
export function choose(stored, item, { unsynced, same }) {
  if (!stored) return { use: "item" };
  if (unsynced) return { use: "stored", resave: stored.dirty };
  if (!stored.dirty) return { use: same ? "stored" : "item" };
  if (stored.version === item.version || same) return { use: "stored", resave: !same };
  return { use: "stored", conflict: true };
}
