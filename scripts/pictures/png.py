"""Small PNG files: 256 colours, all that text and lines have but for the edges of letters."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

COLOURS = 256
OFTEN = 192
"""So many of the colours are the most frequent ones, the rest as far from these and each other as can be."""
PIXELS = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let text = "";
  for (let at = 0; at < data.length; at += 9999) text += String.fromCharCode(...data.subarray(at, at + 9999));
  return [image.width, image.height, btoa(text)];
}"""


def shrink(png: bytes, blank: Page) -> bytes:
    """The picture in 256 colours; `blank` is a page without rules of content, in which it is unpacked."""
    width, height, pixels = blank.evaluate(PIXELS, base64.b64encode(png).decode())
    rgba = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(height, width, 4)
    return encode(rgba[..., :3])


def encode(rgb: NDArray[np.uint8]) -> bytes:
    """A PNG of pixels of shape (height, width, 3); to the letter where they have 256 colours or fewer."""
    height, width, _ = rgb.shape
    colours, places, counts = np.unique(rgb.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    chosen = choose(colours.astype(np.int64), counts)
    nearest = distances(colours.astype(np.int64), chosen).argmin(axis=1).astype(np.uint8)
    rows = nearest[places.reshape(-1)].reshape(height, width)
    data = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", chosen.astype(np.uint8).tobytes()), (b"IDAT", zlib.compress(data, 9)))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, body) for name, body in (*parts, (b"IEND", b"")))


def choose(colours: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """At most 256 rows of `colours`."""
    order = np.argsort(-counts, kind="stable")
    if len(order) <= COLOURS:
        return colours
    picked = list(order[:OFTEN])
    away = distances(colours, colours[picked]).min(axis=1)
    while len(picked) < COLOURS:
        picked.append(away.argmax())
        away = np.minimum(away, distances(colours, colours[picked[-1:]])[:, 0])
    return colours[picked]


def distances(some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
    """Squared distances between colours, of shape (some, others)."""
    difference: NDArray[np.int64] = some[:, None, :] - others[None, :, :]
    return (difference**2).sum(axis=2)


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
