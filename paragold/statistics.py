"""Intervals and tests of significance: the percentile bootstrap, Wilson's interval, randomisation, Holm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import sqrt

import numpy as np

from paragold.arrays import Array, Floats, Integers

RESAMPLES = 1_000
SHUFFLES = 5_000
LEVEL = 95
"""Coverage of intervals in percent."""
# The 0.975 quantile of the normal distribution; static/js/corpus/projection.js has it too.
Z = 1.959963984540054
# About so many items are drawn at a time: memory does not grow with the number of resamples.
_DRAWS_AT_ONCE = 500_000

Interval = tuple[float, float]


def generator(seed: int) -> np.random.Generator:
    """The random numbers of all that is drawn here; another seed gives other draws."""
    return np.random.Generator(np.random.PCG64(seed))


def resampled_sums(table: Array, *, seed: int, resamples: int = RESAMPLES) -> Array:
    """Column sums over rows drawn with replacement.

    Parameters
    ----------
    table : array of shape (items, columns)
        What is counted in each item.
    seed, resamples : int
        Random seed and number of resamples.

    Returns
    -------
    array of shape (resamples, columns)
    """
    drawn = generator(seed)
    items = len(table)
    sums = []
    for size in _blocks(resamples, items):
        # Each row of draws has numbers of its own, so that one count says how often it drew each item.
        places = drawn.integers(items, size=(size, items)) + items * np.arange(size)[:, None]
        times = np.bincount(places.ravel(), minlength=size * items)
        sums.append(times.reshape(size, items) @ table)
    return np.concatenate(sums)


def bootstrap_intervals(
    table: Array, figures: Callable[[Array], Floats], *, seed: int, resamples: int = RESAMPLES
) -> list[Interval | None]:
    """Percentile bootstrap intervals of figures that are computed from sums over items.

    Parameters
    ----------
    table : array of shape (items, columns)
        What is counted in each item.
    figures : callable
        From sums (..., columns) to figures (..., figures), not a number where undefined.
    seed, resamples : int
        Random seed and number of resamples.

    Returns
    -------
    list of an interval for each figure
        None with fewer than two items, without resamples, or where no resample has a defined value.
    """
    if len(table) < 2 or resamples < 1:
        return [None] * figures(table.sum(axis=0)).shape[-1]
    drawn = figures(resampled_sums(table, seed=seed, resamples=resamples))
    return [percentile_interval(values) for values in drawn.T]


def resampled_frequencies(frequencies: Integers, *, seed: int, resamples: int = RESAMPLES) -> Integers:
    """The number of items of each kind in samples of all items with replacement, (resamples, kinds).

    `frequencies` (kinds,) says how many items there are of each.
    """
    items = int(frequencies.sum())
    return generator(seed).multinomial(items, frequencies / items, size=resamples)


def percentile_interval(values: Floats) -> Interval | None:
    """The bounds of the middle 95 % of values (resamples,); not-a-numbers are left out.

    None where no value is left. Efron & Tibshirani (1993), "An Introduction to the Bootstrap", chapter 13.
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    tail = (100 - LEVEL) / 2
    low, high = np.percentile(defined, (tail, 100 - tail))
    return float(low), float(high)


def wilson_interval(count: int, items: int) -> Interval:
    """Wilson's score interval (1927) of a binomial proportion, 95 %, without continuity correction.

    Without an item it is 0 to 1. Raises ValueError unless 0 <= count <= items.
    """
    if not 0 <= count <= items:
        raise ValueError(f"{count} of {items} is not a proportion")
    if not items:
        return 0.0, 1.0
    share = count / items
    scale = 1 + Z * Z / items
    centre = (share + Z * Z / (2 * items)) / scale
    half = Z / scale * sqrt(share * (1 - share) / items + Z * Z / (4 * items * items))
    # At the ends the bounds are 0 and 1 exactly; rounding would put them a little beside.
    return (max(0.0, centre - half) if count else 0.0), (min(1.0, centre + half) if count < items else 1.0)


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """F with the weight `beta` on recall; 0 where both are 0."""
    weighted = beta * beta * precision + recall
    return (1 + beta * beta) * precision * recall / weighted if weighted else 0.0


def randomisation_test(
    first: Integers,
    second: Integers,
    difference: Callable[[Integers, Integers], Floats],
    *,
    seed: int,
    shuffles: int = SHUFFLES,
) -> float:
    """Two-sided p of the difference between two systems that were counted on the same items.

    Approximate randomisation (Noreen 1989, "Computer-Intensive Methods for Testing Hypotheses"): under the
    null hypothesis either system could have made either output of an item, so the outputs are exchanged at
    random.

    Parameters
    ----------
    first, second : arrays of shape (items, columns)
        What is counted in each item of the systems' outputs.
    difference : callable
        The difference between two arrays of sums (..., columns), as (...,).
    seed, shuffles : int
        Random seed and number of random exchanges.

    Returns
    -------
    float
        The share of exchanges that differ at least as much, what was observed being one of them: above 0, at
        most 1.
    """
    drawn = generator(seed)
    both, apart = (first + second).sum(axis=0), first - second
    observed = abs(float(difference(first.sum(axis=0), second.sum(axis=0))))
    at_least = 1
    for size in _blocks(shuffles, len(first)):
        unswapped = drawn.integers(2, size=(size, len(first)))
        # Summed over items: first + second is fixed, first - second changes its sign with each exchange.
        gap = (2 * unswapped - 1) @ apart
        differences = difference((both + gap) // 2, (both - gap) // 2)
        at_least += int((np.abs(differences) >= observed - 1e-12).sum())
    return at_least / (shuffles + 1)


def holm(ps: Sequence[float]) -> list[float]:
    """The p-values of one family of tests, corrected for their number (Holm 1979), in the same order.

    The chance that any of the tests errs stays below the level, however they depend on each other.
    """
    adjusted = [0.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda place: ps[place])):
        highest = max(highest, min(1.0, (len(ps) - rank) * ps[place]))
        adjusted[place] = highest
    return adjusted


def _blocks(draws: int, items: int) -> Iterator[int]:
    """The numbers of draws that are made at a time."""
    block = max(1, _DRAWS_AT_ONCE // max(1, items))
    for start in range(0, draws, block):
        yield min(block, draws - start)


Projection = tuple[float, float, float]
"""Pairs to expect, and the ends of a 95 % interval; all are equal when every cluster was looked at."""


def projection(
    pairs_by_cluster: Sequence[int], work: Sequence[int], *, clusters: int, all_work: int
) -> Projection:
    """The ratio estimator of survey sampling (Cochran 1977, 6.2 to 6.4) over clusters drawn at random.

    pairs_by_cluster: pairs in each cluster of the sample. work: its square of sentences, to which the yield
    is held in proportion. clusters, all_work: the same of the whole corpus.
    A sample of one cluster has no upper end: `high` is infinite.
    """
    sampled = len(pairs_by_cluster)
    if not sampled or not sum(work):
        return 0.0, 0.0, 0.0 if sampled == clusters else float("inf")
    counted = float(sum(pairs_by_cluster))
    if sampled == clusters:
        return counted, counted, counted
    ratio = counted / sum(work)
    pairs = ratio * all_work
    if sampled == 1:
        return pairs, counted, float("inf")
    residues = sum((pair - ratio * size) ** 2 for pair, size in zip(pairs_by_cluster, work, strict=True))
    variance = (1 - sampled / clusters) * residues / (sampled - 1) / sampled
    # Scaled by the mean work of the sample against that of the corpus, which is known (Cochran, 6.4).
    mean_ratio = (all_work / clusters) / (sum(work) / sampled)
    margin = Z * clusters * sqrt(variance) * mean_ratio
    return pairs, max(counted, pairs - margin), pairs + margin
