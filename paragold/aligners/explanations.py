"""What spoke for and against each link that a trained aligner thought of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from paragold.aligners.best import source_of
from paragold.aligners.evidence import Evidence
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.relations import KINDS
from paragold.aligners.statistical import ModelAligner
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Link

MIN_POSTERIOR = 0.01
REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence for a link: its value, and what it adds to the log-odds of the link."""

    name: str
    value: float
    contribution: float


class SourceSum(NamedTuple):
    """What all reasons of one source of evidence add to the log-odds of a link."""

    name: str
    contribution: float


@dataclass(frozen=True, slots=True)
class LinkExplanation:
    """Why a link was drawn or not. The weightiest reason comes first."""

    link: Link
    drawn: bool
    probability: float
    """That of the classifier of links; without one the mean of both directions' posteriors."""
    threshold: float | None
    """The probability from which on the link is drawn; None where more than that decides."""
    start: float | None
    """The log-odds that every candidate starts from; None where nothing was learned from gold links."""
    reasons: list[Reason]
    """`contribution` is what each adds to the log-odds, 0 where nothing was learned from gold links."""
    rule: str
    """What decided, in words."""

    @property
    def sources(self) -> list[SourceSum]:
        """What each source of evidence adds to the log-odds, the weightiest first; [] without gold links."""
        return [] if self.start is None else _by_source(self.reasons)

    @property
    def weighty(self) -> list[Reason]:
        """The reasons that add something, or where nothing was learned all of them."""
        return [reason for reason in self.reasons if reason.contribution] or self.reasons


def by_posterior(
    aligner: ModelAligner,
    source: Sequence[str],
    target: Sequence[str],
    *,
    threshold: float | None,
    rule: Callable[[Posteriors, Link, bool], str],
) -> list[LinkExplanation]:
    """The links that are drawn or have a posterior of MIN_POSTERIOR, in ascending order.

    `rule` says what decided, given the posteriors of the pair, the link, and whether it is drawn.
    """
    (posteriors,) = aligner.model.posteriors([(source, target)])
    drawn = set(aligner.align(source, target))
    candidates = {(int(i), int(j)) for i, j in np.argwhere(posteriors.average >= MIN_POSTERIOR)}
    return [
        LinkExplanation(
            link,
            link in drawn,
            min(1.0, float(posteriors.average[link])),  # sums may pass 1 by rounding
            threshold,
            None,
            _evidence(posteriors, link),
            rule(posteriors, link, link in drawn),
        )
        for link in sorted(candidates | drawn)
    ]


def by_classifier(classifier: LinkClassifier, candidates: Evidence) -> list[LinkExplanation]:
    """Every candidate link of a sentence pair, in ascending order, by what was learned from gold links."""
    features = classifier.features(candidates)
    contributions = classifier.second.contributions(features)
    probabilities = classifier.second.probabilities(features)
    explained = []
    for row, link in enumerate(zip(candidates.sources.tolist(), candidates.targets.tolist(), strict=True)):
        reasons = [
            Reason(name, float(value), float(contribution))
            for name, value, contribution in zip(FEATURES, features[row], contributions[row], strict=True)
        ]
        explained.append(
            LinkExplanation(
                link,
                bool(probabilities[row] >= classifier.threshold),
                float(probabilities[row]),
                classifier.threshold,
                classifier.second.bias,
                sorted(reasons, key=lambda reason: -abs(reason.contribution)),
                "the classifier that learned from gold links",
            )
        )
    return sorted(explained, key=lambda one: one.link)


def in_words(one: LinkExplanation) -> str:
    """What spoke for a link, in a line: the sources of evidence where gold links were learned from.

    For example "93 %: identical words, words beside it; against it: position".
    """
    share = f"{100 * one.probability:.0f} %"
    if one.start is None:
        known = [reason.name for reason in one.reasons if reason.name in KINDS]
        return f"{share}: {', '.join([*known, one.rule])}"
    speaking = [name for name, contribution in one.sources if contribution > 0][:REASONS_SHOWN]
    against = [name for name, contribution in one.sources if contribution < 0][:1]
    words = ", ".join(speaking) or "nothing but the start"
    return f"{share}: {words}" + (f"; against it: {against[0]}" if against else "")


def _by_source(reasons: Sequence[Reason]) -> list[SourceSum]:
    """What each source of evidence adds to the log-odds, the weightiest first."""
    sums: dict[str, float] = {}
    for reason in reasons:
        source = source_of(reason.name)
        sums[source] = sums.get(source, 0.0) + reason.contribution
    found = [SourceSum(name, contribution) for name, contribution in sums.items()]
    return sorted(found, key=lambda one: -abs(one.contribution))


def _evidence(posteriors: Posteriors, link: Link) -> list[Reason]:
    values = {
        "posterior, first sentence to second": posteriors.forward[link],
        "posterior, second sentence to first": posteriors.backward[link],
        "mean posterior": posteriors.average[link],
        "association": posteriors.association[link],
        "spelling": posteriors.spelling[link],
    }
    kind = int(posteriors.kinds[link])
    if kind:
        values[KINDS[kind]] = np.float64(1)
    return [Reason(name, float(value), 0.0) for name, value in values.items()]
