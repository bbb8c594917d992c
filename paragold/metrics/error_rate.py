"""Precision, recall and alignment error rate (AER) over a corpus, with a bootstrap interval.

Och & Ney (2003), "A Systematic Comparison of Various Statistical Alignment Models", section 4.2.
With A the links to be scored, S the SURE links and P the SURE and POSSIBLE ones of the gold standard:
precision = |A n P| / |A|, recall = |A n S| / |S|, AER = 1 - (|A n P| + |A n S|) / (|A| + |S|).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from paragold.metrics.links import Link, Links, TokenPair, links_of_words
from paragold.statistics import LEVEL, RESAMPLES, percentile_interval, resampled_sums

VERSION = 1

Words = Literal["all", "identical", "non_identical"]


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
    aer_interval: tuple[float, float] | None
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
    """The counts of one sentence pair; a link drawn twice counts once."""
    drawn = frozenset(scored)
    return Counts(len(drawn), len(gold.sure), len(drawn & gold.possible), len(drawn & gold.sure))


def aer_interval(
    counts: Sequence[Counts], *, seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> tuple[float, float] | None:
    """Percentile bootstrap interval of the corpus AER, resampling sentence pairs with replacement.

    `level` is the coverage in percent. Resamples in which the AER is undefined are left out.
    None with fewer than two pairs, without resamples, or when no resample has a defined AER.
    """
    if len(counts) < 2 or resamples < 1:
        return None
    table = np.array([(c.scored + c.sure, c.scored_possible + c.scored_sure) for c in counts], dtype=np.int64)
    drawn, right = resampled_sums(table, seed=seed, resamples=resamples).astype(np.float64).T
    with np.errstate(invalid="ignore", divide="ignore"):
        return percentile_interval(1 - right / drawn, level)


def score(
    scored: Sequence[Collection[Link]],
    gold: Sequence[Links],
    *,
    seed: int,
    resamples: int = RESAMPLES,
    words: Words = "all",
) -> Score:
    """Score one link set per sentence pair against the gold links of the same pairs, in the same order.

    Parameters
    ----------
    scored : sequence of collections of (source, target) indices from 0
        The links to be scored.
    gold : sequence of Links
    seed, resamples : int
        Of the bootstrap interval of the AER; 0 resamples for none.
    words : str
        Names, in the signature alone, what both were restricted to beforehand.

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
    counts = [count_links(links, reference) for links, reference in zip(scored, gold, strict=True)]
    total = Counts(
        sum(c.scored for c in counts),
        sum(c.sure for c in counts),
        sum(c.scored_possible for c in counts),
        sum(c.scored_sure for c in counts),
    )
    signature = (
        f"aer:och-ney-2003|version:{VERSION}|words:{words}|pairs:{len(gold)}"
        f"|bootstrap:percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"
    )
    return Score(total, len(gold), aer_interval(counts, seed=seed, resamples=resamples), signature)


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

    def restricted(identical: bool, words: Words) -> Score:
        return score(
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
            seed=seed,
            resamples=resamples,
            words=words,
        )

    return ScoreTable(
        score(scored, gold, seed=seed, resamples=resamples),
        restricted(True, "identical"),
        restricted(False, "non_identical"),
    )
