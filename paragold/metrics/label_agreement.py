"""Coefficients of agreement with bootstrap intervals, from labels of items.

Items that were labelled alike are interchangeable, so a draw of items with replacement is a draw of how
often each kind of item occurs; there are few kinds, whatever the number of items.
An interval is a percentile bootstrap: items are drawn with replacement (PCG64) and the middle 95 % of the
coefficient's values is given. Draws in which it is undefined are left out.

The coefficients are computed for many draws at once. Weights have shape (draws, kinds): how often each kind
of item occurs in a draw. Results have shape (draws,), with NaN where a coefficient is undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import combinations, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from paragold.arrays import Array, Floats, Integers
from paragold.statistics import LEVEL, RESAMPLES, percentile_interval, resampled_frequencies

SEED = 1
VERSION = 1
NOTHING_SHARED = "no item has labels from two annotators"
ONE_LABEL_ONLY = "only one label was ever given, so agreement by chance is certain"
Counts = Integers
AnnotatorT = TypeVar("AnnotatorT", bound=Hashable)
HashableT = TypeVar("HashableT", bound=Hashable)
NameT = TypeVar("NameT", int, str)


UnitTypes = tuple[Counts, Counts]
"""Kinds of items: counts (kinds, labels) say how often an item of the kind was given each label, frequencies
(kinds,) how many items are of it."""


Times = Iterable[int] | None
"""How many items each entry of a list stands for; one without it."""


def unit_types(
    units: Iterable[Iterable[str | None]], labels: Sequence[str], times: Times = None
) -> UnitTypes:
    """The kinds of those items that have at least two labels; None is a missing label.

    Raises ValueError for a label that is not among `labels`.
    """
    place = {label: index for index, label in enumerate(labels)}
    frequencies: Counter[tuple[int, ...]] = Counter()
    for unit, number in _counted(map(tuple, units), times):
        counts = [0] * len(labels)
        for label in unit:
            if label is None:
                continue
            if label not in place:
                raise ValueError(f"{label!r} is not among the labels {', '.join(labels)}")
            counts[place[label]] += 1
        if sum(counts) >= 2:
            frequencies[tuple(counts)] += number
    kinds = sorted(frequencies)
    counted = np.array(kinds, dtype=np.int64).reshape(len(kinds), len(labels))
    return counted, np.array([frequencies[kind] for kind in kinds], dtype=np.int64)


def _counted(kinds: Iterable[HashableT], times: Times) -> Iterator[tuple[HashableT, int]]:
    """Each kind in the order in which it first occurs, and how many items are of it."""
    if times is None:
        yield from Counter(kinds).items()
        return
    counts: Counter[HashableT] = Counter()
    for kind, number in zip(kinds, times, strict=True):
        if number:
            counts[kind] += int(number)
    yield from counts.items()


def pair_tables(
    judgements: Iterable[Mapping[AnnotatorT, str | None]],
    labels: Sequence[str],
    annotators: Sequence[AnnotatorT],
    times: Times = None,
) -> dict[tuple[AnnotatorT, AnnotatorT], Counts]:
    """For every two annotators, in the order given, who share items: a table (labels, labels) of the items.

    Rows are the first one's labels, columns the second one's. Items without two labels count nowhere.
    """
    place = {label: index for index, label in enumerate(labels)}
    tables: dict[tuple[AnnotatorT, AnnotatorT], Counts] = {}
    for kind, number in _counted((tuple(answers.items()) for answers in judgements), times):
        answers = dict(kind)
        given = [(person, label) for person in annotators if (label := answers.get(person)) is not None]
        for (first, first_label), (second, second_label) in combinations(given, 2):
            table = tables.setdefault((first, second), np.zeros((len(labels), len(labels)), dtype=np.int64))
            table[place[first_label], place[second_label]] += number
    return tables


def confusion_matrix(tables: Iterable[Counts], labels: Sequence[str]) -> Counts:
    """All pairs of annotators together, shape (labels, labels) and symmetric.

    Every two labels of an item count twice, once in each order, since neither annotator is the reference.
    """
    total = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for table in tables:
        total += table + table.T
    return total


def observed(counts: Counts, weights: Floats) -> Floats:
    """The mean share of annotator pairs that agree on an item (Fleiss 1971, P-bar); 0 to 1."""
    sizes = counts.sum(axis=1)
    agreeing = _divide((counts * (counts - 1)).sum(axis=1), sizes * (sizes - 1))
    return _divide(weights @ agreeing, weights.sum(axis=1))


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


Estimate = dict[str, Any]
"""A coefficient: its `value`, None with the reason why it is undefined (`undefined_because`), the number of
`items` it rests on, and its interval: `low` and `high` are None with fewer than two items, without resamples,
or when no draw has a defined value."""


def estimate(
    value: float | None,
    items: int,
    undefined_because: str = "",
    low: float | None = None,
    high: float | None = None,
) -> Estimate:
    """The row of a coefficient."""
    row = {"value": value, "items": items, "undefined_because": undefined_because}
    return row | {"low": low, "high": high}


def signature(*, seed: int = SEED, resamples: int = RESAMPLES) -> str:
    """Method, version and seed of the coefficients."""
    return f"agreement|version:{VERSION}|bootstrap:items,percentile,{resamples},{LEVEL}%,pcg64|seed:{seed}"


def estimates(
    units: Sequence[Sequence[str | None]],
    labels: Sequence[str],
    times: Times = None,
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
    times : iterable of int, optional
        How many items each of `units` stands for; one without it.
    seed, resamples : int
        Of the bootstrap intervals; 0 resamples for none.
    """
    counts, frequencies = types = unit_types(units, labels, times)
    sizes = counts.sum(axis=1)
    # The number of labels that most items have, the largest of several.
    often = np.bincount(sizes, frequencies, minlength=1)
    usual = sizes == np.flatnonzero(often == often.max())[-1]
    coefficients: dict[str, tuple[Callable[[Counts, Floats], Floats], UnitTypes]] = {
        "observed": (observed, types),
        "fleiss_kappa": (fleiss_kappa, (counts[usual], frequencies[usual])),
        "alpha_nominal": (krippendorff_alpha, types),
    }
    if len(labels) > 2:
        coefficients["alpha_ordinal"] = partial(krippendorff_alpha, ordinal=True), types
    return {
        name: _estimate(partial(coefficient, kinds), number, seed, resamples)
        for name, (coefficient, (kinds, number)) in coefficients.items()
    }


def agreement_of_labels(
    items: Sequence[Mapping[NameT, str | None]],
    times: Sequence[int] | None = None,
    *,
    resamples: int = 0,
) -> dict[str, Estimate]:
    """Observed agreement and Krippendorff's alpha; Cohen's kappa too when there are two annotators.

    `items` has, for each item, the label that each annotator gave; None for none. `times`: how many items
    each stands for. With `resamples` the coefficients have intervals.
    """
    kinds = {tuple(given.items()) for given in items}
    people = sorted({person for kind in kinds for person, _ in kind})
    labels = sorted({label for kind in kinds for _, label in kind if label is not None})
    counts, frequencies = unit_types((given.values() for given in items), labels, times)
    figures = {
        name: _estimate(partial(coefficient, counts), frequencies, SEED, resamples)
        for name, coefficient in (("observed", observed), ("krippendorff_alpha", krippendorff_alpha))
    }
    if len(people) == 2:
        nothing = np.zeros((len(labels), len(labels)), dtype=np.int64)
        table = pair_tables(items, labels, people, times).get((people[0], people[1]), nothing)
        figures["cohen_kappa"] = cohen_estimate(table, resamples=resamples)
    return figures


def cohen_estimate(table: Counts, *, seed: int = SEED, resamples: int = RESAMPLES) -> Estimate:
    """Cohen's kappa from a table (labels, labels) of the items that two annotators labelled."""
    shape = table.shape
    return _estimate(lambda weights: cohen_kappa(weights.reshape(-1, *shape)), table.ravel(), seed, resamples)


def observed_estimate(table: Counts) -> Estimate:
    """The share of items on which two annotators agree, from the same table."""
    agreeing = np.eye(len(table)).ravel()
    return _estimate(
        lambda weights: np.asarray((weights @ agreeing) / weights.sum(axis=1)), table.ravel(), SEED, RESAMPLES
    )


def _estimate(
    statistic: Callable[[Floats], Floats], frequencies: Counts, seed: int, resamples: int
) -> Estimate:
    items = int(frequencies.sum())
    if not items:
        return estimate(None, 0, NOTHING_SHARED)
    value = float(statistic(frequencies[None, :].astype(np.float64))[0])
    if np.isnan(value):
        return estimate(None, items, ONE_LABEL_ONLY)
    if items < 2 or resamples < 1:
        return estimate(value, items)
    draws = resampled_frequencies(frequencies, seed=seed, resamples=resamples)
    low, high = percentile_interval(statistic(draws.astype(np.float64))) or (None, None)
    return estimate(value, items, low=low, high=high)


PARTS = 10
Unit = Sequence[str | None]
Period = tuple[str, slice]
"""A name, and which of the items in the order of time."""


def tenths(finished: Array) -> list[Period]:
    """Ten equal parts of the work, fewer with fewer items; `finished` are the times in order.

    Sizes differ by at most one.
    """
    parts = min(PARTS, len(finished))
    bounds = [len(finished) * part // parts for part in range(parts + 1)] if parts else []
    return [(str(number), slice(*both)) for number, both in enumerate(pairwise(bounds), start=1)]


def days(finished: Array) -> list[Period]:
    """One period for each day on which an item was finished; `finished` are the times in order."""
    names, begins = np.unique(finished.astype("datetime64[D]"), return_index=True)
    bounds = pairwise([*begins.tolist(), len(finished)])
    return [(str(name), slice(*both)) for name, both in zip(names, bounds, strict=True)]


def first_and_last(
    answers: Sequence[tuple[datetime, str | None]], second_pass: datetime | None = None
) -> tuple[str | None, str | None]:
    """The label of one annotator for one item before the second pass, and the current one.

    `answers` are all that were given, in order, with None for one that was skipped or taken back.
    `second_pass` is when the item was shown again. Before it the latest label counts, so that a slip
    corrected at once is none; without it the first label that was given is taken.
    """
    last = answers[-1][1] if answers else None
    if second_pass is None:
        return next((label for _, label in answers if label is not None), None), last
    before = [label for at, label in answers if at < second_pass]
    return (before[-1] if before else None), last
