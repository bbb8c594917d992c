"""The last step of `best`: a logistic regression for each candidate link, in two stages, or fixed rules.

The regression learns from gold links; where there are none, links are drawn from posteriors by the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from paragold.aligners.evidence import NAMES, Evidence
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.identity import IdentityAligner
from paragold.aligners.neighbour_evidence import NEIGHBOUR_NAMES, neighbour_evidence
from paragold.aligners.parameters import source_of
from paragold.aligners.regression import STRENGTH, Regression, fit_regression
from paragold.aligners.relations import IDENTICAL, STEM
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Link, Links

FOLDS = 5
POSSIBLE_WEIGHT = 0.5
"""What a POSSIBLE link counts as, between none (0) and a SURE one (1)."""
_THRESHOLDS = np.arange(0.3, 0.66, 0.025)
USUAL_THRESHOLD = 0.55
"""That of the starting point."""
CAUTION = 50.0
"""Tuned with 10 to 200 pairs of the sets that the starting point was learned from."""


@dataclass(frozen=True, slots=True)
class LinkClassifier:
    """Both stages, and the probability from which on a link is drawn."""

    first: Regression
    second: Regression
    threshold: float

    def numbers(self) -> dict[str, FloatArray]:
        """All numbers by name, as `model_files` stores them."""
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

    def without(self, sources: Collection[str]) -> LinkClassifier:
        """The same without these sources of evidence, names of parameters.SOURCES."""
        ignored = ignored_features(sources)
        return replace(self, first=self.first.without(ignored), second=self.second.without(ignored))

    def weighs(self, source: str) -> bool:
        """Whether any feature of a source of evidence, a name of parameters.SOURCES, has a weight."""
        return bool(self.second.weights[ignored_features([source])].any())

    def probabilities(self, candidates: Evidence) -> FloatArray:
        """The probability of each candidate link, from 0 to 1."""
        return self.second.probabilities(self.features([candidates]))

    def features(self, candidates: Sequence[Evidence]) -> FloatArray:
        """What the second stage sees of all pairs: columns as NAMES and NEIGHBOUR_NAMES."""
        features = np.vstack([pair.features for pair in candidates])
        first = self.first.probabilities(features)
        return np.hstack([features, neighbour_evidence(candidates, first)])

    def links(self, candidates: Evidence) -> list[Link]:
        """The links drawn, in ascending order."""
        return self.links_of([candidates])[0]

    def links_of(self, candidates: Sequence[Evidence]) -> list[list[Link]]:
        """The links drawn in each pair: the same as one by one, but faster."""
        drawn = self.second.probabilities(self.features(candidates)) >= self.threshold
        links, end = [], 0
        for pair in candidates:
            start, end = end, end + len(pair.sources)
            own = drawn[start:end]
            links.append(list(zip(pair.sources[own].tolist(), pair.targets[own].tolist(), strict=True)))
        return links


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
    strength: float = STRENGTH,
    without: Collection[str] = (),
    importance: Sequence[float] | None = None,
    prior: LinkClassifier | None = None,
) -> LinkClassifier:
    """Train on sentence pairs whose gold links are known; pairs go to the folds in turn.

    The second stage sees the probabilities that the first one gives to pairs it was not trained on.
    The threshold is that of `Fitting.threshold` on the second stage's out-of-fold probabilities. `strength`,
    `importance` and `prior`, here for both stages, are as for `fit_regression`. The sources of evidence in
    `without`, names of parameters.SOURCES, are left out: their features have no weight.
    Raises ValueError when there are fewer than two pairs or only one class.
    """
    return Fitting(candidates, gold, without, importance).fit(strength, prior)[0]


class Fitting:
    """What all ways to fit the same pairs share."""

    def __init__(
        self,
        candidates: Sequence[Evidence],
        gold: Sequence[Links],
        without: Collection[str] = (),
        importance: Sequence[float] | None = None,
    ) -> None:
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
        links = [
            (own, link)
            for pair, own in zip(candidates, gold, strict=True)
            for link in zip(pair.sources.tolist(), pair.targets.tolist(), strict=True)
        ]
        self._sure = np.array([link in own.sure for own, link in links])
        self._possible = np.array([link in own.possible for own, link in links])
        self._all_sure = sum(len(own.sure) for own in gold)

    def fit(self, strength: float, prior: LinkClassifier | None) -> tuple[LinkClassifier, list[FloatArray]]:
        """The classifier, and the second stage's out-of-fold probabilities of each pair's candidates."""
        stages = (None, None) if prior is None else (prior.first, prior.second)
        first, out_of_fold = self._stage(self.features, strength, stages[0])
        both = self.with_neighbours(out_of_fold)
        second, out_of_fold = self._stage(both, strength, stages[1])
        return LinkClassifier(first, second, self.threshold(out_of_fold)), out_of_fold

    def threshold(self, probabilities: Sequence[FloatArray]) -> float:
        """That with the lowest AER, given the second stage's probabilities of each pair, and near the usual.

        Of few pairs the lowest AER is at any threshold by chance: it must be lower by CAUTION times the
        square of the distance from USUAL_THRESHOLD, divided by the number of pairs.
        """
        caution = CAUTION / len(self.candidates)

        def cost(threshold: float) -> float:
            return self._aer(probabilities, threshold) + caution * (threshold - USUAL_THRESHOLD) ** 2

        return float(min(_THRESHOLDS, key=cost))

    def aer(self, probabilities: Sequence[FloatArray]) -> float:
        """The AER at that threshold, from 0 to 1."""
        return self._aer(probabilities, self.threshold(probabilities))

    def _aer(self, probabilities: Sequence[FloatArray], threshold: float) -> float:
        drawn = np.concatenate(probabilities) >= threshold
        size = drawn.sum() + self._all_sure
        right = self._sure[drawn].sum() + self._possible[drawn].sum()
        return float(1 - right / size) if size else 1.0

    def with_neighbours(self, probabilities: Sequence[FloatArray]) -> list[FloatArray]:
        """What the second stage sees, given the first one's probabilities."""
        neighbours = neighbour_evidence(self.candidates, np.concatenate(probabilities))
        ends = np.cumsum([len(own) for own in probabilities])[:-1]
        return [
            np.hstack([pair.features, own])
            for pair, own in zip(self.candidates, np.split(neighbours, ends), strict=True)
        ]

    def _stage(
        self, features: list[FloatArray], strength: float, prior: Regression | None
    ) -> tuple[Regression, list[FloatArray]]:
        """A regression on all pairs, and the probabilities of each pair by those on the other folds."""

        def fitted(numbers: Sequence[int], near: Regression | None = None) -> Regression:
            return fit_regression(
                [features[n] for n in numbers],
                [self.answers[n] for n in numbers],
                strength,
                self.ignored,
                importance=[self.importance[n] for n in numbers],
                prior=prior,
                near=near,
            )

        whole = fitted(range(len(features)))
        probabilities: list[FloatArray] = [np.zeros(0)] * len(features)
        for held_out in range(int(self.fold.max()) + 1):
            model = fitted(np.flatnonzero(self.fold != held_out).tolist(), whole)
            for n in np.flatnonzero(self.fold == held_out):
                probabilities[n] = model.probabilities(features[n])
        return whole, probabilities


FEATURES = (*NAMES, *NEIGHBOUR_NAMES)
"""The columns that the second stage sees."""


def ignored_features(without: Collection[str]) -> NDArray[np.bool_]:
    """Which of FEATURES come from the sources of evidence in `without`."""
    return np.array([source_of(name) in without for name in FEATURES])


@dataclass(frozen=True, slots=True)
class FreeWordRules:
    """Links above a posterior, then rules for words without one; plain form where lengths are unequal.

    Where the shorter sentence has less than `unequal` of the longer one's words, most words of the longer
    one have no partner, and a statistical model finds one all the same: there links are the longest common
    subsequence of identical words, as far as the posterior reaches `minimum`, and the rules for free words.
    """

    threshold: float = 0.6
    """The mean posterior of both directions above which a link is drawn."""
    unequal: float = 0.75
    """From 0 (no pair counts as unequal) to 1."""
    minimum: float = 0.35
    """Mean posterior that a link of a rule must have."""
    spelling: float = 0.75
    """Similarity from which on two words that are both free are linked; above 1 never."""
    meaning: float = 0.9
    """Mean posterior from which on free words that WordNet relates are linked too; above 1 never."""

    @property
    def signature(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.as_dict().items())

    def as_dict(self) -> dict[str, float]:
        """The parameters by name."""
        return asdict(self)

    def links(self, source: Sequence[str], target: Sequence[str], posteriors: Posteriors) -> list[Link]:
        """The links of one sentence pair, in ascending order."""
        average = posteriors.average
        if not average.size:
            return []
        if min(average.shape) < self.unequal * max(average.shape):
            links = {
                link for link in IdentityAligner().align(source, target) if average[link] >= self.minimum
            }
        else:
            links = _cells(average > self.threshold)
        related = (posteriors.kinds == IDENTICAL) | (posteriors.kinds == STEM)
        alike = (related | (posteriors.spelling >= self.spelling)) & (average >= self.minimum)
        alike |= (posteriors.kinds > 0) & (average >= self.meaning)
        _link_free(links, np.where(alike, average, 0))
        return sorted(links)

    def in_words(self, posteriors: Posteriors, link: Link, drawn: bool) -> str:
        """Which rule decided on a link."""
        unequal = min(posteriors.average.shape) < self.unequal * max(posteriors.average.shape)
        average = float(posteriors.average[link])
        if not unequal and average > self.threshold:
            return f"the mean posterior is above {self.threshold}"
        if drawn:
            way = "the sentences differ in length; " if unequal else ""
            if posteriors.kinds[link] > STEM and posteriors.spelling[link] < self.spelling:
                return f"{way}the words are related, the mean posterior at least {self.meaning}"
            return (
                f"{way}the words are identical, have the same stem or similar spelling, and the mean "
                f"posterior is at least {self.minimum}"
            )
        if unequal:
            return "the sentences differ in length, so only related words are linked"
        return f"the mean posterior is not above {self.threshold}, and no rule for free words holds"


def _cells(mask: NDArray[np.bool_]) -> set[Link]:
    rows, columns = np.nonzero(mask)
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def _link_free(links: set[Link], scores: FloatArray) -> None:
    """Add links above 0, the highest first, whose words both have none; ties in ascending order."""
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    rows, columns = np.nonzero(scores > 0)
    ranked = sorted(zip((-scores[rows, columns]).tolist(), rows.tolist(), columns.tolist(), strict=True))
    for _, i, j in ranked:
        if i not in sources and j not in targets:
            links.add((i, j))
            sources.add(i)
            targets.add(j)
