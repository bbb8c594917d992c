"""A classifier of candidate links that learns from gold links: logistic regression in two stages.

The regressions are over standardised features, by Newton's method, with soft labels, weighted rows and a
prior. The second stage also sees what the first one says of a link and of those around it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from paragold.aligners.evidence import NAMES, Evidence, Grids, logit, rivals, two_highest
from paragold.aligners.evidence_sources import source_of
from paragold.arrays import Flags, Floats
from paragold.metrics.links import Link, Links

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

    mean: Floats
    scale: Floats
    weights: Floats
    bias: float

    def contributions(self, features: Floats) -> Floats:
        """What each feature adds to the log-odds, rows as `features`; the rest is `bias`."""
        return np.asarray((features - self.mean) / self.scale * self.weights)

    def probabilities(self, features: Floats) -> Floats:
        """The probability of each row's link, from 0 to 1."""
        odds = (self.contributions(features).sum(axis=1) + self.bias).clip(-_LARGEST, _LARGEST)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def without(self, ignored: Flags) -> Regression:
        """The same without the `ignored` features, of which there may be more than it has."""
        left_out = ignored[: len(self.weights)]
        return replace(
            self,
            scale=np.where(left_out, np.inf, self.scale),
            weights=np.where(left_out, 0.0, self.weights),
        )


def fit_regression(
    features: Sequence[Floats],
    answers: Sequence[Floats],
    strength: float,
    ignored: Flags,
    *,
    importance: Sequence[float] | None = None,
    prior: Regression | None = None,
    near: Regression | None = None,
) -> Regression:
    """Learn from the rows of some sentence pairs; an answer between 0 and 1 counts in part for either.

    `strength` is the inverse of the weight of the regularisation. Without a `prior` it draws the weights to
    0 and spares the bias; with one it draws weights and bias to those of the prior, whose standardisation
    is used: the mode under a Gaussian prior of variance `strength`, of BIAS_VARIANCE for the bias (Chelba &
    Acero 2004, "Adaptation of maximum entropy capitalizer: little data can help a lot"). Features without a
    weight in it, such as a source of evidence that it did not have, begin at 0. Features that are
    `ignored`, or the same everywhere, have no weight. `importance` is how often each sentence pair counts, 1
    by default. `near`, learned from almost the same rows, is where the search for the weights begins: it is
    shorter, the weights are those of the same minimum.
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


@cache
def _threads() -> ThreadpoolController:
    """Looking for the libraries of this process takes as long as a small regression."""
    return ThreadpoolController()


def _newton(
    rows: Floats, soft: Floats, counts: Floats, centre: Floats, penalty: Floats, weights: Floats
) -> Floats:
    """The weights, and behind them the bias, with the lowest regularised loss."""

    def odds_and_loss(weights: Floats) -> tuple[Floats, float]:
        odds = rows @ weights[:-1] + weights[-1]
        loss = counts @ (np.logaddexp(0, odds) - soft * odds) + penalty @ (weights - centre) ** 2 / 2
        return odds, float(loss)

    size = rows.shape[1]
    odds, loss = odds_and_loss(weights)
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
            odds, loss = odds_and_loss(weights - share * step)
            if loss <= before:
                weights = weights - share * step
                break
        if before - loss <= _SMALLEST_GAIN * before:
            break
    return weights


FOLDS = 5
POSSIBLE_WEIGHT = 0.5
"""What a POSSIBLE link counts as, between none (0) and a SURE one (1)."""
UNEQUAL = 0.65
"""Length ratio below which two sentences count as very unequal."""
_STEPS = np.arange(-0.25, 0.11, 0.025)
CAUTION = 50.0
"""Tuned with 10 to 200 pairs of the sets that the starting point was learned from."""


_CORNERS = [(down, right) for down in (-1, 1) for right in (-1, 1)]
_NEAR = [
    (down, right) for down in (-3, -2, -1, 1, 2, 3) for right in (-3, -2, -1, 1, 2, 3) if down * right > 0
]
_SKIPPED = ((-1, -2), (-2, -1), (1, 2), (2, 1))


def _neighbours_by_name(candidates: Sequence[Evidence], probabilities: Floats) -> dict[str, Floats]:
    """The values of every feature that comes from the probabilities of a link and of those around it."""
    grids = Grids([own.shape for own in candidates])
    number = np.repeat(np.arange(len(candidates)), [len(own.sources) for own in candidates])
    i = np.concatenate([own.sources for own in candidates])
    j = np.concatenate([own.targets for own in candidates])
    features = np.concatenate([own.features for own in candidates])
    places, strides = grids.places(number, i, j), grids.strides[number]
    filled = grids.filled(places, probabilities)

    def at(down: int, right: int) -> Floats:
        return np.asarray(filled[places + down * strides + right])

    rows, columns = grids.first_rows[number] + i, grids.first_columns[number] + j
    own = probabilities
    before, after, two_before, two_after = at(-1, -1), at(1, 1), at(-2, -2), at(2, 2)
    rival, second = rivals(own, rows, columns)
    row_sums = grids.row_sums(filled)[rows]
    column_sums = np.bincount(columns, weights=own)[columns]
    identical = features[:, NAMES.index("identical")]
    function_words = features[:, NAMES.index("identical function words")]
    beside = {(down, right): at(down, right) for down, right in ((0, -1), (0, 1), (-1, 0), (1, 0))}
    around = [at(down, right) for down, right in _NEAR]
    all_around = sum(around[1:], around[0])
    edges = [np.minimum(beside[down, 0], beside[0, right]) for down, right in _CORNERS]
    blocks = [np.minimum(edge, at(*corner)) for edge, corner in zip(edges, _CORNERS, strict=True)]
    row_free, column_free = (
        1 - two_highest(own, lines, int(lines.max(initial=-1)) + 1)[0][lines] for lines in (rows, columns)
    )
    down = np.maximum(beside[-1, 0], beside[1, 0]) * row_free
    right = np.maximum(beside[0, -1], beside[0, 1]) * column_free
    return {
        "first stage": logit(own),
        "first stage, word before": before,
        "first stage, word after": after,
        "first stage, both neighbours": before * after,
        "first stage, two before": two_before,
        "first stage, two after": two_after,
        "first stage, strongest rival": rival,
        "first stage, second rival": second,
        "first stage, rest of row and column": np.minimum(column_sums + row_sums - 2 * own, 3),
        "first stage, identical, rivals": identical * rival,
        "first stage, different, neighbours": (1 - identical) * (before + after),
        "first stage, same word, next word": np.maximum.reduce(list(beside.values())),
        "first stage, confident neighbourhood": before + after + two_before + two_after,
        "first stage, best within three words": np.maximum.reduce(around),
        "first stage, all within three words": all_around,
        "first stage, identical function words, neighbours": function_words * (before + after),
        "first stage, identical function words, all within three words": function_words * all_around,
        "first stage, one word skipped": np.maximum.reduce([at(*skipped) for skipped in _SKIPPED]),
        "first stage, rest of row or column": np.minimum(row_sums - own, column_sums - own),
        "phrase, three corners of a block": np.maximum.reduce(blocks),
        "phrase, two corners of a block": np.maximum.reduce(edges),
        "phrase, beside a likely link, free word": np.maximum(down, right),
        "phrase, beside a likely link, linked word": np.minimum(down, right),
    }


_NONE = np.zeros(0, dtype=np.int64)
_WITHOUT_LINKS = Evidence((0, 0), _NONE, _NONE, np.zeros((0, len(NAMES))))
NEIGHBOUR_NAMES = tuple(_neighbours_by_name([_WITHOUT_LINKS], np.zeros(0)))
FEATURES = (*NAMES, *NEIGHBOUR_NAMES)
"""The columns that the second stage sees."""


def neighbour_evidence(candidates: Sequence[Evidence], probabilities: Floats) -> Floats:
    """NEIGHBOUR_NAMES of each candidate of all sentence pairs, from the first stage's `probabilities`."""
    return np.column_stack(list(_neighbours_by_name(candidates, probabilities).values()))


Thresholds = tuple[float, float]
"""The probabilities from which on a link is drawn, in sentences of similar and of very unequal length."""
USUAL: Thresholds = (0.55, 0.55)
"""Where own gold links are learned from without a prior."""


def threshold_of(thresholds: Thresholds, shape: tuple[int, int]) -> float:
    """That of a pair of I x J words."""
    return thresholds[min(shape) < UNEQUAL * max(shape)]


@dataclass(frozen=True, slots=True)
class LinkClassifier:
    """Both stages, and the probabilities from which on a link is drawn."""

    first: Regression
    second: Regression
    thresholds: Thresholds

    def numbers(self) -> dict[str, Floats]:
        """All numbers by name, as `model_files` stores them."""
        numbers = {"thresholds": np.array(self.thresholds)}
        for stage, regression in (("first", self.first), ("second", self.second)):
            numbers[f"{stage}_mean"], numbers[f"{stage}_scale"] = regression.mean, regression.scale
            numbers[f"{stage}_weights"] = regression.weights
            numbers[f"{stage}_bias"] = np.array([regression.bias])
        return numbers

    @classmethod
    def of_numbers(cls, numbers: Mapping[str, Floats]) -> LinkClassifier:
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
        similar, unequal = numbers["thresholds"].tolist()
        return cls(first, second, (similar, unequal))

    def without(self, sources: Collection[str]) -> LinkClassifier:
        """The same without these sources of evidence, names of evidence_sources.SOURCES."""
        ignored = ignored_features(sources)
        return replace(self, first=self.first.without(ignored), second=self.second.without(ignored))

    def weighs(self, source: str) -> bool:
        """Whether any feature of a source of evidence, a name of evidence_sources.SOURCES, has a weight."""
        return bool(self.second.weights[ignored_features([source])].any())

    def probabilities(self, candidates: Evidence) -> Floats:
        """The probability of each candidate link, from 0 to 1."""
        return self.second.probabilities(self.features([candidates]))

    def features(self, candidates: Sequence[Evidence]) -> Floats:
        """What the second stage sees of all pairs: columns as NAMES and NEIGHBOUR_NAMES."""
        features = np.vstack([pair.features for pair in candidates])
        first = self.first.probabilities(features)
        return np.hstack([features, neighbour_evidence(candidates, first)])

    def links(self, candidates: Evidence) -> list[Link]:
        """The links drawn, in ascending order."""
        return self.links_of([candidates])[0]

    def links_of(self, candidates: Sequence[Evidence]) -> list[list[Link]]:
        """The links drawn in each pair: the same as one by one, but faster."""
        probabilities = self.second.probabilities(self.features(candidates))
        links, end = [], 0
        for pair in candidates:
            start, end = end, end + len(pair.sources)
            drawn = probabilities[start:end] >= threshold_of(self.thresholds, pair.shape)
            links.append(list(compress(pair.links(), drawn)))
        return links


def mean_of(classifiers: Sequence[LinkClassifier], shares: Floats, thresholds: Thresholds) -> LinkClassifier:
    """The classifier whose log-odds, in either stage, are the mean of those of others, which have shares."""

    def mean(regressions: Sequence[Regression]) -> Regression:
        slopes = np.array([own.weights / own.scale for own in regressions])
        biases = np.array(
            [own.bias - own.mean @ slope for own, slope in zip(regressions, slopes, strict=True)]
        )
        # The standardisation is that of the first that knows a feature.
        known = np.isfinite([own.scale for own in regressions]).argmax(axis=0)
        means, scales = (
            np.array([getattr(own, name) for own in regressions])[known, np.arange(len(known))]
            for name in ("mean", "scale")
        )
        slope = shares @ slopes
        weights = slope * np.where(np.isfinite(scales), scales, 0.0)
        return Regression(means, scales, weights, float(shares @ biases + slope @ means))

    first, second = [own.first for own in classifiers], [own.second for own in classifiers]
    return LinkClassifier(mean(first), mean(second), thresholds)


def labels(candidates: Evidence, gold: Links) -> Floats:
    """The label of each candidate: 1 for SURE, POSSIBLE_WEIGHT for POSSIBLE, 0 for none."""
    return np.array(
        [
            1.0 if link in gold.sure else POSSIBLE_WEIGHT * (link in gold.possible)
            for link in candidates.links()
        ]
    )


def fit(
    candidates: Sequence[Evidence],
    gold: Sequence[Links],
    *,
    strength: float = STRENGTH,
    without: Collection[str] = (),
    prior: LinkClassifier | None = None,
) -> LinkClassifier:
    """Train on sentence pairs whose gold links are known; pairs go to the folds in turn.

    The second stage sees the probabilities that the first one gives to pairs it was not trained on.
    `strength` and `prior`, here for both stages, are as for `fit_regression`. The sources of evidence in
    `without`, names of evidence_sources.SOURCES, are left out: their features have no weight.
    Raises ValueError when there are fewer than two pairs or only one class.
    """
    return Fitting(candidates, gold, without).fit(strength, prior)[0]


class Fitting:
    """What all ways to fit the same pairs share."""

    def __init__(
        self,
        candidates: Sequence[Evidence],
        gold: Sequence[Links],
        without: Collection[str] = (),
        importance: Sequence[float] | None = None,
    ) -> None:
        """`importance` is as for `fit_regression`."""
        if len(candidates) < 2:
            raise ValueError("training on gold links needs at least two sentence pairs")
        self.candidates, self.gold = candidates, gold
        self.answers = [labels(pair, links) for pair, links in zip(candidates, gold, strict=True)]
        everything = np.concatenate(self.answers)
        if not len(everything) or everything.max() == everything.min():
            raise ValueError(
                "the gold links link either all candidates or none, so there is nothing to learn"
            )
        self.fold = np.arange(len(candidates)) % min(FOLDS, len(candidates))
        self.features = [pair.features for pair in candidates]
        self.ignored = ignored_features(without)
        self.importance = [1.0] * len(candidates) if importance is None else list(importance)
        self._sure, self._possible = everything == 1, everything > 0
        self._all_sure = sum(len(own.sure) for own in gold)

    def fit(self, strength: float, prior: LinkClassifier | None) -> tuple[LinkClassifier, list[Floats]]:
        """The classifier, and the second stage's out-of-fold probabilities of each pair's candidates."""
        of_first, of_second = (None, None) if prior is None else (prior.first, prior.second)
        first, seen = self._fitted(self.features, strength, of_first)
        ends = np.cumsum([len(own) for own in self.features])[:-1]
        neighbours = neighbour_evidence(self.candidates, np.concatenate(seen))
        both = [np.hstack(two) for two in zip(self.features, np.split(neighbours, ends), strict=True)]
        del neighbours
        second, out_of_fold = self._fitted(both, strength, of_second)
        return LinkClassifier(first, second, self.thresholds(out_of_fold, prior)), out_of_fold

    def thresholds(self, probabilities: Sequence[Floats], prior: LinkClassifier | None) -> Thresholds:
        """Those with the lowest AER, given the second stage's probabilities, but near those of the prior.

        Of few pairs the lowest AER is at any threshold by chance: it must be lower by CAUTION times the
        square of the distance from the prior's thresholds, divided by the number of pairs.
        """
        similar, unequal = prior.thresholds if prior else USUAL
        caution = CAUTION / len(self.candidates)
        moved = {step: (similar + step, unequal + step) for step in _STEPS.tolist()}
        return moved[min(moved, key=lambda step: self.aer(probabilities, moved[step]) + caution * step**2)]

    def aer(self, probabilities: Sequence[Floats], thresholds: Thresholds) -> float:
        """The AER at these thresholds, from 0 to 1."""
        sizes = [len(own) for own in probabilities]
        of_each = np.repeat([threshold_of(thresholds, pair.shape) for pair in self.candidates], sizes)
        drawn = np.concatenate(probabilities) >= of_each
        size = drawn.sum() + self._all_sure
        right = self._sure[drawn].sum() + self._possible[drawn].sum()
        return float(1 - right / size) if size else 1.0

    def regression(
        self, features: Sequence[Floats], strength: float, numbers: Sequence[int], **options: Any
    ) -> Regression:
        """The regression on the pairs of these numbers; learning from several sets of pairs has its own."""
        rows, answers = [features[n] for n in numbers], [self.answers[n] for n in numbers]
        importance = [self.importance[n] for n in numbers]
        return fit_regression(rows, answers, strength, self.ignored, importance=importance, **options)

    def _fitted(
        self, features: Sequence[Floats], strength: float, prior: Regression | None
    ) -> tuple[Regression, list[Floats]]:
        """A regression on all pairs; of the candidates of each the probabilities by the other folds."""
        whole = self.regression(features, strength, range(len(features)), prior=prior)
        probabilities: list[Floats] = [np.zeros(0)] * len(features)
        for held_out in range(int(self.fold.max()) + 1):
            others = np.flatnonzero(self.fold != held_out).tolist()
            model = self.regression(features, strength, others, prior=prior, near=whole)
            for n in np.flatnonzero(self.fold == held_out).tolist():
                probabilities[n] = model.probabilities(features[n])
        return whole, probabilities


def ignored_features(without: Collection[str]) -> Flags:
    """Which of FEATURES come from the sources of evidence in `without`."""
    return np.array([source_of(name) in without for name in FEATURES])
