"""Gold pairs that are held out in folds, and the links drawn on them by number of gold pairs learned from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from paragold.aligners.registry import Pair
from paragold.aligners.symmetrisation import Link
from paragold.extraction.pair_groups import group_numbers, sentence_key
from paragold.metrics.links import Links

if TYPE_CHECKING:
    from paragold.aligners.evidence import Evidence

FOLDS = 5
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def groups_of(pairs: Iterable[Pair]) -> list[int]:
    """The group of each pair of token lists: pairs that share a sentence are in one."""
    return group_numbers([sentence_key(" ".join(tokens)) for tokens in pair] for pair in pairs).tolist()


def folds(groups: Sequence[int], *, seed: int) -> list[list[int]]:
    """At most FOLDS parts of the numbers 0 to n - 1, each in ascending order; no group is divided.

    `groups` holds the group of each of n pairs, numbered from 0. Parts are as even as whole groups allow:
    large groups first, those of equal size in an order drawn by `seed`, each to the smallest part.
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


def held_out_links(
    candidates: Sequence[Evidence],
    gold: Sequence[Links],
    *,
    groups: Sequence[int],
    fold: int,
    size: int,
    seed: int,
    without: Collection[str] = (),
) -> dict[int, list[Link]]:
    """The links of the pairs of one fold, by a classifier that learned from `size` of the other pairs.

    `groups` are those of the pairs, which `folds` keeps whole. Smaller sizes are parts of larger ones;
    `without` is as in `fit`. Where those pairs leave nothing to learn, the classifier draws no link.
    """
    # It loads the compiler, which processes that only count folds are spared.
    from paragold.aligners.best import STRENGTH
    from paragold.aligners.link_classifier import fit

    held_out = folds(groups, seed=seed)[fold]
    others = np.setdiff1d(np.arange(len(candidates)), held_out)
    chosen = np.random.default_rng([seed, fold]).permutation(others)[:size].tolist()
    try:
        classifier = fit(
            [candidates[n] for n in chosen], [gold[n] for n in chosen], strength=STRENGTH, without=without
        )
    except ValueError:
        return {n: [] for n in held_out}
    return {n: classifier.links(candidates[n]) for n in held_out}
