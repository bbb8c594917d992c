"""Proposed pairs against an answer key: scores by threshold, and the figures of a study.

A method of matching is studied as in Chung & Knight, section 5: curves, scatter, time against n.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from paragold.matching.similar_pairs import (
    ScoredPairs,
    estimated_pairs,
    exact_pairs,
    one_partner_each,
    signatures,
)
from paragold.matching.word_sets import WordSets, word_sets


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

    precision = right / proposed (1 if nothing is proposed), recall = right / pairs of the key.
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
    rows_with_pair = np.zeros(len(pairs) + 1, np.int64)
    seen: set[int] = set()
    for index, pair in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        rows = key.pairs.get(pair, ())
        seen.update(rows)
        right[index + 1] = bool(rows)
        rows_with_pair[index + 1] = len(seen)
    right = np.cumsum(right)
    return [_score(threshold, pairs.scores, right, rows_with_pair, key) for threshold in thresholds]


def _score(
    threshold: float,
    scores: NDArray[np.float64],
    right: NDArray[np.int64],
    rows_with_pair: NDArray[np.int64],
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
        int(rows_with_pair[proposed]) / max(key.rows, 1),
    )


def best_f(curve: Iterable[Score]) -> Score:
    """The score with the highest F over pairs; among equal ones the one with the highest threshold."""
    return max(curve, key=lambda score: (score.f, score.threshold))


def best_row_f(curve: Iterable[Score]) -> Score:
    """As `best_f`, with recall over rows."""
    return max(curve, key=lambda score: (score.row_f, score.threshold))


EXACT = "exact"
PERMUTATIONS = (16, 64, 128, 256, 1024)
LOWEST_THRESHOLD = 0.1
THRESHOLDS = tuple(step / 100 for step in range(10, 101))
# The threshold at which the paper reports its precision with one partner each.
PAPERS_THRESHOLD = 0.33
SCATTER_A_BIN = 60
BINS = 10
TIMED_PARTS = (0.125, 0.25, 0.5, 0.75, 1.0)
TIMED_THRESHOLD = PAPERS_THRESHOLD
REPEATS = 3


@dataclass(frozen=True, slots=True)
class StudyTexts:
    """The content words of each text, those of the first of two files first; `split` is how many it has."""

    words: list[list[str]]
    split: int

    def part(self, share: float) -> StudyTexts:
        """The first texts of each file."""
        files = [self.words[: self.split], self.words[self.split :]]
        parts = [file[: round(share * len(file))] for file in files]
        return StudyTexts(parts[0] + parts[1], len(parts[0]))

    def __len__(self) -> int:
        return len(self.words)


def pairs_by(method: str, sets: WordSets, threshold: float, *, split: int, seed: int) -> ScoredPairs:
    """The pairs at or above a threshold by EXACT, or by MinHash with `method` permutations."""
    if method == EXACT:
        return exact_pairs(sets, threshold, split=split)
    return estimated_pairs(sets, threshold, split=split, permutations=int(method), seed=seed)


def quality(texts: StudyTexts, key: AnswerKey, method: str, *, seed: int) -> dict[str, Any]:
    """Scores at each of THRESHOLDS, with any number of partners and with one, as values that JSON can hold.

    Curves are lists of [threshold, proposed, right, precision, recall, F, row recall, row F].
    """
    pairs = pairs_by(method, word_sets(texts.words), LOWEST_THRESHOLD, split=texts.split, seed=seed)
    curve = score_curve(pairs, key, THRESHOLDS)
    greedy = score_curve(one_partner_each(pairs), key, THRESHOLDS)
    return {
        "curve": [as_row(score) for score in curve],
        "one_partner": [as_row(score) for score in greedy],
        "best": asdict(best_f(curve)),
        "best_by_rows": asdict(best_row_f(curve)),
        "best_one_partner": asdict(best_f(greedy)),
        "paper_one_partner": asdict(next(one for one in greedy if one.threshold == PAPERS_THRESHOLD)),
    }


def as_row(score: Score) -> list[float]:
    shares = (score.precision, score.recall, score.f, score.row_recall, score.row_f)
    return [score.threshold, score.proposed, score.right, *(round(share, 6) for share in shares)]


def scatter(texts: StudyTexts, permutations: int, *, seed: int) -> dict[str, Any]:
    """Estimates beside the truth (figures 4 and 5): points [Jaccard, estimate] of pairs drawn by seed.

    As many pairs, at most, in each tenth of Jaccard from LOWEST_THRESHOLD on. `bias` is the mean of the
    errors (estimate - truth), `deviation` the root of their mean square, `expected` the same by
    sqrt(J (1 - J) / m).
    """
    sets = word_sets(texts.words)
    truth = exact_pairs(sets, LOWEST_THRESHOLD, split=texts.split)
    random = np.random.default_rng(seed)
    bins = np.minimum((truth.scores * BINS).astype(np.int64), BINS - 1)
    drawn = [
        random.permutation(members)[:SCATTER_A_BIN]
        for members in (np.flatnonzero(bins == number) for number in range(BINS))
    ]
    chosen = np.sort(np.concatenate(drawn))
    keys = signatures(sets, permutations, seed)
    estimates = np.array(
        [np.mean(keys[a] == keys[b]) for a, b in zip(truth.first[chosen], truth.second[chosen], strict=True)],
        dtype=np.float64,
    )
    jaccard = truth.scores[chosen]
    errors = estimates - jaccard
    if not chosen.size:
        return {"points": [], "bias": None, "deviation": None, "expected": None}
    return {
        "points": np.round(np.stack((jaccard, estimates), axis=1), 4).tolist(),
        "bias": float(errors.mean()),
        "deviation": float(np.sqrt((errors**2).mean())),
        "expected": float(np.sqrt((jaccard * (1 - jaccard) / permutations).mean())),
    }


def times(
    texts: StudyTexts, method: str, *, seed: int, clock: Callable[[], float] = time.process_time
) -> list[list[float]]:
    """Seconds of the processor for the first n texts: [n, seconds] for each of TIMED_PARTS (figure 10).

    From sets of words to the pairs at TIMED_THRESHOLD, the minimum of REPEATS runs.
    """
    parts = [texts.part(share) for share in TIMED_PARTS]
    rows: list[list[float]] = []
    # The first call may have to wait for the kernel to be compiled.
    pairs_by(method, word_sets(parts[0].words), TIMED_THRESHOLD, split=parts[0].split, seed=seed)
    for part in parts:
        sets = word_sets(part.words)
        taken = []
        for _ in range(REPEATS):
            started = clock()
            pairs_by(method, sets, TIMED_THRESHOLD, split=part.split, seed=seed)
            taken.append(clock() - started)
        rows.append([len(part), round(min(taken), 6)])
    return rows


CURVE_COLUMNS = (
    *("method", "partners", "threshold", "proposed", "right"),
    *("precision", "recall", "f", "row_recall", "row_f"),
)
SCATTER_COLUMNS = ("permutations", "jaccard", "estimate")
TIMES_COLUMNS = ("method", "texts", "seconds")


def tables(figures: dict[str, Any]) -> dict[str, list[Sequence[Any]]]:
    """All figures as tables with a head, by name: curves, scatter, times.

    figures: "quality", "scatter" and "times", each by method.
    """
    curves: list[Sequence[Any]] = [CURVE_COLUMNS]
    for method, numbers in figures["quality"].items():
        for partners in ("curve", "one_partner"):
            name = "any" if partners == "curve" else "one"
            curves += [(method, name, *row) for row in numbers[partners]]
    points: list[Sequence[Any]] = [SCATTER_COLUMNS]
    for method, numbers in figures["scatter"].items():
        points += [(method, *row) for row in numbers["points"]]
    seconds: list[Sequence[Any]] = [TIMES_COLUMNS]
    for method, rows in figures["times"].items():
        seconds += [(method, *row) for row in rows]
    return {"curves": curves, "scatter": points, "times": seconds}
