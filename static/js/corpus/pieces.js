/**
 * Sending a file in pieces: goes on after lost connections, and after a reload where the last piece ended.
 */

/**
 * An upload as the API gives it: how many bytes have arrived, and how many a piece has.
 * @typedef {{ token: string, received: number, piece_bytes: number, size?: number }} Upload
 *
 * After one with `final` set, trying again is of no use.
 * @typedef {Error & { final?: boolean }} UploadError
 *
 * Each rejects with an UploadError.
 * @typedef {object} Server
 * @property {(file: File) => Promise<Upload>} begin
 * @property {(token: string) => Promise<Upload>} ask
 * @property {(token: string, offset: number, piece: Blob, progress: (sent: number) => void)
 *   => Promise<Upload>} add  `progress` is given how many bytes of the piece have gone out
 */

const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];


/**
 * What a file is known by when it is chosen again.
 * @param {File} file
 */
export const nameOf = (file) => `upload ${file.name} ${file.size} ${file.lastModified}`;

/**
 * Send all of `file`; resolves to the upload's token.
 *
 * `kept` remembers tokens, `report` is given how far it is, `pause` waits milliseconds.
 * @param {File} file
 * @param {{ server: Server, kept: Pick<Storage, "getItem" | "setItem" | "removeItem">,
 *   report: (state: { received: number, waiting: boolean }) => void,
 *   pause: (milliseconds: number) => Promise<unknown> }} options
 */
export async function sendInPieces(file, { server, kept, report, pause }) {
  const earlier = await resumed(file, server, kept);
  /** @type {Upload} */
  let upload = earlier ?? await server.begin(file);
  if (!earlier) kept.setItem(nameOf(file), upload.token);
  let failures = 0;
  while (upload.received < file.size) {
    report({ received: upload.received, waiting: false });
    try {
      const { token, received, piece_bytes: size } = upload;
      const progress = (/** @type {number} */ sent) => (
        report({ received: Math.min(received + sent, file.size), waiting: false }));
      upload = await server.add(token, received, file.slice(received, received + size), progress);
      failures = 0;
    } catch (error) {
      if (/** @type {UploadError} */ (error).final || failures >= WAITS.length) throw error;
      report({ received: upload.received, waiting: true });
      await pause(WAITS[failures]);
      failures += 1;
      // Perhaps the piece arrived and only the answer was lost.
      const known = upload;
      upload = await server.ask(known.token).catch((/** @type {UploadError} */ again) => {
        if (again.final) throw again;
        return known;
      });
    }
  }
  report({ received: upload.received, waiting: false });
  kept.removeItem(nameOf(file));
  return upload.token;
}

/** @param {File} file @param {Server} server @param {Pick<Storage, "getItem">} kept */
async function resumed(file, server, kept) {
  const token = kept.getItem(nameOf(file));
  if (!token) return null;
  try {
    const upload = await server.ask(token);
    return upload.size === file.size ? upload : null;
  } catch {
    return null;
  }
}
