"""Precision, recall and alignment error rate (AER) over a corpus, with intervals and a test.

Och & Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", section 4.2.
With A the links to be scored, S the SURE links and P the SURE and POSSIBLE ones of the gold standard:
precision = |A n P| / |A|, recall = |A n S| / |S|, AER = 1 - (|A n P| + |A n S|) / (|A| + |S|).

Two systems are compared by approximate randomisation (`paragold.statistics.randomisation_test`): Riezler &
Maxwell (2005, "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT") found it to err
less often than the paired bootstrap, which takes the sample for the population. Sentence pairs are what is
drawn and exchanged, since links of one pair depend on each other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from paragold.metrics.links import Link, Links, TokenPair, links_of_words
from paragold.metrics.word_lists import check_links
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

WORDS: Mapping[str, str] = MappingProxyType(
    {"all": "all words", "identical": "identical words", "non_identical": "non-identical words"}
)
"""Which links are counted, with the words for it: all, or those between (non-)identical words alone."""
CountArray = NDArray[np.int64]
"""Shape (sentence pairs, 4): |A|, |S|, |A n P| and |A n S| of each, see `Counts`."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The four sizes the rates are made of; over a corpus they are summed before anything is divided.

    All rates are fractions from 0 to 1, and None where they would divide by nothing.
    """

    scored: int
    """|A|"""
    sure: int
    """|S|"""
    scored_possible: int
    """|A n P|"""
    scored_sure: int
    """|A n S|"""

    @property
    def precision(self) -> float | None:
        """None when no link was drawn."""
        return self.scored_possible / self.scored if self.scored else None

    @property
    def recall(self) -> float | None:
        """None when the gold standard has no SURE link."""
        return self.scored_sure / self.sure if self.sure else None

    @property
    def aer(self) -> float | None:
        """None when neither side has a link to count; 1 when one side alone has."""
        size = self.scored + self.sure
        return 1 - (self.scored_possible + self.scored_sure) / size if size else None


@dataclass(frozen=True, slots=True)
class Score:
    """One row of an AER table: rates as fractions from 0 to 1, None where undefined."""

    counts: Counts
    pairs: int
    aer_interval: Interval | None
    """Bootstrap interval of the AER; None with fewer than two pairs or without a defined AER."""
    signature: str
    """How the numbers came about: metric and version, words, pairs, bootstrap, seed."""

    @property
    def precision(self) -> float | None:
        return self.counts.precision

    @property
    def recall(self) -> float | None:
        return self.counts.recall

    @property
    def aer(self) -> float | None:
        return self.counts.aer


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The scores of all links and, apart, of links between identical and non-identical words."""

    all: Score
    identical: Score
    non_identical: Score


def count_links(scored: Collection[Link], gold: Links) -> Counts:
    """The counts of one sentence pair; a link drawn twice counts once. Raises TypeError for a text."""
    check_links(scored)
    drawn = frozenset(scored)
    return Counts(len(drawn), len(gold.sure), len(drawn & gold.possible), len(drawn & gold.sure))


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
    counts = {"all": pair_counts(scored, gold)}
    for words, identical in (("identical", True), ("non_identical", False)):
        counts[words] = pair_counts(
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
    return counts


def aer_interval(
    counts: CountArray, *, seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> Interval | None:
    """Percentile bootstrap interval of the corpus AER, resampling sentence pairs with replacement.

    `level` is the coverage in percent. Resamples in which the AER is undefined are left out.
    None with fewer than two pairs, without resamples, or when no resample has a defined AER.
    """
    if len(counts) < 2 or resamples < 1:
        return None
    table = np.stack([counts[:, 0] + counts[:, 1], counts[:, 2] + counts[:, 3]], axis=1)
    drawn, right = resampled_sums(table, seed=seed, resamples=resamples).astype(np.float64).T
    with np.errstate(invalid="ignore", divide="ignore"):
        return percentile_interval(1 - right / drawn, level)


def score(
    scored: Sequence[Collection[Link]],
    gold: Sequence[Links],
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> Score:
    """Score one link set per sentence pair against the gold links of the same pairs, in the same order.

    Parameters
    ----------
    scored : sequence of collections of (source, target) indices from 0
        The links to be scored.
    gold : sequence of Links
    seed, resamples : int
        Of the bootstrap interval of the AER; 0 resamples for none.

    Returns
    -------
    Score
        Precision, recall and AER from 0 to 1, of the counts summed over all pairs.

    Raises
    ------
    ValueError
        The two are not equally long.

    References
    ----------
    Och & Ney (2003), section 4.2.
    """
    if len(scored) != len(gold):
        raise ValueError(f"{len(scored)} link sets to score, but {len(gold)} gold ones")
    return _score_of(pair_counts(scored, gold), "all", seed, resamples)


def _score_of(counts: CountArray, words: str, seed: int, resamples: int) -> Score:
    signature = (
        f"aer:och-ney-2003|version:{VERSION}|words:{words}|pairs:{len(counts)}"
        f"|bootstrap:percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"
    )
    interval = aer_interval(counts, seed=seed, resamples=resamples)
    return Score(Counts(*counts.sum(axis=0).tolist()), len(counts), interval, signature)


def score_table(
    scored: Sequence[Collection[Link]],
    gold: Sequence[Links],
    tokens: Sequence[TokenPair],
    *,
    seed: int,
    resamples: int = RESAMPLES,
) -> ScoreTable:
    """Score all links, and A, S and P restricted to links between identical and non-identical words.

    Identical means equal when lower-cased; see `score` for the parameters.

    Raises
    ------
    ValueError
        The three are not equally long, or a link points outside its sentences.
    """
    if not len(scored) == len(gold) == len(tokens):
        raise ValueError(f"{len(scored)} link sets to score, {len(gold)} gold ones, {len(tokens)} texts")
    for number, (links, reference, text) in enumerate(zip(scored, gold, tokens, strict=True), start=1):
        for drawn in (Links.of(links), reference):
            if (outside := drawn.first_outside(len(text.source), len(text.target))) is not None:
                raise ValueError(f"pair {number}: link {outside} points outside its sentences")

    counts = counts_by_words(scored, gold, tokens)
    return ScoreTable(*(_score_of(counts[words], words, seed, resamples) for words in WORDS))


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


def intervals(counts: CountArray, *, seed: int, resamples: int = RESAMPLES) -> Intervals:
    """Intervals of the corpus rates at LEVEL percent; the AER's is that of `aer_interval`."""
    if len(counts) < 2 or resamples < 1:
        return Intervals(None, None, None)
    drawn = rates(resampled_sums(counts, seed=seed, resamples=resamples))
    return Intervals(*(percentile_interval(drawn[:, column]) for column in range(3)))


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
    p = p_value(first, second, seed=seed, shuffles=shuffles)
    return Comparison(float(one - other), interval, p)


def p_value(first: CountArray, second: CountArray, *, seed: int, shuffles: int = SHUFFLES) -> float:
    """The p of `compare` alone, where both AERs are defined."""
    return randomisation_test(first, second, _aer_difference, seed=seed, shuffles=shuffles)


def _aer_difference(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(rates(first)[..., 2] - rates(second)[..., 2])


def percent(rate: float | None) -> float | None:
    """A rate as a percentage, rounded to four places; None stays None."""
    return None if rate is None else round(100 * rate, 4)
