"""Agreement of two partitions: two ways to split the same things into groups.

A partition is given as its groups, lists of numbers; a number in none of them is alone.
Groups of one mean the same as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Any, TypeVar

Groups = Sequence[Sequence[int]]
KeyT = TypeVar("KeyT", int, str)
SIGNATURE = "partitions|version:1|adjusted-rand:hubert-arabie-1985,pairs-within-clusters"


def partition_figures(compared: Iterable[tuple[Groups, Groups, int]]) -> dict[str, Any]:
    """What two partitions have in common, of one cluster or several added up.

    Parameters
    ----------
    compared : iterable of (first partition, second partition, number of things), one for each cluster
        Things are numbered from 0; those in no group are alone.

    Returns
    -------
    dict
        The pairs of things that are `together` in both, in the `first`, in the `second`, and `pairs` in all.
        Of those together in both, `precision` is the share in the second, `recall` in the first, `f1` their
        harmonic mean. `adjusted_rand` is the Rand index corrected for chance: 1 for equal partitions, 0 by
        chance. Of several clusters it is the index of their sums: chance shuffles things within a cluster
        only. Where chance alone gives equal partitions (all apart, all together) it is 1. Shares are from 0
        to 1, None where there is nothing to divide by.

    Raises
    ------
    ValueError
        A thing is in two groups of one partition, or there are more things than their number.

    References
    ----------
    Hubert, L. & Arabie, P. (1985). Comparing partitions.
    """
    together = in_first = in_second = pairs = 0
    by_chance = []
    for first, second, size in compared:
        places = [_group_of(groups, size) for groups in (first, second)]
        shared = Counter(
            (group, places[1][thing]) for thing, group in places[0].items() if thing in places[1]
        )
        sizes = [sum(comb(len(group), 2) for group in groups) for groups in (first, second)]
        together += sum(comb(count, 2) for count in shared.values())
        in_first, in_second, pairs = in_first + sizes[0], in_second + sizes[1], pairs + comb(size, 2)
        by_chance.append(sizes[0] * sizes[1] / comb(size, 2) if comb(size, 2) else 0.0)
    expected, maximum = sum(by_chance), (in_first + in_second) / 2
    index = None
    if pairs:
        # Whole multiples of 1 / pairs apart, if at all: what is nearer is rounding.
        index = 1.0 if maximum - expected < 1e-9 else (together - expected) / (maximum - expected)
    return {
        "adjusted_rand": index,
        "precision": together / in_second if in_second else None,
        "recall": together / in_first if in_first else None,
        "f1": 2 * together / (in_first + in_second) if in_first + in_second else None,
        **{"together": together, "first": in_first, "second": in_second, "pairs": pairs},
    }


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
