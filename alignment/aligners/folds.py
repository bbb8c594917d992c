"""Which gold pairs are held out, and from how many of the others is learned."""

from __future__ import annotations

import numpy as np

FOLDS = 5
SIZES = (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def folds(pairs: int, *, seed: int) -> list[list[int]]:
    """FOLDS parts of the numbers 0 to pairs - 1, as even as can be, each in ascending order."""
    order = np.random.default_rng(seed).permutation(pairs)
    return [sorted(order[start::FOLDS].tolist()) for start in range(min(FOLDS, pairs))]


def curve_sizes(pairs: int) -> list[int]:
    """Numbers of gold pairs to learn from; the last is what all folds but the largest one hold.

    Empty where there are fewer than four pairs: of those nothing can be held out.
    """
    most = pairs - -(-pairs // FOLDS)
    if most < 3:
        return []
    return [*(size for size in SIZES if size < 0.9 * most), most]
