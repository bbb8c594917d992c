"""Estimates for a dataset from judged samples, with intervals: recall, shares of the labels, mean counts.

Recall is the share of all paraphrases that a method finds, from samples of what it accepts and rejects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paragold.metrics.label_agreement import SEED
from paragold.statistics import (
    LEVEL,
    RESAMPLES,
    generator,
    percentile_interval,
    resampled_frequencies,
    wilson_interval,
)

DRAWS = 10_000
VERSION = 1
# Jeffreys' prior of a multinomial: half an item of each kind. Without it a sample of rejected pairs without
# a paraphrase would say for certain that nothing is missed.
PRIOR = 0.5


@dataclass(frozen=True, slots=True)
class Sampled:
    """A sample of `judged` items out of `pool`; `positive` of them are paraphrases."""

    positive: int
    judged: int
    pool: int

    def __post_init__(self) -> None:
        if not 0 <= self.positive <= self.judged <= self.pool:
            raise ValueError(f"{self.positive} of {self.judged} judged of {self.pool} is not a sample")


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """The share of all paraphrases that is found, 0 to 1, with the bounds of its 95 % interval.

    `found` and `all` are the estimated numbers of paraphrases. `value` is None when no sample has one.
    """

    value: float | None
    low: float
    high: float
    found: float
    all: float


def signature(*, seed: int = SEED, draws: int = DRAWS) -> str:
    """Method, version and seed of the estimates."""
    return f"recall|version:{VERSION}|posterior:jeffreys,{draws},{LEVEL}%,pcg64|seed:{seed}"


def recall_estimate(
    accepted: Sampled,
    rejected: Sampled,
    *,
    by_method: int | None = None,
    seed: int = SEED,
    draws: int = DRAWS,
) -> RecallEstimate:
    """Recall of everything that was accepted, or of one of several methods that accepted it.

    With N the pool, n the judged and k the paraphrases of a sample, recall is N_a m / n_a over
    N_a k_a / n_a + N_r k_r / n_r, where m is k_a or `by_method`. The interval holds the middle 95 % of draws
    of the shares from their posterior under Jeffreys' prior.

    Parameters
    ----------
    accepted, rejected : Sampled
        The judged samples of both pools.
    by_method : int, optional
        The number of the accepted sample's paraphrases that the method found.
    seed, draws : int
        Random seed and number of draws from the posterior.

    Raises
    ------
    ValueError
        A sample is empty, or the method found more paraphrases than there are.

    References
    ----------
    Brown, Cai & DasGupta (2001), section 3.1.3, for one share.
    """
    if not accepted.judged or not rejected.judged:
        raise ValueError("recall needs judged pairs of both kinds: accepted and rejected")
    mine = accepted.positive if by_method is None else by_method
    if not 0 <= mine <= accepted.positive:
        raise ValueError(f"{mine} of {accepted.positive} paraphrases were found by the method")
    by_this = accepted.pool * mine / accepted.judged
    everything = (
        accepted.pool * accepted.positive / accepted.judged
        + rejected.pool * rejected.positive / rejected.judged
    )
    drawn = generator(seed)
    kinds = [mine, accepted.judged - accepted.positive]
    kinds += [] if by_method is None else [accepted.positive - mine]
    shares = drawn.dirichlet([kind + PRIOR for kind in kinds], size=draws)
    missed = rejected.pool * drawn.beta(
        rejected.positive + PRIOR, rejected.judged - rejected.positive + PRIOR, size=draws
    )
    by_mine = accepted.pool * shares[:, 0]
    by_others = accepted.pool * shares[:, 2] if by_method is not None else 0
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(by_mine / (by_mine + by_others + missed), (tail, 100 - tail))
    value = by_this / everything if everything else None
    return RecallEstimate(value, float(low), float(high), by_this, everything)


GroupT = TypeVar("GroupT", bound=Hashable)


@dataclass(frozen=True, slots=True)
class LabelShare:
    """`count` of `items` pairs; share and bounds from 0 to 1, None of no pairs.

    The items are a sample of `pool` pairs, where that is known.
    """

    count: int
    items: int
    pool: int | None = None

    @property
    def value(self) -> float | None:
        return self.count / self.items if self.items else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson_interval(self.count, self.items) if self.items else None

    @property
    def projected(self) -> tuple[int, int, int] | None:
        """The projected number of pairs of the pool with the label, and its bounds; None without a pool.

        Dolan, Quirk & Brockett (2004), section 3.1.1: 26.3 % of 448 pairs, so 56 K of 214 K.
        """
        if self.value is None or self.interval is None or self.pool is None:
            return None
        return projected((self.value, *self.interval), self.pool)


def projected(share: tuple[float, float, float], pool: int) -> tuple[int, int, int]:
    """A share from 0 to 1 and its bounds as numbers of pairs, of `pool` pairs."""
    value, low, high = (round(pool * one) for one in share)
    return value, low, high


def label_shares(
    judged: Iterable[tuple[GroupT, str]], labels: Sequence[str], pools: Mapping[GroupT, int] | None = None
) -> dict[GroupT, dict[str, LabelShare]]:
    """The share of each label, in the order of `labels`, by group, groups in order of first appearance.

    `pools` are the numbers of pairs that the groups were drawn from, as far as they are known.
    """
    counts: dict[GroupT, Counter[str]] = {}
    for group, label in judged:
        counts.setdefault(group, Counter())[label] += 1
    return {
        group: {label: LabelShare(tally[label], tally.total(), (pools or {}).get(group)) for label in labels}
        for group, tally in counts.items()
    }


MEAN_VERSION = 1
_DRAWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class MeanCount:
    """A mean with the bounds of its interval, None with fewer than two items."""

    value: float
    low: float | None
    high: float | None


def mean_signature(*, seed: int = SEED, resamples: int = RESAMPLES) -> str:
    """Method, version and seed of the estimates."""
    return (
        f"mean-count|version:{MEAN_VERSION}|bootstrap:items,percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"
    )


def mean_counts(
    counts: NDArray[np.float64], *, seed: int = SEED, resamples: int = RESAMPLES
) -> list[MeanCount]:
    """The mean of each column of `counts` (items, columns), with percentile bootstrap intervals over items.

    Raises ValueError without an item.
    """
    items = len(counts)
    if not items:
        raise ValueError("there is no item to count in")
    means = counts.mean(axis=0)
    if items < 2:
        return [MeanCount(float(mean), None, None) for mean in means]
    once = np.ones(items, dtype=np.int64)
    draws = np.concatenate(
        [
            times @ counts / items
            for times in resampled_frequencies(once, seed=seed, resamples=resamples, at_once=_DRAWS_AT_ONCE)
        ]
    )
    return [
        MeanCount(float(mean), *(percentile_interval(column) or (None, None)))
        for mean, column in zip(means, draws.T, strict=True)
    ]
