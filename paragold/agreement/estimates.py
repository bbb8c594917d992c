"""Coefficients of agreement with bootstrap intervals.

An interval is a percentile bootstrap: items are drawn with replacement (PCG64) and the middle 95 % of the
coefficient's values is given. Draws in which it is undefined are left out.

The coefficients are computed for many draws at once. Weights have shape (draws, kinds): how often each kind
of item occurs in a draw. Results have shape (draws,), with NaN where a coefficient is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from paragold.agreement.label_counts import Counts, UnitTypes, pair_tables, unit_types
from paragold.statistics import LEVEL, RESAMPLES, Floats, percentile_interval, resampled_frequencies


def observed(counts: Counts, weights: Floats) -> Floats:
    """The mean share of annotator pairs that agree on an item (Fleiss 1971, P-bar); 0 to 1."""
    return _divide(weights @ _agreeing_share(counts), weights.sum(axis=1))


def fleiss_kappa(counts: Counts, weights: Floats) -> Floats:
    """Fleiss' kappa (1971) of items with equally many labels; at most 1.

    kappa = (P - Pe) / (1 - Pe), with P the observed agreement and Pe the sum of the squared shares of the
    labels. Undefined when only one label was given. Raises ValueError for unequally many labels.
    """
    sizes = counts.sum(axis=1)
    if len(sizes) and (sizes != sizes[0]).any():
        raise ValueError("Fleiss' kappa needs items with equally many labels")
    given = weights @ counts
    shares = given / np.maximum(given.sum(axis=1, keepdims=True), 1)
    by_chance = (shares**2).sum(axis=1)
    return _divide(observed(counts, weights) - by_chance, 1 - by_chance)


def krippendorff_alpha(counts: Counts, weights: Floats, *, ordinal: bool = False) -> Floats:
    """Krippendorff's alpha (2011), nominal or ordinal in the order of the columns; at most 1.

    alpha = 1 - (n - 1) sum(o_ck d_ck) / sum(n_c n_k d_ck), with the coincidences o, their margins n_c and
    their total n. Squared differences d_ck are 1 for c != k when nominal; when ordinal, the square of the
    labels given from c to k less half of those given to the two ends.
    Undefined when only one label was given.
    """
    sizes = counts.sum(axis=1)
    labels = counts.shape[1]
    pairs = (counts[:, :, None] * counts[:, None, :]).astype(np.float64)
    pairs[:, range(labels), range(labels)] -= counts
    per_kind = pairs / np.maximum(sizes - 1, 1)[:, None, None]
    coincidences = np.tensordot(weights, per_kind, axes=1)
    margins = coincidences.sum(axis=2)
    total = margins.sum(axis=1)
    differences = _ordinal(margins) if ordinal else np.broadcast_to(1 - np.eye(labels), coincidences.shape)
    disagreement = (coincidences * differences).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * differences).sum(axis=(1, 2))
    return 1 - _divide((total - 1) * disagreement, expected)


def cohen_kappa(tables: Floats) -> Floats:
    """Cohen's kappa (1960) of tables (draws, labels, labels) of two annotators; -1 to 1.

    Undefined without items, or when both gave one and the same label throughout.
    """
    items = tables.sum(axis=(1, 2))
    expected = (tables.sum(axis=2) * tables.sum(axis=1)).sum(axis=1)
    agreed = np.trace(tables, axis1=1, axis2=2)
    return _divide(agreed * items - expected, items * items - expected)


def _agreeing_share(counts: Counts) -> Floats:
    sizes = counts.sum(axis=1)
    return _divide((counts * (counts - 1)).sum(axis=1), sizes * (sizes - 1))


def _ordinal(margins: Floats) -> Floats:
    """Squared ordinal differences, (draws, labels, labels), from how often each label was given."""
    up_to = margins.cumsum(axis=1)
    places = np.arange(margins.shape[1])
    low, high = np.minimum.outer(places, places), np.maximum.outer(places, places)
    between = up_to[:, high] - up_to[:, low] + margins[:, low]
    differences: Floats = (between - (margins[:, low] + margins[:, high]) / 2) ** 2
    return differences


def _divide(above: NDArray[np.number], below: NDArray[np.number]) -> Floats:
    """Element by element, NaN where the divisor is 0."""
    quotient = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=quotient, where=below != 0)
    return quotient


SEED = 1
VERSION = 1
NOTHING_SHARED = "no item has labels from two annotators"
ONE_LABEL_ONLY = "only one label was ever given, so agreement by chance is certain"

NameT = TypeVar("NameT", int, str)

Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient, the number of items it rests on, and its interval.

    `value` is None with the reason why it is undefined; `low` and `high` are None with fewer than two items,
    without resamples, or when no draw has a defined value.
    """

    value: float | None
    items: int
    undefined_because: str = ""
    low: float | None = None
    high: float | None = None


def signature(*, seed: int = SEED, resamples: int = RESAMPLES) -> str:
    """Method, version and seed of the coefficients."""
    return f"agreement|version:{VERSION}|bootstrap:items,percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"


def estimates(
    units: Sequence[Sequence[str | None]],
    labels: Sequence[str],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> dict[str, Estimate]:
    """Observed agreement, Fleiss' kappa and Krippendorff's alpha, by name.

    With more than two labels there is `alpha_ordinal` as well. Fleiss' kappa rests on the items with the
    usual number of labels, the others on all items with at least two.

    Parameters
    ----------
    units : sequence of sequences
        For each item one label per annotator, None where it is missing.
    labels : sequence of str
        All labels, in their order.
    seed, resamples : int
        Of the bootstrap intervals; 0 resamples for none.
    """
    types = unit_types(units, labels)
    same_size = types.with_labels(types.usual_number)
    estimates = {
        "observed": _of_types(types, observed, seed, resamples),
        "fleiss_kappa": _of_types(same_size, fleiss_kappa, seed, resamples),
        "alpha_nominal": _of_types(types, krippendorff_alpha, seed, resamples),
    }
    if len(labels) > 2:
        ordinal = partial(krippendorff_alpha, ordinal=True)
        estimates["alpha_ordinal"] = _of_types(types, ordinal, seed, resamples)
    return estimates


def agreement_of_labels(
    items: Sequence[Mapping[NameT, str | None]], *, resamples: int = 0
) -> dict[str, Estimate]:
    """Observed agreement and Krippendorff's alpha; Cohen's kappa too when there are two annotators.

    `items` has, for each item, the label that each annotator gave; None for none. With `resamples` the
    coefficients have intervals.
    """
    people = sorted({person for given in items for person in given})
    labels = sorted({label for given in items for label in given.values() if label is not None})
    types = unit_types((list(given.values()) for given in items), labels)
    figures = {
        "observed": _of_types(types, observed, SEED, resamples),
        "krippendorff_alpha": _of_types(types, krippendorff_alpha, SEED, resamples),
    }
    if len(people) == 2:
        nothing = np.zeros((len(labels), len(labels)), dtype=np.int64)
        table = pair_tables(items, labels, people).get((people[0], people[1]), nothing)
        figures["cohen_kappa"] = cohen_estimate(table, resamples=resamples)
    return figures


def cohen_estimate(table: Counts, *, seed: int = SEED, resamples: int = RESAMPLES) -> Estimate:
    """Cohen's kappa from a table (labels, labels) of the items that two annotators labelled."""
    shape = table.shape

    def kappa(weights: Floats) -> Floats:
        return cohen_kappa(weights.reshape(-1, *shape))

    return _estimate(kappa, table.ravel(), seed, resamples)


def observed_estimate(table: Counts, *, seed: int = SEED, resamples: int = RESAMPLES) -> Estimate:
    """The share of items on which two annotators agree, from the same table."""
    agreeing = np.eye(len(table)).ravel()

    def share(weights: Floats) -> Floats:
        shares: Floats = (weights @ agreeing) / weights.sum(axis=1)
        return shares

    return _estimate(share, table.ravel(), seed, resamples)


def _of_types(
    types: UnitTypes, coefficient: Callable[[Counts, Floats], Floats], seed: int, resamples: int
) -> Estimate:
    def statistic(weights: Floats) -> Floats:
        return coefficient(types.counts, weights)

    return _estimate(statistic, types.frequencies, seed, resamples)


def _estimate(statistic: Statistic, frequencies: Counts, seed: int, resamples: int) -> Estimate:
    items = int(frequencies.sum())
    if not items:
        return Estimate(None, 0, NOTHING_SHARED)
    value = float(statistic(frequencies[None, :].astype(np.float64))[0])
    if np.isnan(value):
        return Estimate(None, items, ONE_LABEL_ONLY)
    if items < 2 or resamples < 1:
        return Estimate(value, items)
    draws = np.concatenate(list(resampled_frequencies(frequencies, seed=seed, resamples=resamples)))
    low, high = percentile_interval(statistic(draws.astype(np.float64))) or (None, None)
    return Estimate(value, items, low=low, high=high)
