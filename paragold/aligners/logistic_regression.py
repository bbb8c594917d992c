"""Logistic regression with L2 regularisation, fitted by Newton's method (Hastie et al. 2009, 4.4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from paragold.aligners.translation_tables import FloatArray

_MOST_STEPS = 50
_SMALLEST_GAIN = 1e-10
"""Share of the loss that a step must save for another one to follow."""
_SURE = 20.0
"""Log-odds where all answers are alike."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression over standardised features."""

    mean: FloatArray
    scale: FloatArray
    weights: FloatArray
    bias: float

    def contributions(self, features: FloatArray) -> FloatArray:
        """What each feature adds to the log-odds, rows as `features`; the rest is `bias`."""
        return np.asarray((features - self.mean) / self.scale * self.weights)

    def probabilities(self, features: FloatArray) -> FloatArray:
        """The probability of each row's link, from 0 to 1."""
        odds = self.contributions(features).sum(axis=1) + self.bias
        return np.asarray(1 / (1 + np.exp(-odds)))


def fit_regression(
    features: Sequence[FloatArray],
    answers: Sequence[FloatArray],
    strength: float,
    ignored: NDArray[np.bool_],
) -> Regression:
    """Learn from the rows of some sentence pairs; an answer between 0 and 1 counts in part for either.

    `strength` is the inverse of the weight of the regularisation, which spares the bias. Features that are
    `ignored`, or the same everywhere, have no weight.
    """
    rows, soft = np.vstack(features), np.concatenate(answers)
    mean = rows.mean(axis=0)
    scale = rows.std(axis=0)
    scale[(scale < 1e-9) | ignored[: len(scale)]] = np.inf
    if soft.max() == 0 or soft.min() == 1:
        return Regression(mean, scale, np.zeros(len(mean)), _SURE if soft.max() else -_SURE)
    rows -= mean
    rows /= scale
    # On one thread sums are taken in one order: the same numbers however many cores there are.
    with threadpool_limits(limits=1):
        weights = _newton(rows, soft, strength)
    return Regression(mean, scale, weights[:-1], float(weights[-1]))


def _newton(rows: FloatArray, soft: FloatArray, strength: float) -> FloatArray:
    """The weights, and behind them the bias, with the lowest regularised loss."""
    size = rows.shape[1]
    found = np.zeros(size + 1)
    found[size] = np.log(soft.mean() / (1 - soft.mean()))
    odds, loss = _loss(rows, soft, strength, found)
    for _ in range(_MOST_STEPS):
        probabilities = 1 / (1 + np.exp(-odds))
        residuals = strength * (probabilities - soft)
        gradient = np.append(rows.T @ residuals + found[:size], residuals.sum())
        spread = strength * probabilities * (1 - probabilities)
        weighted = rows * spread[:, None]
        curvature = np.empty((size + 1, size + 1))
        curvature[:size, :size] = rows.T @ weighted + np.eye(size)
        curvature[size, :size] = curvature[:size, size] = weighted.sum(axis=0)
        curvature[size, size] = spread.sum() + 1e-9
        step = np.linalg.solve(curvature, gradient)
        before = loss
        # A whole step may go too far where the loss is far from a parabola.
        for share in 0.5 ** np.arange(20):
            odds, loss = _loss(rows, soft, strength, found - share * step)
            if loss <= before:
                found = found - share * step
                break
        if before - loss <= _SMALLEST_GAIN * before:
            break
    return found


def _loss(rows: FloatArray, soft: FloatArray, strength: float, found: FloatArray) -> tuple[FloatArray, float]:
    odds = rows @ found[:-1] + found[-1]
    loss = strength * (np.logaddexp(0, odds) - soft * odds).sum() + found[:-1] @ found[:-1] / 2
    return odds, float(loss)
