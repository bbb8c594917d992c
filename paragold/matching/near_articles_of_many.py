"""Nearly equal articles among hundreds or thousands: MinHash says which pairs to look at.

The shingles that all of a thousand copies share would be counted half a million times each; equal keys of
signatures are counted at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from paragold.matching.kernels import get_kernels
from paragold.matching.minhash import signatures
from paragold.matching.near_articles import LEAST_SHARE
from paragold.matching.pairs import ScoredPairs
from paragold.matching.shingle_codes import Codes
from paragold.matching.word_sets import WordSets

PERMUTATIONS = 128
# Standard deviations that the estimate may lie below what is looked for.
_SLACK = 3.0
_PAIRS_AT_ONCE = 1 << 21


def near_articles_of_many(
    articles: Sequence[Codes], *, least: float = LEAST_SHARE, kernel: str | None = None
) -> ScoredPairs:
    """As `near_pairs`, for thousands of articles: pairs by their places, with the share as their score.

    Shares are exact; a pair is missed where its estimate is very low. A pair is looked at whose equal keys
    are at most three standard deviations fewer than those of the Jaccard that `least` comes to with the
    sizes of the two: about one pair of a thousand just at `least` is missed, and fewer above it. Where one
    article is more than ten times as long as the other, more may be.
    """
    sets = _word_sets(articles)
    kernels = get_kernels(kernel)
    found: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = []
    for first, second in _candidates(sets, least, kernel):
        shared = kernels.shared_words(sets.offsets, sets.codes, first, second)
        shares = shared / np.minimum(sets.sizes[first], sets.sizes[second])
        near = shares >= least
        found.append((first[near], second[near], shares[near]))
    if not found:
        return ScoredPairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    joined = [np.concatenate(arrays) for arrays in zip(*found, strict=True)]
    return ScoredPairs.sorted(joined[0], joined[1], joined[2])


def _word_sets(articles: Sequence[Codes]) -> WordSets:
    """The codes of 64 bits as those of word sets, from 0; which is which is not kept."""
    offsets = np.zeros(len(articles) + 1, np.int64)
    np.cumsum([own.size for own in articles], out=offsets[1:])
    drawn = np.concatenate(articles) if articles else np.empty(0, np.uint64)
    names, numbers = np.unique(drawn, return_inverse=True)
    offsets, codes, _ = get_kernels().rarest_first(offsets, numbers.astype(np.int32), len(names))
    return WordSets(codes, offsets, ())


def _candidates(
    sets: WordSets, least: float, kernel: str | None
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    keys = signatures(sets, PERMUTATIONS, kernel=kernel)
    kernels = get_kernels(kernel)
    places = np.flatnonzero(sets.sizes)
    height = max(1, _PAIRS_AT_ONCE // max(places.size, 1))
    for start in range(0, places.size, height):
        block, beyond = places[start : start + height], places[start + 1 :]
        equal = kernels.equal_keys(keys[block], keys[beyond])
        row, column = np.nonzero(equal >= _needed(sets.sizes[block], sets.sizes[beyond], least))
        first, second = block[row], beyond[column]
        yield first[first < second], second[first < second]


def _needed(first: NDArray[np.int64], second: NDArray[np.int64], least: float) -> NDArray[np.float64]:
    """The least number of equal keys for each two sizes, shape (first, second)."""
    shorter = np.minimum(first[:, None], second)
    shared = least * shorter
    jaccard = shared / (first[:, None] + second - shared)
    expected = PERMUTATIONS * jaccard
    found: NDArray[np.float64] = np.maximum(1.0, expected - _SLACK * np.sqrt(expected * (1 - jaccard)))
    return found
