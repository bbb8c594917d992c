"""Pairs of sentences of different articles of one cluster, drawn at random from all that there are."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from paragold.sampling.sampling import pseudo_random

SIGNATURE = "sentence-pairs|version:1|feistel-4"
ROUNDS = 4


class Place(NamedTuple):
    """A sentence: the index of its article in the cluster, its index in the article, both from 0."""

    article: int
    sentence: int


def pair_count(sizes: Sequence[int]) -> int:
    """How many pairs of sentences of different articles there are; `sizes` are sentences an article."""
    total = sum(sizes)
    return (total * total - sum(size * size for size in sizes)) // 2


def pair_at(sizes: Sequence[int], rank: int) -> tuple[Place, Place]:
    """The pair of that rank, 0 to `pair_count(sizes)` - 1, the article that stands first first.

    Raises IndexError for another rank.
    """
    if rank < 0:
        raise IndexError(rank)
    behind = sum(sizes)
    for article, size in enumerate(sizes):
        behind -= size
        if rank < size * behind:
            sentence, other = divmod(rank, behind)
            for later in range(article + 1, len(sizes)):
                if other < sizes[later]:
                    return Place(article, sentence), Place(later, other)
                other -= sizes[later]
        rank -= size * behind
    raise IndexError(rank)


def permuted(count: int, *, seed: int) -> Iterator[int]:
    """0 to `count` - 1, each once, in a pseudo-random order, without holding them in memory.

    A Feistel network over the next even number of bits is a permutation; what it puts past the end is
    sent through again (Black & Rogaway 2002, section 5: cycle walking).
    """
    half = max(1, (max(1, count - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1

    def shuffled(number: int) -> int:
        left, right = number >> half, number & mask
        for turn in range(ROUNDS):
            left, right = right, left ^ (pseudo_random(seed, turn, right) & mask)
        return left << half | right

    for number in range(count):
        found = shuffled(number)
        while found >= count:
            found = shuffled(found)
        yield found


def random_pairs(clusters: Mapping[str, Sequence[int]], *, seed: int) -> Iterator[tuple[str, Place, Place]]:
    """Every pair of sentences of different articles once, in an order that depends on seed and keys alone.

    `clusters` gives the sentences of each article, by the cluster's key. The first n are a random sample.
    """
    keys = sorted(clusters)
    ends = list(accumulate(pair_count(clusters[key]) for key in keys))
    for rank in permuted(ends[-1] if ends else 0, seed=seed):
        place = bisect_right(ends, rank)
        start = ends[place - 1] if place else 0
        yield keys[place], *pair_at(clusters[keys[place]], rank - start)
