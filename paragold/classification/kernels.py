"""The inner loop of linking words, compiled by Numba: importing this takes half a second and 80 MB."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.parallel import compiled

Array = NDArray[Any]


@compiled
def link_greedily(rows: Array, first: Array, second: Array, words: int) -> Array:
    """Which candidates are linked where each word of a pair of sentences is linked at most once.

    rows, first, second: (k,) the pair of sentences of each candidate, ascending, and its word on either
    side, the best candidates of a row first. words: the size of the vocabulary. Returns flags, (k,).
    """
    linked = np.zeros(rows.size, np.bool_)
    # By word the last row in which it was linked.
    last_first = np.full(words, -1, np.int64)
    last_second = np.full(words, -1, np.int64)
    for number in range(rows.size):
        row = rows[number]
        if last_first[first[number]] != row and last_second[second[number]] != row:
            last_first[first[number]] = row
            last_second[second[number]] = row
            linked[number] = True
    return linked
