"""Evidence for links of phrases: words that are free beside a link, and gaps between links."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.expectation_maximisation import FloatArray

PHRASE_NAMES = (
    "phrase, free word beside a link",
    "phrase, free word beside a link, association",
    "phrase, more of both words free",
    "phrase, less of both words free",
    "phrase, gap between links",
)
_LINKED = 0.5
_BESIDE = 0.3
_LONGEST_GAP = 5


def shifted(matrix: FloatArray, down: int, right: int) -> FloatArray:
    """The value at (i + down, j + right) for each (i, j); 0 outside."""
    height, width = matrix.shape
    result = np.zeros_like(matrix)
    rows, columns = max(0, height - abs(down)), max(0, width - abs(right))
    if rows and columns:
        result[max(0, -down) : max(0, -down) + rows, max(0, -right) : max(0, -right) + columns] = matrix[
            max(0, down) : max(0, down) + rows, max(0, right) : max(0, right) + columns
        ]
    return result


def phrase_evidence(
    average: FloatArray, association: FloatArray
) -> tuple[tuple[FloatArray, ...], NDArray[np.bool_]]:
    """A matrix I x J for each of PHRASE_NAMES, and the cells that are candidates for that alone.

    `average` and `association` (logarithms), I x J, are those of the translation model's posteriors. A word
    is free as far as its highest posterior is below 1. A gap is a rectangle of up to five free words on
    either side, with links at both of its corners; its value is 1 over the longer side.
    """
    source_free = 1 - average.max(axis=1, keepdims=True, initial=0)
    target_free = 1 - average.max(axis=0, keepdims=True, initial=0)
    beside = np.maximum(
        target_free * np.maximum(shifted(average, 0, -1), shifted(average, 0, 1)),
        source_free * np.maximum(shifted(average, -1, 0), shifted(average, 1, 0)),
    )
    gaps = np.maximum(_gaps(average), _gaps(average.T).T)
    more, less = np.maximum(source_free, target_free), np.minimum(source_free, target_free)
    return (beside, beside * association, more, less, gaps), (beside > _BESIDE) | (gaps > 0)


def _gaps(average: FloatArray) -> FloatArray:
    """The value of the gap in which a cell lies, 0 outside of gaps."""
    gaps = np.zeros(average.shape)
    if not average.size:
        return gaps
    height, width = average.shape
    linked_columns = average.max(axis=0) >= _LINKED
    rows = np.flatnonzero(average.max(axis=1) >= _LINKED)
    columns = average[rows].argmax(axis=1)
    corners = [(-1, -1), *zip(rows.tolist(), columns.tolist(), strict=True), (height, width)]
    for (top, left), (bottom, right) in pairwise(corners):
        rest = bottom - top - 1, right - left - 1
        if min(rest) > 0 and max(rest) <= _LONGEST_GAP and not linked_columns[left + 1 : right].any():
            gaps[top + 1 : bottom, left + 1 : right] = 1 / max(rest)
    return gaps
