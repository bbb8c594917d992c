"""Agreement in depth: of every two annotators by label, and of items in groups, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from paragold.arrays import Integers
from paragold.metrics.label_agreement import Counts, Estimate, Unit, estimates
from paragold.statistics import RESAMPLES

QUARTERS = 4


def by_pair_and_label(
    tables: Mapping[tuple[Any, Any], Counts], labels: Sequence[str]
) -> list[dict[str, Any]]:
    """For every two annotators and each label: of the times that either gave it, how often both did.

    `agreement` is the specific agreement 2 a / (2 a + b + c) of Cicchetti & Feinstein (1990), with the items
    on which `both` gave the label and those on which the `first_only` or the `second_only` did; None where
    nobody gave it. `tables` are those of `pair_tables`.
    """
    rows = []
    for (first, second), table in tables.items():
        for place, label in enumerate(labels):
            both = int(table[place, place])
            given = int(table[place].sum()), int(table[:, place].sum())
            rows.append(
                {
                    "first": first,
                    "second": second,
                    "label": label,
                    "both": both,
                    "first_only": given[0] - both,
                    "second_only": given[1] - both,
                    "agreement": 2 * both / sum(given) if sum(given) else None,
                }
            )
    return rows


def by_group(
    units: Sequence[Unit],
    groups: Mapping[str, Sequence[int]],
    labels: Sequence[str],
    *,
    resamples: int = RESAMPLES,
) -> list[dict[str, Any]]:
    """Agreement of the items of each group.

    Parameters
    ----------
    units : sequence of sequences
        For each kind of items one label per annotator, None where it is missing.
    groups : mapping of str to sequences of int
        How many items of each kind are in a group; an item may be in none, one or several.
    labels : sequence of str
        All labels in their order.

    Returns
    -------
    list of dict
        `group`, the number of its `items`, and the estimates `observed` and `alpha_nominal`.
    """
    rows = []
    for group, times in groups.items():
        figures: dict[str, Estimate] = estimates(units, labels, times, resamples=resamples)
        names = ("observed", "alpha_nominal")
        rows.append({"group": group, "items": sum(times)} | {name: figures[name] for name in names})
    return rows


def quarters(values: Integers) -> tuple[list[str], Integers]:
    """Ranges of whole numbers in order, four with about as many items, fewer with ties; and in which of them
    each value lies."""
    if not len(values):
        return [], values
    sorted_values = np.sort(values)
    ends = [int(sorted_values[len(values) * part // QUARTERS - 1]) for part in range(1, QUARTERS + 1)]
    ends = sorted({max(end, int(sorted_values[0])) for end in ends})
    begins = [int(sorted_values[0]), *(end + 1 for end in ends[:-1])]
    names = [str(a) if a == b else f"{a} to {b}" for a, b in zip(begins, ends, strict=True)]
    return names, np.searchsorted(ends, values)
