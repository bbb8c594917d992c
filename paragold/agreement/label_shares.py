"""What share of the judged pairs has which label, with Wilson intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from paragold.statistics import wilson_interval

GroupT = TypeVar("GroupT", bound=Hashable)


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
