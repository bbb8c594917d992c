"""Which pairs belong together: those of one cluster, and those that share a sentence.

Nothing that is learned from one group is in another, so splits and folds keep groups whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.content_keys import sentence_bytes

Integers = NDArray[np.int64]


def sentence_key(tokens: str) -> int:
    """A number for a sentence of tokens separated by spaces, equal where they are equal in lower case.

    It has 64 bits: two sentences that share one by chance only make a group larger.
    """
    digest = blake2b(sentence_bytes(tokens.lower().split(" ")), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def group_numbers(pairs: Iterable[Iterable[Hashable]]) -> Integers:
    """The group of each pair, (n,), numbered from 0 in the order in which they appear.

    Each pair is given by what it must share with no other group: its sentences, its clusters.
    """
    numbers: dict[Hashable, int] = {}
    first, second, count = [], [], 0
    for marks in pairs:
        for mark in marks:
            first.append(count)
            second.append(numbers.setdefault(mark, len(numbers)))
        count += 1
    labels = connected(
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64) + count,
        count + len(numbers),
    )[:count]
    _, places, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(places))[inverse]


def connected(first: Integers, second: Integers, count: int) -> Integers:
    """The number of the connected component of each of `count` nodes; edge i joins first[i] and second[i]."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    edges = coo_matrix((np.ones(len(first), dtype=np.int32), (first, second)), shape=(count, count))
    labels: Integers = connected_components(edges, directed=False)[1].astype(np.int64)
    return labels
