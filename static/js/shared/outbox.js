/**
 * Answers on their way to the server. Each is written into the browser's database first and deleted only when
 * the server has acknowledged it, so that a reload, a lost network or a dead server loses nothing; its key
 * makes a second sending harmless. Entries belong to a user: another login in the same browser neither sees
 * nor sends them.
 *
 * @typedef {import("./api.js").Item} Item
 * @typedef {import("./api.js").Reply} Reply
 *
 * What is sent: of a judgement its label, of links and placements these and `submitted`.
 * @typedef {{ version: number, skipped: boolean, flagged: boolean, comment: string, milliseconds: number,
 *   label?: string | null, submitted?: boolean, phenomena?: Record<string, number> }} Body
 *
 * Why an answer was refused; `current` is the server's item where it has a newer one.
 * @typedef {{ status: number, detail: string, current: any }} Parked
 *
 * @typedef {object} Entry
 * @property {string} key
 * @property {number} user
 * @property {number} assignment
 * @property {number} batch
 * @property {string} url
 * @property {Body} body
 * @property {Item | null} item
 * @property {number} createdAt
 * @property {number} [sequence]
 * @property {Parked | null} parked
 *
 * @typedef {object} Store
 * @property {(user: number) => Promise<Entry[]>} all
 * @property {(entry: Entry) => Promise<unknown>} add
 * @property {(key: string, assignment: number, version: number) => Promise<unknown>} settle
 * @property {(key: string, changes: Partial<Entry>) => Promise<unknown>} change
 * @property {(key: string) => Promise<unknown>} remove
 */

const TEMPORARY = new Set([408, 425, 429]);

/**
 * Whether the same request may be answered later.
 * @param {number} status
 */
export function isTemporary(status) { return status >= 500 || TEMPORARY.has(status); }

export function newKey(crypto = globalThis.crypto) {
  if (crypto.randomUUID) return crypto.randomUUID();
  // randomUUID is absent on plain http other than localhost.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Milliseconds before the next try: 1, 2, 4 ... 30 s, or what the server asked for.
 * @param {number} failures @param {number | null} retryAfter seconds
 */
export function backoff(failures, retryAfter = null, random = Math.random) {
  if (retryAfter !== null) return Math.min(retryAfter, 120) * 1000;
  return Math.min(1000 * 2 ** (failures - 1), 30_000) * (0.8 + 0.4 * random());
}

/**
 * Where entries are kept when the browser has no database: until the tab is closed. Also used by the tests.
 * @param {Entry[]} kept @returns {Store}
 */
export function memoryStore(kept = []) {
  let sequence = kept.length;
  return {
    async all(user) { return structuredClone(kept.filter((entry) => entry.user === user)); },
    async add(entry) { kept.push(structuredClone({ ...entry, sequence: (sequence += 1) })); },
    async settle(key, assignment, version) {
      const index = kept.findIndex((entry) => entry.key === key);
      if (index < 0) return;
      const [{ user }] = kept.splice(index, 1);
      for (const entry of kept) {
        if (entry.user === user && entry.assignment === assignment) entry.body.version = version;
      }
    },
    async change(key, changes) {
      Object.assign(kept.find((entry) => entry.key === key) ?? {}, structuredClone(changes));
    },
    async remove(key) { kept.splice(0, kept.length, ...kept.filter((entry) => entry.key !== key)); },
  };
}

/**
 * The same in IndexedDB. Rejects when the browser refuses it (private windows of some browsers).
 * @returns {Promise<Store>}
 */
export async function openStore(indexedDB = globalThis.indexedDB) {
  /** @type {IDBDatabase} */
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("paragold", 1);
    opening.onupgradeneeded = () => {
      const keys = { keyPath: "sequence", autoIncrement: true };
      const entries = opening.result.createObjectStore("outbox", keys);
      entries.createIndex("user", "user");
      entries.createIndex("key", "key", { unique: true });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  /**
   * @param {IDBTransactionMode} mode @param {(entries: IDBObjectStore) => IDBRequest | void} work
   * @returns {Promise<any>} the request's result
   */
  const within = (mode, work) => new Promise((resolve, reject) => {
    const transaction = database.transaction("outbox", mode, { durability: "strict" });
    const answer = work(transaction.objectStore("outbox"));
    transaction.oncomplete = () => resolve(answer?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
  /** @param {string} key @param {(cursor: IDBCursorWithValue, entries: IDBObjectStore) => void} work */
  const withEntry = (key, work) => within("readwrite", (entries) => {
    const opening = entries.index("key").openCursor(IDBKeyRange.only(key));
    opening.onsuccess = () => { if (opening.result) work(opening.result, entries); };
  });
  return {
    all: (user) => within("readonly", (entries) => entries.index("user").getAll(user)),
    add: (entry) => within("readwrite", (entries) => { entries.add(entry); }),
    change: (key, changes) => withEntry(key, (cursor) => cursor.update({ ...cursor.value, ...changes })),
    remove: (key) => withEntry(key, (cursor) => cursor.delete()),
    /**
     * Deletes an acknowledged entry; later ones for its assignment were made on top of it and take its
     * version.
     */
    settle: (key, assignment, version) => withEntry(key, (cursor, entries) => {
      const { user } = cursor.value;
      cursor.delete();
      const opening = entries.index("user").openCursor(IDBKeyRange.only(user));
      opening.onsuccess = () => {
        const later = opening.result;
        if (!later) return;
        const { value } = later;
        if (value.assignment === assignment) later.update({ ...value, body: { ...value.body, version } });
        later.continue();
      };
    }),
  };
}

/**
 * send(entry) throws when there is no answer. onParked(entry) is called for 409 and for refusals,
 * onElsewhere(entry) when another tab took an answer, onUnkept() when the browser cannot keep entries over a
 * reload.
 * @typedef {object} Options
 * @property {number} user
 * @property {Store} store
 * @property {(entry: Entry) => Promise<Reply>} send
 * @property {LockManager} [locks]
 * @property {BroadcastChannel | null} [channel] to the other tabs
 * @property {(work: () => void, wait: number) => unknown} [schedule]
 * @property {(counts: { unsynced: number, parked: number, failing: boolean }) => void} [onChange]
 * @property {(entry: Entry, data: any) => void} [onAcknowledged]
 * @property {(entry: Entry) => void} [onParked]
 * @property {(entry: Entry) => void} [onElsewhere]
 * @property {() => void} [onUnkept]
 */
export class Outbox {
  #store; #send; #locks; #channel; #schedule; #again = false; #failures = 0;
  /** @type {unknown} */
  #timer = null;
  /** @type {Promise<void> | null} */
  #running = null;
  /** @type {Map<string, Entry>} */
  #entries = new Map(); // what this tab knows to be in the store

  /** @param {Options} options */
  constructor({
    user, store, send, locks = globalThis.navigator?.locks, channel = null,
    schedule = (work, wait) => setTimeout(work, wait),
    onChange = () => {}, onAcknowledged = () => {}, onParked = () => {}, onElsewhere = () => {},
    onUnkept = () => {},
  }) {
    this.user = user;
    this.onChange = onChange;
    this.onAcknowledged = onAcknowledged;
    this.onParked = onParked;
    this.onElsewhere = onElsewhere;
    this.onUnkept = onUnkept;
    this.#store = store;
    this.#send = send;
    this.#locks = locks;
    this.#channel = channel;
    this.#schedule = schedule;
    if (channel) channel.onmessage = ({ data }) => this.#hear(data);
  }

  /**
   * Reads what an earlier page left. Entries refused for want of a login, or under another user's (who gets a
   * 404), are tried again; so are conflicts: the server may store the same answer by now. Does not send yet.
   */
  async load() {
    for (const entry of await this.#store.all(this.user)) {
      if (entry.parked && [401, 403, 404, 409].includes(entry.parked.status)) {
        entry.parked = null;
        await this.#store.change(entry.key, { parked: null });
      }
      this.#entries.set(entry.key, entry);
    }
    this.#changed();
    return this.entries;
  }

  /** All entries in the order they were made. */
  get entries() { return [...this.#entries.values()]; }

  get counts() {
    const parked = this.entries.filter((entry) => entry.parked).length;
    return { unsynced: this.#entries.size, parked, failing: this.#failures > 0 };
  }

  /**
   * Keeps an answer, then sends it. Resolves when it is kept; never waits for the network.
   * @param {{ assignment: number, batch: number, url: string, body: Body, item?: Item | null }} answer
   */
  async put({ assignment, batch, url, body, item = null }) {
    /** @type {Entry} */
    const entry = {
      key: newKey(), user: this.user, assignment, batch, url, body, item, createdAt: Date.now(), parked: null,
    };
    this.#entries.set(entry.key, entry);
    this.#changed();
    await this.#keep(entry);
    this.#channel?.postMessage({ what: "put", entry });
    this.flush();
    return entry;
  }

  /** @param {Entry} entry */
  async #keep(entry) {
    try {
      await this.#store.add(entry);
    } catch (error) {
      console.error("The browser's database refused an answer; it is kept in memory.", error);
      const kept = memoryStore();
      for (const one of this.#entries.values()) await kept.add(one);
      this.#store = kept;
      this.onUnkept();
    }
  }

  /** Sends all that can be sent, one at a time, in order. Only one tab of this user sends at once. */
  flush() {
    this.#again = true;
    this.#running ??= this.#run()
      .catch((error) => {
        console.error("The outbox could not be read.", error);
        this.#again = false;
      })
      .finally(() => {
        this.#running = null;
        if (this.#again && !this.#timer) this.flush();
      });
    return this.#running;
  }

  /** Tries at once, whatever the wait: the network is back, or the user asked. */
  retryNow() {
    this.#stopTimer();
    return this.flush();
  }

  async #run() {
    if (this.#timer) return;
    const work = () => this.#sendAll();
    await (this.#locks ? this.#locks.request(`paragold-outbox-${this.user}`, work) : work());
  }

  async #sendAll() {
    for (;;) {
      this.#again = false;
      const entries = await this.#store.all(this.user);
      // Behind a parked entry the later ones for the same assignment wait; those for others go on.
      const held = new Set(entries.filter((entry) => entry.parked).map((entry) => entry.assignment));
      const next = entries.find((entry) => !held.has(entry.assignment));
      if (!next) return;
      const wait = await this.#deliver(next);
      if (wait === Infinity) {
        this.#again = false;
        return this.#changed();
      }
      if (wait !== null) {
        this.#timer = this.#schedule(() => { this.#timer = null; this.flush(); }, wait);
        return;
      }
    }
  }

  /**
   * null when the entry is settled or parked, else the milliseconds to wait before it is tried again.
   * @param {Entry} entry @returns {Promise<number | null>}
   */
  async #deliver(entry) {
    let response;
    try {
      response = await this.#send(entry);
    } catch {
      return this.#failed(null);
    }
    const { status, data } = response;
    if (isTemporary(status)) return this.#failed(response.retryAfter ?? null);
    this.#failures = 0;
    if (status === 401) return Infinity; // logged out: sent again after the login, or with the next answer
    if (status === 200 && Number.isInteger(data?.version)) await this.#acknowledge(entry, data);
    else {
      const { detail = "", current = null } = data ?? {};
      await this.#park(entry, { status: status === 200 ? 403 : status, detail, current });
    }
    return null;
  }

  /** @param {Entry} entry @param {{ version: number }} data */
  async #acknowledge(entry, data) {
    this.#entries.delete(entry.key);
    for (const later of this.#entries.values()) {
      if (later.assignment === entry.assignment) later.body.version = data.version;
    }
    // Before the store's transaction: an answer made from here on carries the new version by itself.
    this.onAcknowledged(entry, data);
    const settled = this.#store.settle(entry.key, entry.assignment, data.version);
    this.#changed();
    await settled;
    this.#channel?.postMessage({ what: "acknowledged", entry, data });
  }

  /** @param {Entry} entry @param {Parked} parked */
  async #park(entry, parked) {
    const known = { ...entry, parked };
    this.#entries.set(entry.key, known);
    await this.#store.change(entry.key, { parked });
    this.#changed();
    this.onParked(known);
    this.#channel?.postMessage({ what: "parked", entry: known });
  }

  /** @param {number | null} retryAfter */
  #failed(retryAfter) {
    this.#failures += 1;
    this.#changed();
    return backoff(this.#failures, retryAfter);
  }

  /**
   * Tries a refused entry again as it is.
   * @param {string} key
   */
  async retry(key) {
    await this.#change(this.#entries.get(key), { parked: null });
    await this.retryNow();
  }

  /**
   * The user's answer shall stand over what the server has: the last entry for the assignment, on top of
   * `version`.
   * @param {number} assignment @param {number} version
   */
  async resend(assignment, version) {
    const entries = this.entries.filter((entry) => entry.assignment === assignment);
    const last = entries.pop();
    for (const earlier of entries) await this.#remove(earlier.key);
    // Another body under the same key would be taken for the old request.
    if (last) await this.#change(last, { parked: null, key: newKey(), body: { ...last.body, version } });
    await this.retryNow();
  }

  /**
   * Drops all entries for the assignment: only ever at the user's word.
   * @param {number} assignment
   */
  async discard(assignment) {
    for (const entry of this.entries) if (entry.assignment === assignment) await this.#remove(entry.key);
    await this.flush();
  }

  /** @param {Entry | undefined} entry @param {Partial<Entry>} changes */
  async #change(entry, changes) {
    if (!entry) return;
    this.#entries.delete(entry.key);
    this.#entries.set(changes.key ?? entry.key, { ...entry, ...changes });
    this.#changed();
    await this.#store.change(entry.key, changes);
  }

  /** @param {string} key */
  async #remove(key) {
    this.#entries.delete(key);
    this.#changed();
    await this.#store.remove(key);
    this.#channel?.postMessage({ what: "discarded", entry: { key } });
  }

  /** @param {{ what: string, entry: Entry, data?: any }} message */
  #hear({ what, entry, data }) {
    if (what === "acknowledged" || what === "discarded") this.#entries.delete(entry.key);
    else this.#entries.set(entry.key, entry);
    if (what === "acknowledged") this.onAcknowledged(entry, data);
    if (what === "put") this.onElsewhere(entry);
    this.#changed();
  }

  #stopTimer() {
    clearTimeout(/** @type {number | undefined} */ (this.#timer));
    this.#timer = null;
  }

  #changed() { this.onChange(this.counts); }
}
