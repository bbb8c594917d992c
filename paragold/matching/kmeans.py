"""Spherical k-means of the headlines of a cluster, with k by the PK1 stopping rule.

As Wubben et al. (2009) did it with CLUTO and SenseClusters. Everything is computed from the cosines of pairs.
For each k several starts are made, by a seed, and the solution with the highest criterion I2 is kept. PK1
chooses among these by the criterion H2 (Pedersen & Kulkarni 2006). With D_r the sum of the unit vectors of
group r, n_r their number, and D the sum of all (Zhao & Karypis):

    I2 = sum |D_r|,   E1 = sum n_r (D_r . D) / (|D_r| |D|),   H2 = I2 / E1

The inner loops are compiled by Numba: importing this takes half a second and 80 MB. In them headlines are
unit vectors, known by their cosines only: `cosines` has shape (headlines, headlines) and ones on its
diagonal. `chances` are numbers from 0 to 1, so that all randomness comes from the caller's generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import Any

import numpy as np

from paragold.arrays import Array, Floats, Integers
from paragold.matching.specs import DELTA, PK1_THRESHOLD, STARTS
from paragold.parallel import compiled

# CLUTO prints criteria with so many digits, and SenseClusters reads what it prints.
_DIGITS = 3
_MIN_GAIN = 1e-9


class Groupings:
    """The solutions of k-means for k = 1, 2, ..., from which PK1 chooses, as far as needed; or for one k.

    similarities: cosines, shape (headlines, headlines). Headlines without any weight (0 with themselves) are
    in groups of one.
    starts: for each k; centres: how the first ones of a start are drawn; seed: of all draws.
    """

    def __init__(
        self, similarities: Floats, *, starts: int = STARTS, centres: str = "k-means++", seed: int = 1
    ) -> None:
        self._weighty = np.flatnonzero(np.diag(similarities) > 0)
        self._alone = [[int(index)] for index in np.flatnonzero(np.diag(similarities) <= 0)]
        self._cosines = similarities[np.ix_(self._weighty, self._weighty)]
        np.fill_diagonal(self._cosines, 1)
        self._starts, self._centres, self._seed = starts, centres, seed
        self._generator = np.random.default_rng(seed)
        self._solutions: list[Integers] = []
        self._criteria: list[float] = []
        self._scores: dict[int, Floats] = {}

    def at(self, threshold: float = PK1_THRESHOLD, delta: int = DELTA) -> list[list[int]]:
        """The groups that PK1 chooses, by their first members; members ascending."""
        k = self.choice(threshold, delta)
        return self._groups(self.solution(k)) if k else self._alone

    def choice(self, threshold: float = PK1_THRESHOLD, delta: int = DELTA) -> int:
        """The number of groups that PK1 chooses for the headlines with weight; 0 without any."""
        if not self._weighty.size:
            return 0
        if delta not in self._scores:
            # H2 for k = 1 to the k where it stops changing, or to one group for each headline.
            k = 1
            self.solution(k)
            while k < self._weighty.size and not stops(self._criteria[:k], delta):
                k += 1
                self.solution(k)
            self._scores[delta] = pk1_scores(self._criteria[:k])
        return pk1_choice(self._scores[delta], threshold)

    def only(self, k: int) -> list[list[int]]:
        """The groups for this k alone, from starts of its own: no smaller k is computed first."""
        chances = np.random.default_rng((self._seed, k)).random((self._starts, k))
        return self._groups(self._best(chances)) if k else self._alone

    def solution(self, k: int) -> Integers:
        """Labels from 0 of the headlines that have weight; no group is empty.

        Raises ValueError when there are fewer such headlines than k.
        """
        if k > self._weighty.size:
            raise ValueError(f"{self._weighty.size} headlines cannot make {k} groups.")
        while len(self._solutions) < k:
            labels = self._best(self._generator.random((self._starts, len(self._solutions) + 1)))
            self._solutions.append(labels)
            self._criteria.append(criterion_h2(self._cosines, labels))
        return self._solutions[k - 1]

    def _best(self, chances: Floats) -> Integers:
        labels: Integers = best_solution(self._cosines, chances, self._centres == "k-means++")
        return labels

    def _groups(self, labels: Integers) -> list[list[int]]:
        """The groups, and each headline without weight alone, by their first members."""
        groups = [self._weighty[labels == label].tolist() for label in range(labels.max() + 1)]
        return sorted(groups + self._alone)


def criterion_i2(similarities: Floats, labels: Integers) -> float:
    """I2, similarity within groups: the sum of the lengths |D_r|."""
    return float(_lengths(similarities, labels).sum())


def criterion_h2(similarities: Floats, labels: Integers) -> float:
    """H2 = I2 / E1: similarity within groups over that of groups to the whole."""
    lengths = _lengths(similarities, labels)
    to_all = np.bincount(labels, similarities.sum(axis=0))
    external = (np.bincount(labels) * to_all / lengths).sum() / np.sqrt(similarities.sum())
    return float(lengths.sum() / external)


def _lengths(similarities: Floats, labels: Integers) -> Floats:
    squares = np.bincount(labels, ((labels[:, None] == labels) * similarities).sum(axis=1))
    lengths: Floats = np.sqrt(squares)
    return lengths


def stops(criteria: Sequence[float], delta: int) -> bool:
    """Whether the last of the criteria for k = 1, 2, ... is at most `delta` above the one before.

    The rule of SenseClusters: criteria have three significant digits, and delta counts in units of the last,
    so that 5 is 0.005 for criteria from 0.1 to 1 and 0.05 for those from 1 to 10.
    """
    if len(criteria) < 2:
        return False
    before, last = (_rounded(value) for value in criteria[-2:])
    # One in the last of the significant digits.
    unit = 10.0 ** (floor(log10(before)) - _DIGITS + 1)
    # Half a unit of a digit more: the difference of two rounded values is rounded too.
    return last - before <= (delta + 0.5) * unit


def pk1_scores(criteria: Sequence[float]) -> Floats:
    """PK1(k) = (Cr(k) - mean) / standard deviation of the criteria for k = 1 to dK; 0 where all are equal."""
    values = np.array([_rounded(value) for value in criteria])
    deviation = values.std()
    if deviation <= 1e-9 * values.mean():
        return np.zeros(values.size)
    scores: Floats = (values - values.mean()) / deviation
    return scores


def pk1_choice(scores: Floats, threshold: float = PK1_THRESHOLD) -> int:
    """The number of groups that PK1 (Pedersen & Kulkarni 2006) chooses by its scores for k = 1 to dK.

    k - 1 for the first k from 2 on whose score is above the threshold. Where there is none, dK - 1: the k
    before the one that no longer improves. (SenseClusters takes one group then.)
    """
    above = np.flatnonzero(scores[1:] > threshold)
    return int(above[0]) + 1 if above.size else max(scores.size - 1, 1)


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS - 1}e}")


@compiled
def best_solution(cosines: Array, chances: Array, spread: bool) -> Any:
    """Labels (headlines,) of the start with the highest criterion I2, the first among equals.

    chances: shape (starts, groups). spread: centres by k-means++, else each headline with the same chance.
    """
    best = np.zeros(len(cosines), np.int64)
    highest = -1.0
    for start in range(len(chances)):
        centres = (
            _spread_centres(cosines, chances[start]) if spread else _any_centres(cosines, chances[start])
        )
        labels, criterion = _settled(cosines, centres)
        if criterion > highest + _MIN_GAIN:
            best, highest = labels, criterion
    return best


@compiled
def _any_centres(cosines: Array, chances: Array) -> Any:
    """Different headlines, each set of them with the same chance."""
    order = np.arange(len(cosines))
    for place in range(chances.size):
        other = place + int(chances[place] * (order.size - place))
        order[place], order[other] = order[other], order[place]
    return order[: chances.size]


@compiled
def _spread_centres(cosines: Array, chances: Array) -> Any:
    """Different headlines by k-means++ (Arthur & Vassilvitskii 2007): each with a chance in proportion to its
    squared distance, 2 - 2 cosine, from the nearest centre; where all are at a centre, any that is none."""
    centres = np.empty(chances.size, np.int64)
    free = np.ones(len(cosines))
    # The first centre is any headline: as if all were equally far from it.
    distances = np.ones(len(cosines))
    for place in range(chances.size):
        weights = distances * free
        if weights.sum() <= _MIN_GAIN:
            weights = free
        sums = np.cumsum(weights)
        chosen = np.searchsorted(sums, chances[place] * sums[-1], side="right")
        # Rounding may lead beyond the last one with a weight.
        while chosen >= sums.size or weights[chosen] == 0:
            chosen -= 1
        centres[place] = chosen
        free[chosen] = 0
        nearest = np.maximum(1 - cosines[chosen], 0)
        distances = np.minimum(distances, nearest) if place else nearest
    return centres


@compiled
def _settled(cosines: Array, centres: Array) -> Any:
    """Labels from these centres on, and their I2: the sum of the lengths of the groups' sums.

    Each headline joins the nearest centre. Then headlines move, one by one in their order, to where they
    raise I2 most, until none does, as CLUTO refines.
    The last headline of a group stays: by joining others it could not raise I2 (triangle inequality).
    """
    headlines, groups = len(cosines), centres.size
    labels = np.empty(headlines, np.int64)
    for headline in range(headlines):
        labels[headline] = 0
        for group in range(1, groups):
            if cosines[headline, centres[group]] > cosines[headline, centres[labels[headline]]]:
                labels[headline] = group
    for group in range(groups):
        labels[centres[group]] = group
    # The sum of the cosines of each headline to the members of each group.
    sums = np.zeros((headlines, groups))
    for headline in range(headlines):
        for other in range(headlines):
            sums[other, labels[headline]] += cosines[headline, other]
    squares, sizes = np.zeros(groups), np.zeros(groups, np.int64)
    for headline in range(headlines):
        squares[labels[headline]] += sums[headline, labels[headline]]
        sizes[labels[headline]] += 1
    lengths = np.sqrt(squares)
    moved = True
    while moved:
        moved = False
        for headline in range(headlines):
            own = labels[headline]
            if sizes[own] == 1:
                continue
            without = squares[own] - 2 * sums[headline, own] + 1
            loss = lengths[own] - np.sqrt(max(without, 0.0))
            best, highest = own, loss + _MIN_GAIN
            for group in range(groups):
                gain = np.sqrt(squares[group] + 2 * sums[headline, group] + 1) - lengths[group]
                if group != own and gain > highest:
                    best, highest = group, gain
            if best != own:
                squares[own] = max(without, 0.0)
                squares[best] += 2 * sums[headline, best] + 1
                sizes[own] -= 1
                sizes[best] += 1
                lengths[own], lengths[best] = np.sqrt(squares[own]), np.sqrt(squares[best])
                for other in range(headlines):
                    sums[other, own] -= cosines[headline, other]
                    sums[other, best] += cosines[headline, other]
                labels[headline] = best
                moved = True
    return labels, lengths.sum()
