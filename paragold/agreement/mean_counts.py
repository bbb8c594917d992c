"""Mean counts per item with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.statistics import LEVEL, RESAMPLES, percentile_interval, resampled_frequencies

from .estimates import SEED

VERSION = 1
_DRAWS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class MeanCount:
    """A mean with the bounds of its interval, None with fewer than two items."""

    value: float
    low: float | None
    high: float | None


def signature(*, seed: int = SEED, resamples: int = RESAMPLES) -> str:
    """How the numbers came about."""
    return f"mean-count|version:{VERSION}|bootstrap:items,percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"


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
