"""Proposed pairs against an answer key, threshold by threshold."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from paragold.matching.similar_pairs import ScoredPairs


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """F with the weight `beta` on recall; 0 where both are 0."""
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """Which texts correspond: rows of indices of texts, and all pairs within a row.

    `pairs` maps (first, second), first < second, to the rows that hold both. With two files only pairs of a
    text of each count.
    """

    pairs: dict[tuple[int, int], tuple[int, ...]]
    rows: int

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]], split: int = 0) -> Self:
        """`split` is how many texts the first of two files has, 0 for one file."""
        rows_of_pair: dict[tuple[int, int], list[int]] = defaultdict(list)
        count = 0
        for row in rows:
            held = [
                (first, second)
                for first, second in combinations(sorted(set(row)), 2)
                if not split or first < split <= second
            ]
            for pair in held:
                rows_of_pair[pair].append(count)
            count += bool(held)
        return cls({pair: tuple(places) for pair, places in rows_of_pair.items()}, count)


@dataclass(frozen=True, slots=True)
class Score:
    """The pairs at or above a threshold against the key; shares are from 0 to 1.

    precision = right / proposed (1 where nothing is proposed), recall = right / pairs of the key.
    `row_recall` is the share of rows with at least one pair proposed: a row that joins three texts to one
    counts once.
    """

    threshold: float
    proposed: int
    right: int
    precision: float
    recall: float
    row_recall: float
    f: float = field(init=False)
    row_f: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "f", f_score(self.precision, self.recall))
        object.__setattr__(self, "row_f", f_score(self.precision, self.row_recall))


def score_curve(pairs: ScoredPairs, key: AnswerKey, thresholds: Iterable[float]) -> list[Score]:
    """The score at each threshold. Pairs below the minimum threshold should not be missing from `pairs`."""
    right = np.zeros(len(pairs) + 1, np.int64)
    rows_found = np.zeros(len(pairs) + 1, np.int64)
    seen: set[int] = set()
    for index, pair in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        rows = key.pairs.get(pair, ())
        seen.update(rows)
        right[index + 1] = bool(rows)
        rows_found[index + 1] = len(seen)
    right = np.cumsum(right)
    return [_score(threshold, pairs.scores, right, rows_found, key) for threshold in thresholds]


def _score(
    threshold: float,
    scores: NDArray[np.float64],
    right: NDArray[np.int64],
    rows_found: NDArray[np.int64],
    key: AnswerKey,
) -> Score:
    proposed = int(np.count_nonzero(scores >= threshold))
    hits = int(right[proposed])
    return Score(
        threshold,
        proposed,
        hits,
        hits / proposed if proposed else 1.0,
        hits / max(len(key.pairs), 1),
        int(rows_found[proposed]) / max(key.rows, 1),
    )


def best_f(curve: Iterable[Score]) -> Score:
    """The score with the highest F over pairs; among equal ones the one with the highest threshold."""
    return max(curve, key=lambda score: (score.f, score.threshold))


def best_row_f(curve: Iterable[Score]) -> Score:
    """As `best_f`, with recall over rows."""
    return max(curve, key=lambda score: (score.row_f, score.threshold))
