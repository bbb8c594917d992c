"""k-means of the headlines of a cluster by cosine, with k by the PK1 stopping rule.

Everything is computed from the cosines of pairs: the cosine of a headline to the centre of a group is the sum
of its cosines to the members, divided by the length of the members' sum. No chance is involved: the solution
for k groups starts from that for k - 1 with the headline that fits worst as a centre of its own.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]
Matrix = NDArray[np.float64]

PK1_THRESHOLD = 1.0
_ITERATIONS = 50
_MIN_GAIN = 1e-9


class Groupings:
    """The solutions of k-means for every k, from which PK1 chooses one for any threshold.

    similarities: cosines, shape (headlines, headlines). Headlines without any weight (0 with themselves)
    are in groups of one.
    """

    def __init__(self, similarities: Matrix) -> None:
        self._weighty = np.flatnonzero(np.diag(similarities) > 0)
        self._alone = [[int(index)] for index in np.flatnonzero(np.diag(similarities) <= 0)]
        cosines = similarities[np.ix_(self._weighty, self._weighty)]
        self._solutions = kmeans_solutions(cosines, self._weighty.size) if self._weighty.size else []
        self._criteria = [criterion(cosines, labels) for labels in self._solutions]

    def at(self, threshold: float = PK1_THRESHOLD) -> list[list[int]]:
        """The groups, by their first members; members ascending."""
        groups = list(self._alone)
        if self._solutions:
            chosen = pk1_choice(self._criteria, threshold)
            labels = self._solutions[chosen - 1]
            groups += [self._weighty[labels == label].tolist() for label in range(chosen)]
        return sorted(groups)


def kmeans_solutions(similarities: Matrix, maximum: int) -> list[Labels]:
    """Labels from 0, shape (headlines,), for k = 1 to `maximum` groups; no group is empty.

    Raises ValueError when there are fewer headlines than groups.
    """
    if maximum > len(similarities):
        raise ValueError(f"{len(similarities)} headlines cannot make {maximum} groups.")
    groups = _Groups(similarities, maximum)
    solutions = [groups.labels.copy()]
    for _ in range(1, maximum):
        groups.split_worst()
        groups.settle()
        solutions.append(groups.labels.copy())
    return solutions


def criterion(similarities: Matrix, labels: Labels) -> float:
    """H2 = I2 / E1 of Zhao & Karypis: similarity within groups over that of groups to the whole.

    With D_r the sum of the vectors of group r and D that of all: I2 is the sum of |D_r|, E1 that of
    n_r * (D_r . D) / |D_r|. (CLUTO divides E1 by |D| too, which PK1 does not notice.)
    """
    squares = np.bincount(labels, ((labels[:, None] == labels) * similarities).sum(axis=1))
    lengths = np.sqrt(np.maximum(squares, 0))
    to_all = np.bincount(labels, similarities.sum(axis=0))
    return float(lengths.sum() / (np.bincount(labels) * to_all / lengths).sum())


def pk1_choice(criteria: Sequence[float], threshold: float = PK1_THRESHOLD) -> int:
    """How many groups PK1 (Pedersen & Kulkarni 2006) chooses from the criterion for k = 1, 2, ...

    PK1(k) = (Cr(k) - mean) / standard deviation, over all k. k - 1 is chosen for the first k at which it is
    above the threshold; the maximum groups when there is none, and one when all criteria are equal.
    """
    values = np.asarray(criteria)
    deviation = values.std()
    if deviation <= _MIN_GAIN * abs(values.mean()):
        return 1
    above = np.flatnonzero((values - values.mean()) / deviation > threshold)
    return max(int(above[0]), 1) if above.size else len(values)


class _Groups:
    """Headlines in groups; the sum of each headline's cosines to each group's members is kept up to date."""

    def __init__(self, similarities: Matrix, maximum: int) -> None:
        self.similarities = similarities
        self.everyone = np.arange(len(similarities))
        self.labels = np.zeros(len(similarities), np.int64)
        self.sizes = np.array([len(similarities)])
        # Room for all groups: shape (maximum, headlines).
        self.sums = np.zeros((maximum, len(similarities)))
        self.sums[0] = similarities.sum(axis=0)

    def split_worst(self) -> None:
        """One more group, of the headline farthest from its centre; one that is alone stays."""
        own = self.fits()[self.labels, self.everyone]
        shared = self.sizes[self.labels] > 1
        self.sizes = np.append(self.sizes, 0)
        self.move(int(np.argmin(np.where(shared, own, np.inf))), self.sizes.size - 1)

    def settle(self) -> None:
        """Headlines go to the centre that is nearest until none moves; the last of a group stays."""
        for _ in range(_ITERATIONS):
            fits = self.fits()
            nearest = np.argmax(fits, axis=0)
            gains = fits[nearest, self.everyone] - fits[self.labels, self.everyone]
            moved = False
            for index in np.flatnonzero(gains > _MIN_GAIN):
                if self.sizes[self.labels[index]] > 1:
                    self.move(int(index), int(nearest[index]))
                    moved = True
            if not moved:
                break

    def move(self, index: int, label: int) -> None:
        before = self.labels[index]
        self.sizes[before] -= 1
        self.sizes[label] += 1
        self.sums[before] -= self.similarities[index]
        self.sums[label] += self.similarities[index]
        self.labels[index] = label

    def fits(self) -> Matrix:
        """The cosine of each headline to the centre of each group, shape (groups, headlines)."""
        sums = self.sums[: self.sizes.size]
        squares = np.bincount(self.labels, sums[self.labels, self.everyone], minlength=self.sizes.size)
        fits: Matrix = sums / np.sqrt(np.maximum(squares, 1e-300))[:, None]
        return fits
