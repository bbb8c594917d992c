"""Agreement over time: items in the order in which they were finished, cut into periods."""

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
