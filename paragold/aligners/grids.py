"""The word pairs of many sentence pairs in one array, so that all are worked on at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.expectation_maximisation import FloatArray, IntArray
from paragold.parallel import compiled

MARGIN = 3
"""Zeros around each matrix: so far may a value be from the cell that asks for it."""


class Grids:
    """The layout of P matrices of I x J cells, one for each sentence pair, with zeros around each.

    The cells of all pairs are numbered by pair, row and column; so are the rows and columns of all pairs.
    """

    def __init__(self, shapes: Sequence[tuple[int, int]]) -> None:
        """`shapes`: (I, J) of each pair."""
        self.heights, self.widths = np.array(shapes, dtype=np.int64).reshape(-1, 2).T
        self.strides = self.widths + MARGIN
        """How far apart in the array two cells of one column and neighbouring rows are. Shape (P,)."""
        around = MARGIN * self.strides + MARGIN
        sizes = self.heights * self.strides + 2 * around
        self.starts = np.cumsum(sizes) - sizes + around
        """Place of the first cell of each pair."""
        self.size = int(sizes.sum())
        self.first_rows = np.cumsum(self.heights) - self.heights
        self.first_columns = np.cumsum(self.widths) - self.widths

    def cells(self) -> tuple[IntArray, IntArray, IntArray]:
        """Of every cell its pair, row and column, the latter two counted within the pair."""
        sizes = self.heights * self.widths
        pairs = np.repeat(np.arange(len(sizes)), sizes)
        numbers = np.arange(len(pairs)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return pairs, *np.divmod(numbers, self.widths[pairs])

    def places(self, pairs: IntArray, rows: IntArray, columns: IntArray) -> IntArray:
        """Where cells lie in the array."""
        return np.asarray(self.starts[pairs] + rows * self.strides[pairs] + columns)

    def filled(self, places: IntArray, values: NDArray[np.generic]) -> FloatArray:
        """The array with these values, and zeros elsewhere."""
        filled = np.zeros(self.size)
        filled[places] = values
        return filled

    def row_sums(self, filled: FloatArray) -> FloatArray:
        """The sum of every row of all pairs."""
        return np.concatenate(
            [
                filled[start : start + height * stride].reshape(height, stride)[:, :width].sum(axis=1)
                for start, height, width, stride in zip(
                    *(one.tolist() for one in (self.starts, self.heights, self.widths, self.strides)),
                    strict=True,
                )
            ]
        )


def rivals(values: FloatArray, rows: IntArray, columns: IntArray) -> tuple[FloatArray, FloatArray]:
    """For each cell the highest other value of its row and of its column, higher first.

    Values are not negative; `rows` and `columns` are those of the cells, and cells that are left out are 0.
    """
    row, column = (_highest_others(values, lines) for lines in (rows, columns))
    return np.maximum(row, column), np.minimum(row, column)


def _highest_others(values: FloatArray, lines: IntArray) -> FloatArray:
    highest, second = two_highest(values, lines, int(lines.max(initial=-1)) + 1)
    return np.where(values == highest[lines], second[lines], highest[lines])


@compiled
def two_highest(values: FloatArray, lines: IntArray, size: int) -> tuple[FloatArray, FloatArray]:
    """The highest and the second highest value of each of `size` lines, 0 where there is none."""
    highest, second = np.zeros(size), np.zeros(size)
    for number in range(len(values)):
        value, line = values[number], lines[number]
        if value > highest[line]:
            highest[line], second[line] = value, highest[line]
        elif value > second[line]:
            second[line] = value
    return highest, second


@compiled
def runs(places: IntArray, steps: IntArray, size: int) -> FloatArray:
    """How many of the cells at `places` follow one another, each a step from the next; 0 at all others.

    A cell comes after that which is a step before it.
    """
    lengths = np.zeros(size)
    for number in range(len(places)):
        lengths[places[number]] = lengths[places[number] - steps[number]] + 1
    return lengths


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
