"""Pairs of texts with a score."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ScoredPairs:
    """Pairs of different texts, each pair once, by falling score; ties by `first`, then `second`.

    first, second: int64, shape (pairs,), indices of texts, first < second; with two files the texts of the
    second are numbered after those of the first. scores: float64, shape (pairs,), from 0 to 1.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    scores: NDArray[np.float64]

    def __len__(self) -> int:
        return self.scores.size

    @classmethod
    def sorted(cls, first: NDArray[np.int64], second: NDArray[np.int64], scores: NDArray[np.float64]) -> Self:
        order = np.lexsort((second, first, -scores))
        return cls(first[order], second[order], scores[order])

    def at_least(self, threshold: float) -> Self:
        """The pairs whose score is `threshold` or more."""
        kept = int(np.count_nonzero(self.scores >= threshold))
        return type(self)(self.first[:kept], self.second[:kept], self.scores[:kept])


def one_partner_each(pairs: ScoredPairs) -> ScoredPairs:
    """Pairs taken by falling score, passing over those with a text that has a partner already.

    Chung & Knight, section 4. The pairs at or above a threshold are the same whether it is applied before or
    after.
    """
    taken: set[int] = set()
    kept = []
    for index, (first, second) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        if first not in taken and second not in taken:
            taken.update((first, second))
            kept.append(index)
    return ScoredPairs(pairs.first[kept], pairs.second[kept], pairs.scores[kept])
