"""The inner loop of drafting an answer key, compiled by Numba."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.parallel import compiled

Array = NDArray[Any]

# How many texts of each side a bead has (Gale & Church, table 5).
BEADS = np.array([(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (2, 2)], np.int64)


# More than any path costs that leaves these texts out.
STRANGE = 1000.0


@compiled
def _mismatch(first: float, second: float, ratio: float, variance: float) -> float:
    """-log of the chance that texts of such lengths differ so much or more, being translations."""
    if first + second == 0:
        return 0.0
    mean = (first + second / ratio) / 2
    delta = abs(second - first * ratio) / math.sqrt(mean * variance)
    return -math.log(max(math.erfc(delta / math.sqrt(2.0)), 1e-300))


@compiled
def best_beads(
    first: Array, second: Array, alike: Array, chances: Array, ratio: float, variance: float
) -> Array:
    """The beads of the cheapest path through both texts in order: rows of first index on each side and bead.

    first, second: lengths in characters, shapes (n,) and (m,). alike: bool, shape (n, m), which texts share
    enough words. chances: of each of BEADS. Each text of a bead of both sides that none of the
    other side is like costs STRANGE.
    """
    rows, columns = first.size, second.size
    # The costs of the last three rows, which is as far as a bead reaches back.
    costs = np.full((3, columns + 1), np.inf)
    chosen = np.full((rows + 1, columns + 1), -1, np.int8)
    for row in range(rows + 1):
        own = costs[row % 3]
        own[:] = np.inf
        own[0] = 0.0 if row == 0 else np.inf
        for column in range(columns + 1):
            for bead in range(BEADS.shape[0]):
                left, right = BEADS[bead, 0], BEADS[bead, 1]
                if left > row or right > column:
                    continue
                cost = costs[(row - left) % 3, column - right] - math.log(chances[bead])
                if cost >= own[column]:
                    continue
                here, there = first[row - left : row].sum(), second[column - right : column].sum()
                if left and right:
                    cost += _mismatch(here, there, ratio, variance)
                    block = alike[row - left : row, column - right : column]
                    for one in range(left):
                        cost += 0.0 if block[one].any() else STRANGE
                    for other in range(right):
                        cost += 0.0 if block[:, other].any() else STRANGE
                if cost < own[column]:
                    own[column] = cost
                    chosen[row, column] = bead
    path = np.empty((rows + columns, 3), np.int64)
    count = 0
    row, column = rows, columns
    while row or column:
        bead = chosen[row, column]
        row -= BEADS[bead, 0]
        column -= BEADS[bead, 1]
        path[count, 0], path[count, 1], path[count, 2] = row, column, bead
        count += 1
    return path[:count][::-1].copy()
