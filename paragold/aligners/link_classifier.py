"""The supervised last step: a logistic regression for each candidate link, in two stages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.evidence_sources import source_of
from paragold.aligners.logistic_regression import Regression, fit_regression
from paragold.aligners.neighbour_evidence import NEIGHBOUR_NAMES, neighbour_evidence
from paragold.aligners.translation_tables import FloatArray
from paragold.metrics.links import Links

FOLDS = 5
POSSIBLE_WEIGHT = 0.5
"""What a POSSIBLE link counts as, between none (0) and a SURE one (1)."""
_THRESHOLDS = np.arange(0.3, 0.66, 0.025)


@dataclass(frozen=True, slots=True)
class LinkClassifier:
    """Both stages, and the probability from which on a link is drawn."""

    first: Regression
    second: Regression
    threshold: float

    def numbers(self) -> dict[str, FloatArray]:
        """All numbers by name, as `model_files` keeps them."""
        numbers = {"threshold": np.array([self.threshold])}
        for stage in ("first", "second"):
            regression: Regression = getattr(self, stage)
            for name in ("mean", "scale", "weights"):
                numbers[f"{stage}_{name}"] = getattr(regression, name)
            numbers[f"{stage}_bias"] = np.array([regression.bias])
        return numbers

    @classmethod
    def of_numbers(cls, numbers: Mapping[str, FloatArray]) -> LinkClassifier:
        """What `numbers` gave. Raises KeyError when some are missing."""
        first, second = (
            Regression(
                numbers[f"{stage}_mean"],
                numbers[f"{stage}_scale"],
                numbers[f"{stage}_weights"],
                float(numbers[f"{stage}_bias"][0]),
            )
            for stage in ("first", "second")
        )
        return cls(first, second, float(numbers["threshold"][0]))

    def probabilities(self, candidates: Evidence) -> FloatArray:
        """The probability of each candidate link, from 0 to 1."""
        return self.second.probabilities(self.features(candidates))

    def features(self, candidates: Evidence) -> FloatArray:
        """What the second stage sees: columns as NAMES and NEIGHBOUR_NAMES."""
        first = self.first.probabilities(candidates.features)
        return np.hstack([candidates.features, neighbour_evidence(candidates, first)])

    def links(self, candidates: Evidence) -> list[tuple[int, int]]:
        """The links drawn, in ascending order."""
        drawn = self.probabilities(candidates) >= self.threshold
        return list(zip(candidates.sources[drawn].tolist(), candidates.targets[drawn].tolist(), strict=True))


def labels(candidates: Evidence, gold: Links) -> FloatArray:
    """The label of each candidate: 1 for SURE, POSSIBLE_WEIGHT for POSSIBLE, 0 for none."""
    links = zip(candidates.sources.tolist(), candidates.targets.tolist(), strict=True)
    return np.array(
        [1.0 if link in gold.sure else POSSIBLE_WEIGHT * (link in gold.possible) for link in links]
    )


def fit(
    candidates: Sequence[Evidence],
    gold: Sequence[Links],
    *,
    strength: float,
    without: Collection[str] = (),
) -> LinkClassifier:
    """Train on sentence pairs whose gold links are known; pairs go to the folds in turn.

    The second stage sees the probabilities that the first one gives to pairs it was not trained on.
    The threshold has the lowest AER on the second stage's out-of-fold probabilities. `strength` is the
    inverse of the weight of L2 regularisation. The sources of evidence in `without`, names of
    evidence_sources.SOURCES, are left out: their features have no weight.
    Raises ValueError when there are fewer than two pairs or nothing to tell apart.
    """
    if len(candidates) < 2:
        raise ValueError("the supervised step needs gold links of two sentence pairs at least")
    answers = [labels(pair, links) for pair, links in zip(candidates, gold, strict=True)]
    everything = np.concatenate(answers)
    if not len(everything) or everything.max() == everything.min():
        raise ValueError("the gold links leave nothing to learn: all candidate links are alike")
    fold = np.arange(len(candidates)) % min(FOLDS, len(candidates))
    features = [pair.features for pair in candidates]
    ignored = np.array([source_of(name) in without for name in FEATURES])
    first = _out_of_fold(features, answers, fold, strength, ignored)
    both = [
        np.hstack([pair.features, neighbour_evidence(pair, probability)])
        for pair, probability in zip(candidates, first, strict=True)
    ]
    second = _out_of_fold(both, answers, fold, strength, ignored)
    return LinkClassifier(
        fit_regression(features, answers, strength, ignored),
        fit_regression(both, answers, strength, ignored),
        _best_threshold(candidates, gold, second),
    )


def _out_of_fold(
    features: list[FloatArray],
    answers: list[FloatArray],
    fold: NDArray[np.int64],
    strength: float,
    ignored: NDArray[np.bool_],
) -> list[FloatArray]:
    probabilities: list[FloatArray] = [np.zeros(0)] * len(features)
    for held_out in range(int(fold.max()) + 1):
        inside = np.flatnonzero(fold != held_out)
        model = fit_regression([features[n] for n in inside], [answers[n] for n in inside], strength, ignored)
        for n in np.flatnonzero(fold == held_out):
            probabilities[n] = model.probabilities(features[n])
    return probabilities


def _best_threshold(
    candidates: Sequence[Evidence], gold: Sequence[Links], probabilities: Sequence[FloatArray]
) -> float:
    probability = np.concatenate(probabilities)
    links = [
        (links, (i, j))
        for pair, links in zip(candidates, gold, strict=True)
        for i, j in zip(pair.sources.tolist(), pair.targets.tolist(), strict=True)
    ]
    sure = np.array([link in golden.sure for golden, link in links])
    possible = np.array([link in golden.possible for golden, link in links])
    all_sure = sum(len(golden.sure) for golden in gold)

    def right(threshold: float) -> float:
        drawn = probability >= threshold
        size = drawn.sum() + all_sure
        return float((sure[drawn].sum() + possible[drawn].sum()) / size) if size else 0.0

    return float(max(_THRESHOLDS, key=right))


FEATURES = (*NAMES, *NEIGHBOUR_NAMES)
"""The columns that the second stage sees."""
