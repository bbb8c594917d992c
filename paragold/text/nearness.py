"""Pairs of sentences that are near by their vectors: exact, by blocks of products in float32."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from paragold.arrays import Float32s, Floats, Integers
from paragold.text.encoder import one_thread

COLUMNS_AT_ONCE = 8_192
"""With rows by a few hundred a block of cosines takes some megabytes."""
_DIGITS = 4
"""Of a cosine: its last bits depend on the processor."""


def near_blocks(
    vectors: Float32s, stretches: Iterable[range], minimum: float
) -> Iterator[tuple[Integers, Integers, Floats]]:
    """All pairs a < b of n sentences, a in one of the stretches, of a cosine from `minimum` on.

    vectors: (n, size), each of length 1. Yields a, b and cosines of blocks, in no order.
    """
    with one_thread():
        for rows in stretches:
            for start in range(rows.start - rows.start % COLUMNS_AT_ONCE, len(vectors), COLUMNS_AT_ONCE):
                columns = slice(start, start + COLUMNS_AT_ONCE)
                cosines = np.round(
                    (vectors[rows.start : rows.stop] @ vectors[columns].T).astype(float), _DIGITS
                )
                a, b = np.nonzero(cosines >= minimum)
                found = cosines[a, b]
                a, b = a + rows.start, b + start
                later = a < b
                yield a[later], b[later], found[later]
