/** Sending a file in pieces: goes on after lost connections, and after a reload where the last piece ended. */

const WAITS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/** What a file is known by when it is chosen again. */
export const nameOf = (file) => `upload ${file.name} ${file.size} ${file.lastModified}`;

/**
 * Send all of `file`; resolves to the upload's token.
 *
 * `server` has begin(file), ask(token) and add(token, offset, blob), which resolve to {token, received, piece_bytes}
 * or throw: an error with `final` set is not tried again. `kept` remembers tokens (like localStorage), `tell` is given
 * {received, waiting}, `pause` waits milliseconds.
 */
export async function sendInPieces(file, { server, kept, tell, pause }) {
  let upload = await resumed(file, server, kept);
  if (!upload) {
    upload = await server.begin(file);
    kept.setItem(nameOf(file), upload.token);
  }
  let failures = 0;
  while (upload.received < file.size) {
    tell({ received: upload.received, waiting: false });
    try {
      const piece = file.slice(upload.received, upload.received + upload.piece_bytes);
      upload = await server.add(upload.token, upload.received, piece);
      failures = 0;
    } catch (error) {
      if (error.final || failures >= WAITS.length) throw error;
      tell({ received: upload.received, waiting: true });
      await pause(WAITS[failures]);
      failures += 1;
      // Perhaps the piece arrived and only the answer was lost.
      upload = await server.ask(upload.token).catch((again) => { if (again.final) throw again; return upload; });
    }
  }
  tell({ received: upload.received, waiting: false });
  kept.removeItem(nameOf(file));
  return upload.token;
}

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
