"""Own gold links beside what was learned elsewhere: whether that is used, and how strongly.

What was learned elsewhere is the mean of a Gaussian prior over the weights. Its strength is decided by
cross-validation on the own pairs, and so is whether it is used at all: other people link by other rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from paragold.aligners.evidence import Evidence
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.link_classifier import Fitting, LinkClassifier
from paragold.aligners.method import Transfer
from paragold.aligners.regression import STRENGTH
from paragold.metrics.links import Links

STRENGTHS = (0.002, 0.01, 0.05)
"""Variances of the prior, in standard deviations of the features; the lower, the closer to its mean."""
MOST_PAIRS = 100
"""Own pairs that the choice is made on; the weights are then learned from all."""
_MAX_LOSS = 9.0


def adapt(
    start: LinkClassifier,
    candidates: Sequence[Evidence],
    gold: Sequence[Links],
    *,
    without: Collection[str] = (),
    seed: int = 1,
) -> tuple[LinkClassifier, Transfer]:
    """The classifier that own gold links make of `start`, or of nothing where `start` would hurt.

    The strongest prior is taken whose out-of-fold log-loss is at most one standard error above the lowest
    one's; own pairs alone count as the weakest prior. `seed` draws the pairs that decide where there are
    more than MOST_PAIRS. `without` is as for `link_classifier.fit`, and so are the errors.

    References
    ----------
    Chelba, C. & Acero, A. (2004). Adaptation of maximum entropy capitalizer: little data can help a lot.
    Hastie, T., Tibshirani, R. & Friedman, J. (2009). The Elements of Statistical Learning, section 7.10.
    """
    drawn = np.sort(np.random.default_rng(seed).permutation(len(candidates))[:MOST_PAIRS]).tolist()
    some = Fitting([candidates[n] for n in drawn], [gold[n] for n in drawn], without)
    unchanged = [start.probabilities(pair) for pair in some.candidates]
    unchanged_classifier = replace(start, threshold=some.threshold(unchanged))
    ways: list[tuple[float | None, LinkClassifier, list[FloatArray]]] = [
        (0.0, unchanged_classifier, unchanged),
        *((variance, *some.fit(variance, start)) for variance in STRENGTHS),
        (None, *some.fit(STRENGTH, None)),
    ]
    losses = np.array([_losses(some, probabilities) for _, _, probabilities in ways])
    lowest = int(losses.mean(axis=1).argmin())
    apart = losses - losses[lowest]
    errors = apart.std(axis=1) / np.sqrt(len(drawn))
    chosen = int(np.flatnonzero(apart.mean(axis=1) <= errors)[0])
    variance, classifier, _ = ways[chosen]
    aers = [some.aer(probabilities) for _, _, probabilities in ways]
    helps = variance is not None
    with_it = chosen if helps else int(losses[:-1].mean(axis=1).argmin())
    if len(drawn) < len(candidates):
        everything = Fitting(candidates, gold, without)
        if variance == 0:
            probabilities = [start.probabilities(pair) for pair in candidates]
            classifier = replace(start, threshold=everything.threshold(probabilities))
        else:
            classifier, _ = everything.fit(variance or STRENGTH, start if helps else None)
    return classifier, Transfer(helps, variance, len(drawn), aers[with_it], aers[-1])


def _losses(some: Fitting, probabilities: Sequence[FloatArray]) -> FloatArray:
    """The log-loss of each pair."""
    losses = []
    for own, answers in zip(probabilities, some.answers, strict=True):
        clipped = own.clip(np.exp(-_MAX_LOSS), 1 - np.exp(-_MAX_LOSS))
        losses.append(-(answers * np.log(clipped) + (1 - answers) * np.log(1 - clipped)).sum())
    return np.array(losses)
