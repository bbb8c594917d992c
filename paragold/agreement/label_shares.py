"""What share of the judged pairs has which label, with Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TypeVar

GroupT = TypeVar("GroupT", bound=Hashable)
# The 97.5th percentile of the normal distribution: intervals cover 95 %.
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class LabelShare:
    """`count` of `items` pairs; share and bounds from 0 to 1, None of no pairs."""

    count: int
    items: int

    @property
    def value(self) -> float | None:
        return self.count / self.items if self.items else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson_interval(self.count, self.items) if self.items else None


def wilson_interval(count: int, items: int) -> tuple[float, float]:
    """Wilson's score interval (1927) of a binomial proportion, 95 %, without continuity correction.

    Raises ValueError unless 0 <= count <= items and there is an item.
    """
    if not 0 <= count <= items or not items:
        raise ValueError(f"{count} of {items} is no proportion")
    share = count / items
    scale = 1 + Z * Z / items
    centre = (share + Z * Z / (2 * items)) / scale
    half = Z / scale * sqrt(share * (1 - share) / items + Z * Z / (4 * items * items))
    # At the ends the bounds are 0 and 1 exactly; rounding would put them a little beside.
    return (max(0.0, centre - half) if count else 0.0), (min(1.0, centre + half) if count < items else 1.0)


def label_shares(
    judged: Iterable[tuple[GroupT, str]], labels: Sequence[str]
) -> dict[GroupT, dict[str, LabelShare]]:
    """By group, in order of first appearance, the share of each label, in the order of `labels`."""
    counts: dict[GroupT, Counter[str]] = {}
    for group, label in judged:
        counts.setdefault(group, Counter())[label] += 1
    return {
        group: {label: LabelShare(found[label], found.total()) for label in labels}
        for group, found in counts.items()
    }
