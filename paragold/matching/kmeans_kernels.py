"""The inner loops of spherical k-means, compiled by Numba: importing this takes half a second and 80 MB.

Headlines are unit vectors, known by their cosines only: `cosines` has shape (headlines, headlines) and ones
on its diagonal. `chances` are numbers from 0 to 1, so that all randomness comes from the caller's generator.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.parallel import compiled

Array = NDArray[Any]

_MIN_GAIN = 1e-9


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
