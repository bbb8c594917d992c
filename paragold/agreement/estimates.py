"""Coefficients of agreement with bootstrap intervals.

An interval is a percentile bootstrap: items are drawn with replacement (PCG64) and the middle 95 % of the
coefficient's values is given. Draws in which it is undefined are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from paragold.statistics import LEVEL, RESAMPLES, percentile_interval, resampled_frequencies

from . import weighted
from .coefficients import NOTHING_SHARED, ONE_LABEL_ONLY
from .label_counts import Counts, UnitTypes, unit_types
from .weighted import Floats

SEED = 1
VERSION = 1

Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient, the number of items it rests on, and its interval.

    `value` is None with the reason why it is undefined; `low` and `high` are None with fewer than two items
    or when no draw has a defined value.
    """

    value: float | None
    items: int
    low: float | None = None
    high: float | None = None
    undefined_because: str = ""


def signature(*, seed: int = SEED, resamples: int = RESAMPLES) -> str:
    """How the numbers came about."""
    return f"agreement|version:{VERSION}|bootstrap:items,percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"


def estimates(
    units: Sequence[Sequence[str | None]],
    labels: Sequence[str],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> dict[str, Estimate]:
    """Observed agreement, Fleiss' kappa and Krippendorff's alpha, by name.

    A unit is one item with one label per annotator, None where it is missing; `labels` are all there are, in
    their order. With more than two labels there is `alpha_ordinal` as well. Fleiss' kappa rests on the items
    with the usual number of labels, the others on all items with at least two.
    """
    types = unit_types(units, labels)
    same_size = types.with_labels(types.usual_number)
    found = {
        "observed": _of_types(types, weighted.observed, seed, resamples),
        "fleiss_kappa": _of_types(same_size, weighted.fleiss_kappa, seed, resamples),
        "alpha_nominal": _of_types(types, weighted.krippendorff_alpha, seed, resamples),
    }
    if len(labels) > 2:
        found["alpha_ordinal"] = _of_types(types, _alpha_ordinal, seed, resamples)
    return found


def cohen_estimate(table: Counts, *, seed: int = SEED, resamples: int = RESAMPLES) -> Estimate:
    """Cohen's kappa from a table (labels, labels) of the items that two annotators labelled."""
    shape = table.shape

    def kappa(weights: Floats) -> Floats:
        return weighted.cohen_kappa(weights.reshape(-1, *shape))

    return _estimate(kappa, table.ravel(), seed, resamples)


def observed_estimate(table: Counts, *, seed: int = SEED, resamples: int = RESAMPLES) -> Estimate:
    """The share of items on which two annotators agree, from the same table."""
    agreeing = np.eye(len(table)).ravel()

    def share(weights: Floats) -> Floats:
        shares: Floats = (weights @ agreeing) / weights.sum(axis=1)
        return shares

    return _estimate(share, table.ravel(), seed, resamples)


def _alpha_ordinal(counts: Counts, weights: Floats) -> Floats:
    return weighted.krippendorff_alpha(counts, weights, ordinal=True)


def _of_types(
    types: UnitTypes, coefficient: Callable[[Counts, Floats], Floats], seed: int, resamples: int
) -> Estimate:
    def statistic(weights: Floats) -> Floats:
        return coefficient(types.counts, weights)

    return _estimate(statistic, types.frequencies, seed, resamples)


def _estimate(statistic: Statistic, frequencies: Counts, seed: int, resamples: int) -> Estimate:
    items = int(frequencies.sum())
    if not items:
        return Estimate(None, 0, undefined_because=NOTHING_SHARED)
    value = float(statistic(frequencies[None, :].astype(np.float64))[0])
    if np.isnan(value):
        return Estimate(None, items, undefined_because=ONE_LABEL_ONLY)
    low, high = _interval(statistic, frequencies, seed, resamples)
    return Estimate(value, items, low, high)


def _interval(
    statistic: Statistic, frequencies: Counts, seed: int, resamples: int
) -> tuple[float | None, float | None]:
    items = int(frequencies.sum())
    if items < 2 or resamples < 1:
        return None, None
    draws = np.concatenate(list(resampled_frequencies(frequencies, seed=seed, resamples=resamples)))
    return percentile_interval(statistic(draws.astype(np.float64))) or (None, None)
