"""Which pairs belong together, and folds that keep them together.

Pairs of one cluster belong together, and those that share a sentence: nothing that is learned from one group
is in another.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from hashlib import blake2b

import numpy as np

from paragold.arrays import Flags, Integers
from paragold.extraction.records import sentence_bytes
from paragold.metrics.links import LinkedPair


def sentence_key(tokens: str) -> int:
    """A number for a sentence of tokens separated by spaces, equal where they are equal in lower case.

    It has 64 bits: two sentences that share one by chance only make a group larger.
    """
    digest = blake2b(sentence_bytes(tokens.lower().split(" ")), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def group_numbers(pairs: Iterable[Iterable[Hashable]]) -> Integers:
    """The group of each pair, (n,), numbered from 0 in the order in which they appear.

    Each pair is given by what it must share with no other group: its sentences, its clusters.
    """
    numbers: dict[Hashable, int] = {}
    first, second, count = [], [], 0
    for marks in pairs:
        for mark in marks:
            first.append(count)
            second.append(numbers.setdefault(mark, len(numbers)))
        count += 1
    labels = connected(
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64) + count,
        count + len(numbers),
    )[:count]
    _, places, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(places))[inverse]


def connected(first: Integers, second: Integers, count: int) -> Integers:
    """The number of the connected component of each of `count` nodes; edge i joins first[i] and second[i]."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    edges = coo_matrix((np.ones(len(first), dtype=np.int32), (first, second)), shape=(count, count))
    labels: Integers = connected_components(edges, directed=False)[1].astype(np.int64)
    return labels


FOLDS = 5
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def groups_of(pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> list[int]:
    """The group of each pair of token lists: pairs that share a sentence are in one."""
    numbers = group_numbers([sentence_key(" ".join(tokens)) for tokens in pair] for pair in pairs)
    return [int(number) for number in numbers]


def apart_from(
    gold: Iterable[LinkedPair], pairs: Iterable[tuple[Sequence[str], Sequence[str]]]
) -> list[LinkedPair]:
    """The pairs of `gold` that share no sentence with `pairs`."""
    known = {sentence_key(" ".join(tokens)) for pair in pairs for tokens in pair}
    return [
        linked
        for linked in gold
        if known.isdisjoint(sentence_key(" ".join(tokens)) for tokens in linked.tokens)
    ]


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
    of = np.array(groups, dtype=np.int64)
    sizes = np.bincount(of)
    parts = min(FOLDS, len(sizes))
    fold_of, _ = _dealt(sizes[:, None], _largest_first(sizes, seed), [], parts)
    return [np.flatnonzero(fold_of[of] == fold).tolist() for fold in range(parts)]


def assign_folds(groups: Integers, labels: Flags, *, folds: int, seed: int = 0) -> Integers:
    """The fold, from 0, of each pair (n,): whole groups, largest first, to the fold with the minimum.

    Groups of equal size come in an order drawn by seed; the minimum is counted in pairs of the label that
    the group has most of. If that leaves a fold without one of the labels, each fold first gets a group with
    both labels or one group of each (scikit-learn's StratifiedGroupKFold misses such divisions: its issue
    34828). Raises ValueError where no division of the groups has both labels in every fold.
    """
    count = int(groups.max()) + 1 if len(groups) else 0
    positive = np.bincount(groups, labels.astype(np.float64), minlength=count).astype(np.int64)
    in_groups = np.column_stack([np.bincount(groups, minlength=count) - positive, positive])
    order = _largest_first(in_groups.sum(axis=1), seed)
    fold_of, complete = _dealt(in_groups, order, [], folds)
    if not complete:
        fold_of, complete = _dealt(in_groups, order, _first_groups(in_groups, order, folds), folds)
    if not complete:
        raise ValueError(
            f"Too few pairs for {folds} folds: each needs paraphrases and others from separate clusters. "
            f"There are {int(labels.sum())} paraphrases and {int((~labels).sum())} others in {count} groups "
            "of pairs that share a cluster or a sentence."
        )
    return fold_of[groups]


def _largest_first(sizes: Integers, seed: int) -> Integers:
    """The groups from the largest to the smallest; those of equal size in an order drawn by seed."""
    drawn = np.random.default_rng(seed).permutation(len(sizes))
    return drawn[np.argsort(-sizes[drawn], kind="stable")]


def _first_groups(in_groups: Integers, order: Integers, folds: int) -> list[list[int]]:
    """The groups, largest first, that give a fold both labels, for as many of `folds` as there are.

    A fold with both labels has a group with both or a group of each, so that as many folds are possible as
    there are groups with both and pairs of groups of one label each.
    """
    has = in_groups[order] > 0
    both = order[has.all(axis=1)].tolist()
    others, paraphrases = (order[has[:, label] & ~has[:, 1 - label]].tolist() for label in (0, 1))
    first = [[group] for group in both] + [list(two) for two in zip(others, paraphrases, strict=False)]
    return first[:folds]


def _dealt(in_groups: Integers, order: Integers, first: list[list[int]], folds: int) -> tuple[Integers, bool]:
    """The fold of each group, and whether all folds have all labels; `first` are in folds 0, 1, ...

    in_groups: how many pairs of each label each group has, (groups, labels).
    """
    fold_of = np.full(len(in_groups), -1, dtype=np.int64)
    held = np.zeros((folds, in_groups.shape[1]), dtype=np.int64)
    for fold, members in enumerate(first):
        fold_of[members] = fold
        held[fold] = in_groups[members].sum(axis=0)
    for group in order[fold_of[order] < 0].tolist():
        majority = int(in_groups[group].argmax())
        fold = min(range(folds), key=lambda n: (held[n, majority], held[n].sum(), n))
        fold_of[group] = fold
        held[fold] += in_groups[group]
    return fold_of, bool((held > 0).all())


def curve_sizes(parts: Sequence[Sequence[int]]) -> list[int]:
    """Numbers of gold pairs to learn from; the last is what all parts but the largest one hold.

    Empty where that is fewer than three pairs.
    """
    largest = sum(map(len, parts)) - max(map(len, parts), default=0)
    if largest < 3:
        return []
    return [*(size for size in SIZES if size < 0.9 * largest), largest]
