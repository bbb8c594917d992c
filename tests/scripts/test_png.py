"""Pictures in 256 colours, read back by hand."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from scripts.pictures.png import encode


def decoded(png: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG with a palette and unfiltered rows."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        size, name = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += size + 12
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)[rows[:, 1:]]


def test_few_colours_stay_as_they_are() -> None:
    rgb = np.random.default_rng(1).integers(0, 6, (30, 40, 3)).astype(np.uint8) * 50
    assert (decoded(encode(rgb)) == rgb).all()


def test_of_many_the_frequent_ones_stay_and_the_others_come_near() -> None:
    rgb = np.zeros((64, 64, 3), np.uint8)
    rgb[:32, :, 0], rgb[:32, :, 1] = np.indices((32, 64)) * 4
    shown = decoded(encode(rgb))
    assert (shown[32:] == 0).all()
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) == 256
    assert np.abs(shown.astype(int) - rgb).max() <= 60
