"""Splits into train, dev and test: no cluster is divided, and no sentence is in two of them."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paragold.arrays import Integers

SPLITS = ("train", "dev", "test")
_SHARES = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})\s*/\s*(\d{1,3})", re.ASCII)


Shares = Mapping[str, int]
"""The share of the pairs that each of SPLITS is to have, in hundredths; they sum to 100."""


def parse_shares(text: str) -> Shares | None:
    """Shares such as `80/10/10`; None for an empty text. Raises ValueError for anything else."""
    if not text.strip():
        return None
    match = _SHARES.fullmatch(text.strip())
    if match is None:
        raise ValueError("Write three whole numbers, such as 80/10/10.")
    shares = dict(zip(SPLITS, map(int, match.groups()), strict=True))
    if sum(shares.values()) != 100:
        raise ValueError("The shares of train, dev and test must sum to 100.")
    return shares


Division = tuple[dict[str, str], dict[str, int], int]
"""The split of each cluster by its key, the groups in each split, and the pairs of the largest group."""


def described(
    shares: Shares, division: Division, pairs: Mapping[str, int], clusters: Mapping[str, int]
) -> dict[str, Any]:
    """For a manifest: requested and reached shares; `pairs` and `clusters` are those written."""
    _, groups, largest = division
    total = sum(pairs.values())
    return {
        "splits": {
            name: {
                "asked": shares[name] / 100,
                "reached": round(pairs[name] / total, 4) if total else 0.0,
                "pairs": pairs[name],
                "clusters": clusters[name],
                "groups": groups[name],
            }
            for name in SPLITS
        },
        "largest_group": {"pairs": largest, "share": round(largest / total, 4) if total else 0.0},
    }


class PairGroups:
    """The sentences and clusters of pairs, added one by one; pairs that share either are in one group."""

    def __init__(self) -> None:
        # NumPy is loaded by those who divide, not by those who only read shares.
        from paragold.folds import sentence_key

        self._sentence_key = sentence_key
        self._clusters: dict[str, int] = {}
        self._pairs = array("q")
        self._cluster_of = array("q")
        self._sentences = array("q")
        self._joined: set[tuple[int, int]] = set()

    def add_sentence(self, cluster: str, tokens: str) -> None:
        """A sentence of a pair, as tokens separated by spaces, and the key of its cluster."""
        self._cluster_of.append(self._number(cluster))
        self._sentences.append(self._sentence_key(tokens))

    def add_pair(self, cluster: str, other: str) -> None:
        """A pair by the clusters of its two sentences, which are mostly the same one."""
        number = self._number(cluster)
        self._pairs[number] += 1
        if other != cluster:
            self._joined.add((number, self._number(other)))

    def _number(self, cluster: str) -> int:
        number = self._clusters.setdefault(cluster, len(self._clusters))
        if number == len(self._pairs):
            self._pairs.append(0)
        return number

    def divide(self, shares: Shares, *, seed: int = 1, for_testing: Collection[str] = ()) -> Division:
        """Deal the groups to the splits; equal pairs and an equal seed give an equal division.

        for_testing: keys of clusters, such as held-out ones, whose groups are all in the test split, whatever
        its share.
        """
        import numpy as np

        groups = self._groups()
        count = int(groups.max()) + 1 if len(groups) else 0
        sizes = np.bincount(groups, np.array(self._pairs, dtype=np.int64), count).astype(np.int64).tolist()
        names: list[str] = [""] * count
        numbers = groups.tolist()
        for cluster, number in zip(self._clusters, numbers, strict=True):
            names[number] = min(names[number] or cluster, cluster)
        only_test = {
            number for cluster, number in zip(self._clusters, numbers, strict=True) if cluster in for_testing
        }
        dealt = _dealt(shares, seed, sizes, names, only_test)
        split_of = {cluster: dealt[number] for cluster, number in zip(self._clusters, numbers, strict=True)}
        return split_of, {name: dealt.count(name) for name in SPLITS}, max(sizes, default=0)

    def _groups(self) -> Integers:
        """The group of each cluster."""
        import numpy as np

        from paragold.folds import connected

        _, texts = np.unique(np.array(self._sentences, dtype=np.int64), return_inverse=True)
        clusters = len(self._clusters)
        joined = np.array(sorted(self._joined), dtype=np.int64).reshape(-1, 2)
        first = np.concatenate((np.array(self._cluster_of, dtype=np.int64), joined[:, 0]))
        second = np.concatenate((texts + clusters, joined[:, 1]))
        group_of = connected(first, second, clusters + int(texts.max(initial=-1)) + 1)[:clusters]
        return np.unique(group_of, return_inverse=True)[1].astype(np.int64)


def _dealt(
    shares: Shares, seed: int, sizes: list[int], names: list[str], only_test: Collection[int]
) -> list[str]:
    """The split of each group: large ones first, each to the split that is furthest behind its share.

    Groups of `only_test`, by number, are in the test split before any other is dealt. The seed decides the
    order among groups of about equal size (within a factor of two).
    """
    seeded = [
        blake2b(f"{seed}\x1f{name}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        for name in names
    ]
    order = sorted(range(len(sizes)), key=lambda group: (-sizes[group].bit_length(), seeded[group]))
    open_to = [name for name in SPLITS if shares[name]]
    held = dict.fromkeys(open_to, 0)
    dealt = [""] * len(sizes)
    for group in only_test:
        dealt[group] = "test"
        if "test" in held:
            held["test"] += sizes[group]
    for group in order:
        if dealt[group]:
            continue
        size = sizes[group]
        chosen = min(open_to, key=lambda name: (held[name] + size / 2) / shares[name])
        dealt[group] = chosen
        held[chosen] += size
    return dealt
