"""Agreement of two partitions: two ways to split the same things into groups.

A partition is given as its groups, lists of numbers; a number in none of them is alone.
Groups of one mean the same as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TypeVar

Groups = Sequence[Sequence[int]]
KeyT = TypeVar("KeyT", int, str)
SIGNATURE = "partitions|version:1|adjusted-rand:hubert-arabie-1985,pairs-within-clusters"


@dataclass(frozen=True, slots=True)
class PairCounts:
    """The pairs of things, of one cluster or several added up: `together` in both partitions, in the `first`,
    in the `second`, and `pairs` in all; `expected` is what `together` would be by chance."""

    together: int = 0
    first: int = 0
    second: int = 0
    pairs: int = 0
    expected: float = 0.0

    def __add__(self, other: PairCounts) -> PairCounts:
        names = ("together", "first", "second", "pairs", "expected")
        return PairCounts(*(getattr(self, name) + getattr(other, name) for name in names))

    @property
    def precision(self) -> float | None:
        """Pairs together in both partitions / pairs together in the second: 0 to 1."""
        return self.together / self.second if self.second else None

    @property
    def recall(self) -> float | None:
        """Pairs together in both partitions / pairs together in the first: 0 to 1."""
        return self.together / self.first if self.first else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both, which is the same in either direction; None without any pair."""
        return 2 * self.together / (self.first + self.second) if self.first + self.second else None

    @property
    def adjusted_rand(self) -> float | None:
        """The Rand index corrected for chance (Hubert & Arabie 1985): 1 for equal partitions, 0 by chance.

        Of several clusters it is the index of their sums: chance shuffles headlines within a cluster only.
        Where chance alone gives equal partitions (all apart, all together) it is 1; None without pairs.
        """
        if not self.pairs:
            return None
        maximum = (self.first + self.second) / 2
        # Whole multiples of 1 / pairs apart, if at all: what is nearer is rounding.
        if maximum - self.expected < 1e-9:
            return 1.0
        return (self.together - self.expected) / (maximum - self.expected)


def pair_counts(first: Groups, second: Groups, size: int) -> PairCounts:
    """Compare two partitions of `size` things, numbered from 0; things in no group are alone.

    Raises
    ------
    ValueError
        A thing is in two groups of one partition, or there are more things than `size`.

    References
    ----------
    Hubert, L. & Arabie, P. (1985). Comparing partitions.
    """
    places = [_group_of(groups, size) for groups in (first, second)]
    shared = Counter((group, places[1][thing]) for thing, group in places[0].items() if thing in places[1])
    together = sum(comb(count, 2) for count in shared.values())
    in_first, in_second = (sum(comb(len(group), 2) for group in groups) for groups in (first, second))
    pairs = comb(size, 2)
    expected = in_first * in_second / pairs if pairs else 0.0
    return PairCounts(together, in_first, in_second, pairs, expected)


def _group_of(groups: Groups, size: int) -> dict[int, int]:
    places = {thing: number for number, group in enumerate(groups) for thing in group}
    if len(places) != sum(len(group) for group in groups):
        raise ValueError("a thing is in two groups of one partition")
    if len(places) > size:
        raise ValueError(f"{len(places)} things in groups, but there are {size}")
    return places


def canonical(groups: Iterable[Sequence[KeyT]], order: Sequence[KeyT]) -> list[list[KeyT]]:
    """The groups of two or more, each in `order`, by their first members: equal for equal partitions."""
    place = {thing: number for number, thing in enumerate(order)}
    ordered = [sorted(group, key=place.__getitem__) for group in groups if len(group) > 1]
    return sorted(ordered, key=lambda group: place[group[0]])


def shared_groups(partitions: Sequence[Groups]) -> list[list[int]]:
    """The groups of things that are together in every one of the partitions (their meet)."""
    places = [
        {thing: number for number, group in enumerate(groups) for thing in group} for groups in partitions
    ]
    groups: dict[tuple[int, ...], list[int]] = {}
    things = set(places[0]).intersection(*places[1:]) if places else set()
    for thing in sorted(things):
        groups.setdefault(tuple(place[thing] for place in places), []).append(thing)
    return canonical(groups.values(), sorted(things))


def disputed_things(partitions: Sequence[Groups]) -> set[int]:
    """The things on which any two of the partitions differ; empty where all are equal.

    Groups of two partitions are matched, those with most in common first; a thing is in dispute where its
    groups are not each other's match.
    """
    return set[int]().union(*(_differing(first, second) for first, second in combinations(partitions, 2)))


def _differing(first: Groups, second: Groups) -> set[int]:
    groups, other_groups = (
        [set(group) for group in partition if len(group) > 1] for partition in (first, second)
    )
    overlaps = sorted(
        (-len(group & other_group), min(group & other_group), number, place)
        for number, group in enumerate(groups)
        for place, other_group in enumerate(other_groups)
        if group & other_group
    )
    partner: dict[int, int] = {}
    for _, _, number, place in overlaps:
        if number not in partner and place not in partner.values():
            partner[number] = place
    differing: set[int] = set().union(*groups, *other_groups)
    for number, place in partner.items():
        differing -= groups[number] & other_groups[place]
    return differing
