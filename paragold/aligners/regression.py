"""Logistic regression over standardised features by Newton's method: soft labels, weighted rows, a prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from paragold.aligners.expectation_maximisation import FloatArray

STRENGTH = 0.03
"""The inverse of the weight of the regularisation, tuned on Edinburgh++ train and RTE-2 dev."""
BIAS_VARIANCE = 0.3
"""That of the prior of the bias: how many links people draw differs more than what speaks for a link. Tuned
with 10 to 100 pairs of the sets that the starting point was learned from."""
_MAX_STEPS = 50
_SMALLEST_GAIN = 1e-10
"""Share of the loss that a step must save for another one to follow."""
_LARGEST = 500.0
"""Log-odds beyond which the exponential overflows: of features that hardly varied among few pairs."""
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
        odds = (self.contributions(features).sum(axis=1) + self.bias).clip(-_LARGEST, _LARGEST)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def without(self, ignored: NDArray[np.bool_]) -> Regression:
        """The same without the `ignored` features, of which there may be more than it has."""
        left_out = ignored[: len(self.weights)]
        return replace(
            self,
            scale=np.where(left_out, np.inf, self.scale),
            weights=np.where(left_out, 0.0, self.weights),
        )


def fit_regression(
    features: Sequence[FloatArray],
    answers: Sequence[FloatArray],
    strength: float,
    ignored: NDArray[np.bool_],
    *,
    importance: Sequence[float] | None = None,
    prior: Regression | None = None,
    near: Regression | None = None,
) -> Regression:
    """Learn from the rows of some sentence pairs; an answer between 0 and 1 counts in part for either.

    `strength` is the inverse of the weight of the regularisation. Without a `prior` it draws the weights to
    0 and spares the bias; with one it draws weights and bias to those of the prior, whose standardisation
    is used: the mode under a Gaussian prior of variance `strength`, of BIAS_VARIANCE for the bias. Features
    without a weight in it, such as a source of evidence that it did not have, begin at 0. Features that are
    `ignored`, or the same everywhere, have no weight. `importance` is how often each sentence pair counts, 1
    by default. `near`, learned from almost the same rows, is where the search for the weights begins: it is
    shorter, the weights are those of the same minimum.

    References
    ----------
    Chelba, C. & Acero, A. (2004). Adaptation of maximum entropy capitalizer: little data can help a lot.
    """
    rows, soft = np.vstack(features), np.concatenate(answers)
    counts = np.ones(len(soft))
    if importance is not None:
        counts = np.repeat(np.asarray(importance, dtype=float), [len(answer) for answer in answers])
    mean = counts @ rows / counts.sum()
    scale = np.sqrt(counts @ (rows - mean) ** 2 / counts.sum())
    scale[(scale < 1e-9) | ignored[: len(scale)]] = np.inf
    penalty = np.ones(len(mean) + 1)
    if prior is None:
        penalty[-1] = 0.0
        if soft.max() == 0 or soft.min() == 1:
            return Regression(mean, scale, np.zeros(len(mean)), _SURE if soft.max() else -_SURE)
        share = counts @ soft / counts.sum()
        centre, first = np.zeros(len(mean) + 1), np.zeros(len(mean) + 1)
        first[-1] = np.log(share / (1 - share))
    else:
        prior = prior.without(ignored)
        known = np.isfinite(prior.scale)
        mean, scale = np.where(known, prior.mean, mean), np.where(known, prior.scale, scale)
        penalty[-1] = strength / BIAS_VARIANCE
        first = centre = np.append(prior.weights, prior.bias)
    if near is not None:
        weights = near.weights / near.scale
        bias = near.bias + weights @ (mean - near.mean)
        first = np.append(weights * np.where(np.isfinite(scale), scale, 0), bias)
    rows -= mean
    rows /= scale
    # On one thread sums are taken in one order: the same numbers however many cores there are.
    with _threads().limit(limits=1):
        weights = _newton(rows, soft, strength * counts, centre, penalty, first)
    return Regression(mean, scale, weights[:-1], float(weights[-1]))


def fit_pooled(
    features: Sequence[FloatArray],
    answers: Sequence[FloatArray],
    strength: float,
    ignored: NDArray[np.bool_],
    sets: Sequence[int],
    varying: Sequence[int],
    *,
    importance: Sequence[float],
    near: Regression | None = None,
) -> Regression:
    """Learn from several sets of sentence pairs whose annotators link by different rules.

    `sets` is the number of each pair's set. Beside the weights that are common to all, each set has its own
    bias and its own weights of the `varying` columns, regularised in the same way. The result has the means
    of these over the sets: what tells one set from another is not mistaken for evidence of a link. All else
    is as for `fit_regression`.

    References
    ----------
    Daumé III, H. (2007). Frustratingly easy domain adaptation.
    """
    size, count, columns = features[0].shape[1], max(sets) + 1, list(varying)
    extended = []
    for rows, number in zip(features, sets, strict=True):
        own = np.zeros((len(rows), count, 1 + len(columns)))
        own[:, number, 0], own[:, number, 1:] = 1, rows[:, columns]
        extended.append(np.hstack([rows, own.reshape(len(rows), -1)]))
    zeros = np.zeros(count * (1 + len(columns)))
    if near is not None:
        near = replace(
            near,
            mean=np.append(near.mean, zeros),
            scale=np.append(near.scale, zeros + 1),
            weights=np.append(near.weights, zeros),
        )
    ignored = np.append(ignored[:size], zeros > 0)
    whole = fit_regression(extended, answers, strength, ignored, importance=importance, near=near)
    own_weights = whole.weights[size:] / whole.scale[size:]
    mean_weights = own_weights.reshape(count, -1).mean(axis=0)
    mean, scale, weights = whole.mean[:size], whole.scale[:size], whole.weights[:size].copy()
    weights[columns] += mean_weights[1:] * scale[columns]
    bias = whole.bias - own_weights @ whole.mean[size:] + mean_weights @ np.append(1, mean[columns])
    return Regression(mean, scale, weights, float(bias))


@cache
def _threads() -> ThreadpoolController:
    """Looking for the libraries of this process takes as long as a small regression."""
    return ThreadpoolController()


def _newton(
    rows: FloatArray,
    soft: FloatArray,
    counts: FloatArray,
    centre: FloatArray,
    penalty: FloatArray,
    weights: FloatArray,
) -> FloatArray:
    """The weights, and behind them the bias, with the lowest regularised loss."""
    size = rows.shape[1]
    odds, loss = _loss(rows, soft, counts, centre, penalty, weights)
    for _ in range(_MAX_STEPS):
        probabilities = 1 / (1 + np.exp(-odds))
        residuals = counts * (probabilities - soft)
        gradient = np.append(rows.T @ residuals, residuals.sum()) + penalty * (weights - centre)
        spread = counts * probabilities * (1 - probabilities)
        weighted = rows * np.sqrt(spread)[:, None]
        curvature = np.diag(penalty)
        # Of a matrix and itself only half of the product is computed.
        curvature[:size, :size] += weighted.T @ weighted
        curvature[size, :size] = curvature[:size, size] = spread @ rows
        curvature[size, size] += spread.sum() + 1e-9
        step = np.linalg.solve(curvature, gradient)
        before = loss
        # A whole step may go too far where the loss is far from a parabola.
        for share in 0.5 ** np.arange(20):
            odds, loss = _loss(rows, soft, counts, centre, penalty, weights - share * step)
            if loss <= before:
                weights = weights - share * step
                break
        if before - loss <= _SMALLEST_GAIN * before:
            break
    return weights


def _loss(
    rows: FloatArray,
    soft: FloatArray,
    counts: FloatArray,
    centre: FloatArray,
    penalty: FloatArray,
    weights: FloatArray,
) -> tuple[FloatArray, float]:
    odds = rows @ weights[:-1] + weights[-1]
    loss = counts @ (np.logaddexp(0, odds) - soft * odds) + penalty @ (weights - centre) ** 2 / 2
    return odds, float(loss)
