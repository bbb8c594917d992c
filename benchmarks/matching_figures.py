"""Figures 4 to 10 of Chung & Knight on two files and their answer key, as tab-separated files.

    python -m benchmarks.matching_figures FIRST.tsv SECOND.tsv KEY.tsv FOLDER [--seed 1]

Written are `curves.tsv` (figures 6 to 9: precision, recall and F by threshold, with any number of partners
and with one), `scatter.tsv` (figures 4 and 5: estimates beside the truth) and `times.tsv` (figure 10: seconds
of the processor by the number of texts; with dummy texts: `benchmarks.figure_10`).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paragold.formats.tables import write_tsv
from paragold.matching.files import AnswerKey, answer_key_of, best, read_files, score_curve
from paragold.matching.similar_pairs import (
    ScoredPairs,
    WordSets,
    content_words,
    estimated_pairs,
    exact_pairs,
    one_partner_each,
    signatures,
    word_sets,
)

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
        "curve": curve.round(6).to_numpy(object).tolist(),
        "one_partner": greedy.round(6).to_numpy(object).tolist(),
        "best": best(curve).to_dict(),
        "best_by_rows": best(curve, by="row_f").to_dict(),
        "best_one_partner": best(greedy).to_dict(),
        "paper_one_partner": greedy[greedy["threshold"] == PAPERS_THRESHOLD].iloc[0].to_dict(),
    }


def scatter(texts: StudyTexts, permutations: int, *, seed: int) -> dict[str, Any]:
    """Estimates beside the truth (figures 4 and 5): points [Jaccard, estimate] of pairs drawn by seed.

    As many pairs, at most, in each tenth of Jaccard from LOWEST_THRESHOLD on. `bias` is the mean of the
    errors (estimate - truth), `deviation` the root of their mean square, `expected` the same by
    sqrt(J (1 - J) / m).
    """
    sets = word_sets(texts.words)
    truth = exact_pairs(sets, LOWEST_THRESHOLD, split=texts.split)
    random = np.random.default_rng(seed)
    bins = np.minimum((truth["score"] * BINS).astype(np.int64), BINS - 1)
    drawn = [
        random.permutation(members)[:SCATTER_A_BIN]
        for members in (np.flatnonzero(bins == number) for number in range(BINS))
    ]
    chosen = np.sort(np.concatenate(drawn))
    keys = signatures(sets, permutations, seed)
    estimates = np.array(
        [np.mean(keys[a] == keys[b]) for a, b, _ in truth[chosen].tolist()],
        dtype=np.float64,
    )
    jaccard = truth["score"][chosen]
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs=2, type=Path)
    parser.add_argument("key", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    files = read_files(options.files)
    key = answer_key_of(options.key, files)
    texts = StudyTexts([content_words(text) for file in files for text in file.values()], len(files[0]))
    methods = [EXACT, *map(str, PERMUTATIONS)]
    figures = {
        "quality": {method: quality(texts, key, method, seed=options.seed) for method in methods},
        "scatter": {str(number): scatter(texts, number, seed=options.seed) for number in PERMUTATIONS},
        "times": {method: times(texts, method, seed=options.seed) for method in methods},
    }
    options.folder.mkdir(exist_ok=True)
    for name, (head, *rows) in tables(figures).items():
        cells = [tuple(str(cell) for cell in row) for row in rows]
        write_tsv(options.folder / f"{name}.tsv", tuple(head), cells)


if __name__ == "__main__":
    main()
