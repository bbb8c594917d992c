"""Bootstrap intervals of precision, recall and AER, and a paired test between two systems.

Sentence pairs are what is drawn and exchanged, since links of one pair depend on each other. The test is
approximate randomisation (Noreen 1989, "Computer-Intensive Methods for Testing Hypotheses"): under the null
hypothesis either system could have drawn either link set of a pair, so the sets are exchanged at random.
Riezler & Maxwell (2005, "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT") found it
to err less often than the paired bootstrap, which takes the sample for the population.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.metrics.error_rate import LEVEL, RESAMPLES, count_links
from paragold.metrics.links import Link, Links, TokenPair, links_of_words

VERSION = 1
SHUFFLES = 5000
WORDS = ("all", "identical", "non_identical")
_DRAWS_AT_ONCE = 500_000

CountArray = NDArray[np.int64]
"""Shape (sentence pairs, 4): |A|, |S|, |A n P| and |A n S| of each, see `error_rate.Counts`."""
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Percentile bootstrap intervals, fractions from 0 to 1; None where no resample has a defined rate."""

    precision: Interval | None
    recall: Interval | None
    aer: Interval | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same gold links."""

    difference: float
    """AER of the first minus that of the second: below 0 the first is better."""
    interval: Interval | None
    """Bootstrap interval of the difference, both systems on the same resampled pairs."""
    p: float
    """Share of random exchanges with at least so large a difference, either way; above 0, at most 1."""


def pair_counts(scored: Sequence[Collection[Link]], gold: Sequence[Links]) -> CountArray:
    """The counts of each sentence pair. Raises ValueError when the two are not equally long."""
    counts = [count_links(links, reference) for links, reference in zip(scored, gold, strict=True)]
    return np.array(
        [(c.scored, c.sure, c.scored_possible, c.scored_sure) for c in counts], dtype=np.int64
    ).reshape(len(counts), 4)


def counts_by_words(
    scored: Sequence[Collection[Link]], gold: Sequence[Links], tokens: Sequence[TokenPair]
) -> dict[str, CountArray]:
    """The counts of all links, and of links between identical and non-identical words (WORDS)."""
    found = {"all": pair_counts(scored, gold)}
    for words, identical in (("identical", True), ("non_identical", False)):
        found[words] = pair_counts(
            [
                links_of_words(links, text.source, text.target, identical=identical)
                for links, text in zip(scored, tokens, strict=True)
            ],
            [
                reference.restricted_to(
                    links_of_words(reference.possible, text.source, text.target, identical=identical)
                )
                for reference, text in zip(gold, tokens, strict=True)
            ],
        )
    return found


def rates(totals: NDArray[np.int64]) -> NDArray[np.float64]:
    """Precision, recall and AER of summed counts (..., 4), as (..., 3); not a number where undefined."""
    drawn, sure, drawn_possible, drawn_sure = np.moveaxis(totals.astype(np.float64), -1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack(
            [
                drawn_possible / drawn,
                drawn_sure / sure,
                1 - (drawn_possible + drawn_sure) / (drawn + sure),
            ],
            axis=-1,
        )


def intervals(
    counts: CountArray, *, seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> Intervals:
    """Intervals of the corpus rates at `level` percent; the AER's is that of `error_rate.aer_interval`."""
    if len(counts) < 2 or resamples < 1:
        return Intervals(None, None, None)
    drawn = rates(_resampled(counts, seed, resamples))
    return Intervals(*(_percentiles(drawn[:, column], level) for column in range(3)))


def compare(
    first: CountArray,
    second: CountArray,
    *,
    seed: int,
    shuffles: int = SHUFFLES,
    resamples: int = RESAMPLES,
) -> Comparison | None:
    """The difference of two systems' AER on the same pairs in the same order, and its significance.

    None where either AER is undefined. Raises ValueError when the two are not of the same gold.
    """
    if first.shape != second.shape or not np.array_equal(first[:, 1], second[:, 1]):
        raise ValueError("only systems that were scored on the same gold links can be compared")
    one, other = rates(first.sum(axis=0))[2], rates(second.sum(axis=0))[2]
    if np.isnan(one) or np.isnan(other):
        return None
    drawn = _resampled(np.hstack([first, second]), seed, resamples) if len(first) > 1 else None
    interval = None
    if drawn is not None:
        interval = _percentiles(rates(drawn[:, :4])[:, 2] - rates(drawn[:, 4:])[:, 2], LEVEL)
    return Comparison(
        float(one - other), interval, _exchanged(first, second, abs(float(one - other)), seed, shuffles)
    )


def holm(ps: Sequence[float]) -> list[float]:
    """The p-values of one family of tests, corrected for their number (Holm 1979), in the same order.

    Whatever the tests have to do with each other: the chance that any of them errs stays below the level.
    """
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def subset(counts: Mapping[str, CountArray], pairs: Sequence[int]) -> dict[str, CountArray]:
    """The counts of some of the pairs, by words: of those in which a phenomenon was annotated, say."""
    return {words: table[list(pairs)] for words, table in counts.items()}


def _resampled(table: NDArray[np.int64], seed: int, resamples: int) -> NDArray[np.int64]:
    """Sums over pairs drawn with replacement, a row for each resample."""
    generator = np.random.Generator(np.random.PCG64(seed))
    block = max(1, _DRAWS_AT_ONCE // len(table))
    return np.concatenate(
        [
            table[generator.integers(len(table), size=(min(block, resamples - start), len(table)))].sum(
                axis=1
            )
            for start in range(0, resamples, block)
        ]
    )


def _exchanged(first: CountArray, second: CountArray, observed: float, seed: int, shuffles: int) -> float:
    """The share of exchanges that differ at least as much, what was observed being one of them."""
    generator = np.random.Generator(np.random.PCG64(seed))
    both, apart = (first + second).sum(axis=0), first - second
    at_least = 1
    block = max(1, _DRAWS_AT_ONCE // max(1, len(first)))
    for start in range(0, shuffles, block):
        kept = generator.integers(2, size=(min(block, shuffles - start), len(first)))
        # Summed over pairs: first + second is fixed, first - second changes its sign with each exchange.
        gap = (2 * kept - 1) @ apart
        differences = rates((both + gap) // 2)[:, 2] - rates((both - gap) // 2)[:, 2]
        at_least += int((np.abs(differences) >= observed - 1e-12).sum())
    return at_least / (shuffles + 1)


def _percentiles(values: NDArray[np.float64], level: float) -> Interval | None:
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    tail = (100 - level) / 2
    low, high = np.percentile(defined, (tail, 100 - tail))
    return float(low), float(high)
