"""Exact Jaccard of all pairs of texts: the yardstick of MinHash."""

import numpy as np
from numpy.typing import NDArray

from paragold.matching.kernels import get_kernels
from paragold.matching.minhash import require_threshold
from paragold.matching.pairs import ScoredPairs
from paragold.matching.word_sets import WordSets


def exact_pairs(
    sets: WordSets, threshold: float, *, split: int = 0, kernel: str | None = None
) -> ScoredPairs:
    """Every pair with |A n B| / |A u B| of `threshold` or more; texts without words are in none.

    With `split`, texts before it are compared with those from it on, else all with each other. Raises
    ValueError for a threshold that is not above 0: such pairs are all pairs.
    """
    require_threshold(threshold)
    return ScoredPairs.sorted(*get_kernels(kernel).similar_sets(sets.offsets, sets.codes, threshold, split))


def jaccard_of(sets: WordSets, pairs: ScoredPairs) -> NDArray[np.float64]:
    """The exact Jaccard of each pair, shape (pairs,), whatever its score is."""
    bounds, codes = sets.offsets.tolist(), sets.codes.tolist()
    words: dict[int, frozenset[int]] = {}

    def words_of(text: int) -> frozenset[int]:
        if text not in words:
            words[text] = frozenset(codes[bounds[text] : bounds[text + 1]])
        return words[text]

    values = np.empty(len(pairs))
    for index, (first, second) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        left, right = words_of(first), words_of(second)
        shared = len(left & right)
        values[index] = shared / max(len(left) + len(right) - shared, 1)
    return values
