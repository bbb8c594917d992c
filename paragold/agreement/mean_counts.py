"""Mean counts per item with bootstrap intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .estimates import LEVEL, RESAMPLES, SEED

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
    generator = np.random.Generator(np.random.PCG64(seed))
    even = np.full(items, 1 / items)
    draws = np.concatenate(
        [
            generator.multinomial(items, even, size=min(_DRAWS_AT_ONCE, resamples - start)) @ counts / items
            for start in range(0, resamples, _DRAWS_AT_ONCE)
        ]
    )
    tail = (100 - LEVEL) / 2
    lows, highs = np.percentile(draws, (tail, 100 - tail), axis=0)
    return [
        MeanCount(float(mean), float(low), float(high))
        for mean, low, high in zip(means, lows, highs, strict=True)
    ]
