"""Word distances of long sentences for tests: the same table as `reference`, a diagonal at a time."""

from collections.abc import Sequence
from functools import cache

import numpy as np


@cache
def long_word_distance(a: tuple[str, ...], b: tuple[str, ...], replacement: int) -> int:
    """The distance where a replacement costs 1 (Levenshtein) or 2 (insertions and deletions only).

    Cells of a diagonal (i + j constant) depend on the two diagonals before only, so numpy takes them at once.
    """
    numbers: dict[str, int] = {}
    codes_a, codes_b = _codes(a, numbers), _codes(b, numbers)[::-1]
    n, m = len(a), len(b)
    before_last = last = np.full(n + 1, n + m, dtype=np.int64)
    for diagonal in range(n + m + 1):
        now = np.full(n + 1, n + m, dtype=np.int64)
        low, high = max(0, diagonal - m), min(n, diagonal)
        if diagonal == 0:
            now[0] = 0
        rows = slice(max(low, 1), high + 1)
        above = slice(max(low, 1) - 1, high)
        now[rows] = np.minimum(now[rows], last[above] + 1)
        left = slice(low, min(high, diagonal - 1) + 1)
        now[left] = np.minimum(now[left], last[left] + 1)
        first, end = max(low, 1), min(high, diagonal - 1) + 1
        if end > first:
            # The word of b beside row i is number diagonal - i - 1; b runs backwards.
            start = m - (diagonal - first)
            differs = codes_a[first - 1 : end - 1] != codes_b[start : start + end - first]
            now[first:end] = np.minimum(
                now[first:end], before_last[first - 1 : end - 1] + replacement * differs
            )
        before_last, last = last, now
    return int(last[n])


def _codes(words: Sequence[str], numbers: dict[str, int]) -> np.ndarray:
    return np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
