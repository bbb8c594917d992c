"""Labels of items: counted for the coefficients, by period, and before and after a second look.

The counts are what the coefficients and their bootstrap intervals are computed from.

Items that were labelled alike are interchangeable, so a draw of items with replacement is a draw of how
often each kind of item occurs; there are few kinds, whatever the number of items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

AnnotatorT = TypeVar("AnnotatorT", bound=Hashable)
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class UnitTypes:
    """Kinds of items: `counts` (kinds, labels) says how often an item of the kind was given each label,
    `frequencies` (kinds,) how many items are of it."""

    counts: Counts
    frequencies: Counts

    @property
    def items(self) -> int:
        return int(self.frequencies.sum())

    def with_labels(self, number: int) -> UnitTypes:
        """Only the items that were given exactly `number` labels."""
        chosen = self.counts.sum(axis=1) == number
        return UnitTypes(self.counts[chosen], self.frequencies[chosen])

    @property
    def usual_number(self) -> int:
        """The number of labels that most items have, the largest of several; 0 without items."""
        sizes: Counter[int] = Counter()
        for size, frequency in zip(self.counts.sum(axis=1), self.frequencies, strict=True):
            sizes[int(size)] += int(frequency)
        return max(sizes, key=lambda size: (sizes[size], size), default=0)


def unit_types(units: Iterable[Sequence[str | None]], labels: Sequence[str]) -> UnitTypes:
    """The kinds of those items that have at least two labels; None is a missing label.

    Raises ValueError for a label that is not among `labels`.
    """
    place = {label: index for index, label in enumerate(labels)}
    frequencies: Counter[tuple[int, ...]] = Counter()
    for unit in units:
        counts = [0] * len(labels)
        for label in unit:
            if label is None:
                continue
            if label not in place:
                raise ValueError(f"{label!r} is not among the labels {', '.join(labels)}")
            counts[place[label]] += 1
        if sum(counts) >= 2:
            frequencies[tuple(counts)] += 1
    kinds = sorted(frequencies)
    return UnitTypes(
        np.array(kinds, dtype=np.int64).reshape(len(kinds), len(labels)),
        np.array([frequencies[kind] for kind in kinds], dtype=np.int64),
    )


def pair_tables(
    judgements: Iterable[Mapping[AnnotatorT, str | None]],
    labels: Sequence[str],
    annotators: Sequence[AnnotatorT],
) -> dict[tuple[AnnotatorT, AnnotatorT], Counts]:
    """For every two annotators, in the order given, who share items: a table (labels, labels) of the items.

    Rows are the first one's labels, columns the second one's. Items without two labels count nowhere.
    """
    place = {label: index for index, label in enumerate(labels)}
    tables: dict[tuple[AnnotatorT, AnnotatorT], Counts] = {}
    for answers in judgements:
        given = [(person, label) for person in annotators if (label := answers.get(person)) is not None]
        for (first, first_label), (second, second_label) in combinations(given, 2):
            table = tables.setdefault((first, second), np.zeros((len(labels), len(labels)), dtype=np.int64))
            table[place[first_label], place[second_label]] += 1
    return tables


def confusion_matrix(tables: Iterable[Counts], labels: Sequence[str]) -> Counts:
    """All pairs of annotators together, shape (labels, labels) and symmetric.

    Every two labels of an item count twice, once in each order, since neither annotator is the reference.
    """
    total = np.zeros((len(labels), len(labels)), dtype=np.int64)
    for table in tables:
        total += table + table.T
    return total


PARTS = 10
Unit = Sequence[str | None]


@dataclass(frozen=True, slots=True)
class Period:
    """The items finished in it, and when the first and the last of them were."""

    name: str
    first: datetime
    last: datetime
    units: tuple[Unit, ...]


def tenths(finished: Sequence[tuple[datetime, Unit]], *, parts: int = PARTS) -> list[Period]:
    """Equal parts of the work in the order of time, ten by default, fewer with fewer items.

    Sizes differ by at most one.
    """
    ordered = sorted(finished, key=lambda entry: entry[0])
    parts = min(parts, len(ordered))
    bounds = [len(ordered) * part // parts for part in range(parts + 1)] if parts else []
    return [
        _period(str(number), ordered[start:end])
        for number, (start, end) in enumerate(pairwise(bounds), start=1)
    ]


def days(finished: Sequence[tuple[datetime, Unit]]) -> list[Period]:
    """One period for each day, in the time zone of the moments, on which an item was finished."""
    by_day: dict[str, list[tuple[datetime, Unit]]] = {}
    for entry in sorted(finished, key=lambda entry: entry[0]):
        by_day.setdefault(entry[0].date().isoformat(), []).append(entry)
    return [_period(name, entries) for name, entries in by_day.items()]


def _period(name: str, entries: Sequence[tuple[datetime, Unit]]) -> Period:
    return Period(name, entries[0][0], entries[-1][0], tuple(unit for _, unit in entries))


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
