"""Which pairs belong together, and folds that keep them together.

Pairs of one cluster belong together, and those that share a sentence: nothing that is learned from one group
is in another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.records import sentence_bytes
from paragold.metrics.links import LinkedPair

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


FOLDS = 5
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def groups_of(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[int]:
    """The group of each pair of token lists: pairs that share a sentence are in one."""
    numbers = group_numbers([sentence_key(" ".join(tokens)) for tokens in pair] for pair in pairs)
    return [int(number) for number in numbers]


def apart_from(
    gold: Iterable[LinkedPair], pairs: Iterable[tuple[Sequence[str], Sequence[str]]]
) -> list[LinkedPair]:
    """The pairs of `gold` that share no sentence with `pairs`."""
    known = {sentence_key(" ".join(tokens)) for pair in pairs for tokens in pair}
    return [
        linked
        for linked in gold
        if known.isdisjoint(
            sentence_key(" ".join(tokens)) for tokens in (linked.tokens.source, linked.tokens.target)
        )
    ]


def folds(groups: Sequence[int], *, seed: int) -> list[list[int]]:
    """At most FOLDS parts of the numbers 0 to n - 1, each in ascending order; no group is divided.

    Parts are as even as whole groups allow: large groups first, those of equal size in an order drawn by
    `seed`, each to the smallest part.

    Parameters
    ----------
    groups : sequence of int, of length n
        The group of each pair, numbered from 0; see `groups_of`.
    seed : int
        Random seed.
    """
    members: list[list[int]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for number, group in enumerate(groups):
        members[group].append(number)
    drawn = np.random.default_rng(seed).permutation(len(members)).tolist()
    parts: list[list[int]] = [[] for _ in range(min(FOLDS, len(members)))]
    for group in sorted(drawn, key=lambda group: -len(members[group])):
        min(parts, key=len).extend(members[group])
    return [sorted(part) for part in parts]


def curve_sizes(parts: Sequence[Sequence[int]]) -> list[int]:
    """Numbers of gold pairs to learn from; the last is what all parts but the largest one hold.

    Empty where that is fewer than three pairs.
    """
    largest = sum(map(len, parts)) - max(map(len, parts), default=0)
    if largest < 3:
        return []
    return [*(size for size in SIZES if size < 0.9 * largest), largest]
