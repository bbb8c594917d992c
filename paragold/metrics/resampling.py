"""Bootstrap intervals of precision, recall and AER, and a paired test between two systems.

Sentence pairs are what is drawn and exchanged, since links of one pair depend on each other. The test is
approximate randomisation (`paragold.statistics.randomisation_test`).
Riezler & Maxwell (2005, "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT") found it
to err less often than the paired bootstrap, which takes the sample for the population.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.metrics.error_rate import count_links
from paragold.metrics.links import Link, Links, TokenPair, links_of_words
from paragold.statistics import (
    LEVEL,
    RESAMPLES,
    SHUFFLES,
    Interval,
    percentile_interval,
    randomisation_test,
    resampled_sums,
)

VERSION = 1
WORDS = ("all", "identical", "non_identical")

CountArray = NDArray[np.int64]
"""Shape (sentence pairs, 4): |A|, |S|, |A n P| and |A n S| of each, see `error_rate.Counts`."""


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
    drawn = rates(resampled_sums(counts, seed=seed, resamples=resamples))
    return Intervals(*(percentile_interval(drawn[:, column], level) for column in range(3)))


def compare(
    first: CountArray,
    second: CountArray,
    *,
    seed: int,
    shuffles: int = SHUFFLES,
    resamples: int = RESAMPLES,
) -> Comparison | None:
    """The difference of two systems' AER on the same pairs in the same order, and its significance.

    Parameters
    ----------
    first, second : arrays of shape (sentence pairs, 4)
        The counts of each pair, as `pair_counts` gives them.
    seed, shuffles, resamples : int
        Of the test, and of the interval of the difference.

    Returns
    -------
    Comparison or None
        None where either AER is undefined.

    Raises
    ------
    ValueError
        The two are not of the same gold links.

    References
    ----------
    Noreen (1989); Riezler & Maxwell (2005).
    """
    if first.shape != second.shape or not np.array_equal(first[:, 1], second[:, 1]):
        raise ValueError("only systems that were scored on the same gold links can be compared")
    one, other = rates(first.sum(axis=0))[2], rates(second.sum(axis=0))[2]
    if np.isnan(one) or np.isnan(other):
        return None
    interval = None
    if len(first) > 1:
        drawn = resampled_sums(np.hstack([first, second]), seed=seed, resamples=resamples)
        interval = percentile_interval(_aer_difference(drawn[:, :4], drawn[:, 4:]))
    p = randomisation_test(first, second, _aer_difference, seed=seed, shuffles=shuffles)
    return Comparison(float(one - other), interval, p)


def _aer_difference(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(rates(first)[..., 2] - rates(second)[..., 2])


def subset(counts: Mapping[str, CountArray], pairs: Sequence[int]) -> dict[str, CountArray]:
    """The counts of some of the pairs, by words: of those in which a phenomenon was annotated, say."""
    return {words: table[list(pairs)] for words, table in counts.items()}
