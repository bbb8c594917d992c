"""Arithmetic on values of all cells of a sentence pair, I x J."""

from __future__ import annotations

import numpy as np

from paragold.aligners.translation_tables import FloatArray


def logit(probability: FloatArray) -> FloatArray:
    """Logarithm of the odds, from about -7 to 7."""
    clipped = probability.clip(0.001, 0.999)
    return np.asarray(np.log(clipped / (1 - clipped)))


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


def rivals(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each cell the highest other value of its row and of its column, higher first."""

    def others(values: FloatArray) -> FloatArray:
        if values.shape[1] < 2:
            return np.zeros_like(values)
        ordered = np.partition(values, -2, axis=1)
        return np.where(values == ordered[:, -1:], ordered[:, -2:-1], ordered[:, -1:])

    row, column = others(matrix), others(matrix.T).T
    return np.maximum(row, column), np.minimum(row, column)
