"""Pairs of headlines of one cluster by cosine, with their contexts where titles do not decide."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paragold.matching.headline_vectors import Matrix

UPPER = 0.5
LOWER = 0.2


@dataclass(frozen=True, slots=True)
class PairwiseThresholds:
    """Above `upper` a pair is accepted, below `lower` rejected; theirs are the defaults.

    Raises ValueError unless 0 <= lower <= upper <= 1.
    """

    upper: float = UPPER
    lower: float = LOWER

    def __post_init__(self) -> None:
        if not 0 <= self.lower <= self.upper <= 1:
            raise ValueError(
                f"The thresholds are {self.lower} and {self.upper}: the lower may not be above the upper, "
                "and both lie between 0 and 1."
            )


def pairwise_links(titles: Matrix, contexts: Matrix, thresholds: PairwiseThresholds) -> list[tuple[int, int]]:
    """The pairs (first < second) that are accepted, in order (section 2.2).

    titles, contexts: cosines, shape (headlines, headlines). Between the thresholds a pair is accepted when
    the cosine of its contexts is above the upper one.
    """
    first, second = np.triu_indices(len(titles), 1)
    titles, contexts = titles[first, second], contexts[first, second]
    accepted = titles > thresholds.upper
    accepted |= (titles >= thresholds.lower) & (contexts > thresholds.upper)
    return list(zip(first[accepted].tolist(), second[accepted].tolist(), strict=True))


def transitive_closure(links: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The links, and all that they imply: every pair of headlines that a chain of links joins, in order."""
    leader: dict[int, int] = {}

    def find(node: int) -> int:
        leader.setdefault(node, node)
        while (above := leader[node]) != node:
            leader[node] = leader[above]
            node = above
        return node

    for first, second in links:
        low, high = sorted((find(first), find(second)))
        leader[high] = low
    groups: dict[int, list[int]] = defaultdict(list)
    for node in leader:
        groups[find(node)].append(node)
    return links_within(groups.values())


def links_within(groups: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """Every pair (first < second) of members of one group, in order."""
    return sorted(pair for group in groups for pair in combinations(sorted(group), 2))
