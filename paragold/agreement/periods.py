"""Labels over time: periods in which items were finished, and labels before and after a second look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

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
    """The label of one annotator for one item before the second pass, and the one that stands now.

    `answers` are all that were given, in order, with None for one that was skipped or taken back.
    `second_pass` is when the item was shown again. Before it the latest label counts, so that a slip
    corrected at once is none; without it the first label that was given is taken.
    """
    last = answers[-1][1] if answers else None
    if second_pass is None:
        return next((label for _, label in answers if label is not None), None), last
    before = [label for at, label in answers if at < second_pass]
    return (before[-1] if before else None), last
