"""The steps of an encoder between its matrix products, compiled: each passes over the numbers once or twice.

All work on float32 rows in place. They take the rows by number: in a loop over the rows themselves Numba does
not use the processor's vectors, which takes nine times as long.
"""

from __future__ import annotations

import numpy as np

from paragold.arrays import Float32s
from paragold.parallel import compiled
from paragold.text.encoder_files import LANES

_ZERO, _HALF, _ONE = np.float32(0), np.float32(0.5), np.float32(1)
_ROOT = np.float32(0.5**0.5)
_FARTHEST = np.float32(4)
"""Beyond it float32 has no number between the error function and 1."""


@compiled
def gelu(rows: Float32s, bias: Float32s) -> None:
    """Gaussian error linear units (Hendrycks & Gimpel 2016), x Phi(x), of the rows with their bias.

    The error function is the quotient of two polynomials that Eigen uses for float32.
    """
    for number in range(len(rows)):
        row = rows[number]
        for place in range(len(bias)):
            value = row[place] + bias[place]
            x = min(max(value * _ROOT, -_FARTHEST), _FARTHEST)
            square = x * x
            above = np.float32(-2.72614225801306e-10)
            above = above * square + np.float32(2.77068142495902e-08)
            above = above * square + np.float32(-2.10102402082508e-06)
            above = above * square + np.float32(-5.69250639462346e-05)
            above = above * square + np.float32(-7.34990630326855e-04)
            above = above * square + np.float32(-2.95459980854025e-03)
            above = above * square + np.float32(-1.60960333262415e-02)
            below = np.float32(-1.45660718464996e-05)
            below = below * square + np.float32(-2.13374055278905e-04)
            below = below * square + np.float32(-1.68282697438203e-03)
            below = below * square + np.float32(-7.37332916720468e-03)
            below = below * square + np.float32(-1.42647390514189e-02)
            row[place] = _HALF * value * (_ONE + x * above / below)


@compiled
def add(rows: Float32s, more: Float32s, bias: Float32s) -> None:
    """Add other rows and a bias."""
    for number in range(len(rows)):
        row, own = rows[number], more[number]
        for place in range(len(bias)):
            row[place] += own[place] + bias[place]


@compiled
def normalise(rows: Float32s, weight: Float32s, bias: Float32s, epsilon: np.float32) -> None:
    """Layer normalisation (Ba, Kiros & Hinton 2016). The size is a multiple of LANES."""
    size = len(bias)
    sums = np.zeros(LANES, dtype=np.float32)
    for number in range(len(rows)):
        row = rows[number]
        sums[:] = _ZERO
        for start in range(0, size, LANES):
            for lane in range(LANES):
                sums[lane] += row[start + lane]
        mean = sums.sum() / np.float32(size)
        sums[:] = _ZERO
        for start in range(0, size, LANES):
            for lane in range(LANES):
                apart = row[start + lane] - mean
                sums[lane] += apart * apart
        scale = _ONE / np.sqrt(sums.sum() / np.float32(size) + epsilon)
        for place in range(size):
            row[place] = (row[place] - mean) * scale * weight[place] + bias[place]
