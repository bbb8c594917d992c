"""Similar pairs of a whole corpus: texts with a band of equal keys are candidates, their Jaccard is exact.

With bands of r keys, a pair of Jaccard s has a band in common with probability 1 - (1 - s^r)^b for b bands.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.matching.kernels import get_kernels
from paragold.matching.minhash import draw_permutations, keys_under, require_threshold
from paragold.matching.pairs import ScoredPairs
from paragold.matching.word_sets import WordSets

# Odd, so that multiplication loses nothing; from the golden ratio.
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LONGEST_BAND = 8
# A line of the processor's cache holds sixteen keys.
_KEYS_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Banding:
    """`bands` bands of `rows` keys each."""

    bands: int
    rows: int

    def recall(self, similarity: float) -> float:
        """The chance, from 0 to 1, that a pair of this Jaccard is found."""
        chance: float = 1 - (1 - similarity**self.rows) ** self.bands
        return chance


def banding_for(threshold: float, *, recall: float = 0.97, permutations: int = 256) -> Banding:
    """The longest bands that find pairs at the threshold with a chance of `recall`, in as few as do.

    Longer bands have fewer false candidates. `permutations` bounds bands * rows, but for bands of one row,
    which take what they need. Raises ValueError for shares outside (0, 1].
    """
    require_threshold(threshold)
    if not 0 < recall < 1:
        raise ValueError(f"The recall is {recall}: give one between 0 and 1.")
    if threshold == 1:
        return Banding(1, min(permutations, _LONGEST_BAND))
    rows = 1
    while _bands_needed(threshold, rows + 1, recall) * (rows + 1) <= permutations:
        rows += 1
    return Banding(_bands_needed(threshold, rows, recall), rows)


def _bands_needed(threshold: float, rows: int, recall: float) -> int:
    return int(np.ceil(np.log1p(-recall) / np.log1p(-(threshold**rows))))


def banded_pairs(
    sets: WordSets,
    threshold: float,
    *,
    split: int = 0,
    banding: Banding | None = None,
    seed: int = 1,
    kernel: str | None = None,
) -> ScoredPairs:
    """Pairs with an exact Jaccard of `threshold` or more among those with an equal band; some are missed.

    How many is told by `Banding.recall`; the default finds 97 % of the pairs just at the threshold and
    more of those above. Raises ValueError for a threshold that is not above 0.
    """
    require_threshold(threshold)
    kernels = get_kernels(kernel)
    banding = banding or banding_for(threshold)
    with_words = np.flatnonzero(sets.sizes)
    codes = np.empty((0,), np.int64)
    jaccard = np.empty(0)
    texts = len(sets)
    random = np.random.default_rng(seed)
    at_once = max(1, _KEYS_AT_ONCE // banding.rows)
    for start in range(0, banding.bands, at_once):
        columns = banding.rows * min(at_once, banding.bands - start)
        # A few bands at a time: the keys of all are never held.
        keys = keys_under(sets, draw_permutations(columns, random), kernel)[with_words]
        for column in range(0, keys.shape[1], banding.rows):
            members, bounds = _groups(keys[:, column : column + banding.rows], with_words)
            first, second, scores = kernels.similar_in_groups(
                sets.offsets, sets.codes, members, bounds, threshold, split
            )
            codes, places = np.unique(np.concatenate((codes, first * texts + second)), return_index=True)
            jaccard = np.concatenate((jaccard, scores))[places]
    first, second = np.divmod(codes, max(texts, 1))
    return ScoredPairs.sorted(first, second, jaccard)


def _groups(
    keys: NDArray[np.uint32], texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Texts whose keys are all equal, two or more a group, and where groups begin and end.

    Keys are mixed into 64 bits: should two different bands ever get the same, a false candidate is verified.
    """
    mixed = np.zeros(len(keys), np.uint64)
    for column in keys.T:
        mixed = (mixed ^ column) * _MULTIPLIER
        mixed ^= mixed >> np.uint64(29)
    order = np.argsort(mixed)
    mixed = mixed[order]
    starts = np.flatnonzero(np.concatenate(([True], mixed[1:] != mixed[:-1]))) if mixed.size else order
    lengths = np.diff(np.append(starts, mixed.size))
    shared = lengths > 1
    members = texts[order[np.repeat(shared, lengths)]]
    owners = np.repeat(np.arange(np.count_nonzero(shared)), lengths[shared])
    bounds = np.concatenate(([0], np.cumsum(lengths[shared]))).astype(np.int64)
    return members[np.lexsort((members, owners))], bounds
