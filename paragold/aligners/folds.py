"""Which gold pairs are held out, and from how many of the others is learned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from paragold.aligners.method import Pair
from paragold.extraction.pair_groups import group_numbers, sentence_key

FOLDS = 5
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def groups_of(pairs: Iterable[Pair]) -> list[int]:
    """The group of each pair of token lists: pairs that share a sentence are in one."""
    numbers = group_numbers([sentence_key(" ".join(tokens)) for tokens in pair] for pair in pairs)
    return [int(number) for number in numbers]


def folds(groups: Sequence[int], *, seed: int) -> list[list[int]]:
    """At most FOLDS parts of the numbers 0 to n - 1, each in ascending order; no group is divided.

    Parts are as even as whole groups allow: large groups first, those of equal size in an order drawn by
    `seed`, each to the smallest part.

    Parameters
    ----------
    groups : sequence of int, of length n
        The group of each pair, numbered from 0; see `groups_of`.
    seed : int
        Random seed.
    """
    members: list[list[int]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for number, group in enumerate(groups):
        members[group].append(number)
    drawn = np.random.default_rng(seed).permutation(len(members)).tolist()
    parts: list[list[int]] = [[] for _ in range(min(FOLDS, len(members)))]
    for group in sorted(drawn, key=lambda group: -len(members[group])):
        min(parts, key=len).extend(members[group])
    return [sorted(part) for part in parts]


def curve_sizes(parts: Sequence[Sequence[int]]) -> list[int]:
    """Numbers of gold pairs to learn from; the last is what all parts but the largest one hold.

    Empty where that is fewer than three pairs.
    """
    most = sum(map(len, parts)) - max(map(len, parts), default=0)
    if most < 3:
        return []
    return [*(size for size in SIZES if size < 0.9 * most), most]
