"""What spoke for and against each link that a trained aligner thought of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from paragold.aligners.best import BestAligner, Reason, evidence_of
from paragold.aligners.cooccurrences import Pair
from paragold.aligners.evidence_sources import source_of
from paragold.aligners.free_words import FreeWordRules
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.relations import KINDS, STEM
from paragold.aligners.statistical import POSTERIOR, StatisticalAligner
from paragold.aligners.symmetrisation import Link
from paragold.aligners.translation_model import Posteriors

LEAST_POSTERIOR = 0.01
Explaining: TypeAlias = BestAligner | StatisticalAligner
"""The aligners that tell why they draw a link; programs do not."""


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


def explanations(aligner: Explaining, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
    """Every candidate link of a sentence pair, in ascending order: posterior of 0.01, drawn, or evident."""
    if isinstance(aligner, BestAligner) and aligner.classifier is not None:
        return _learned(aligner, aligner.classifier, source, target)
    (posteriors,) = aligner.model.posteriors([(source, target)])
    drawn = set(aligner.align(source, target))
    candidates = {(int(i), int(j)) for i, j in np.argwhere(posteriors.average >= LEAST_POSTERIOR)}
    return [
        LinkExplanation(
            link,
            link in drawn,
            min(1.0, float(posteriors.average[link])),  # sums may pass 1 by rounding
            _threshold(aligner),
            None,
            _evidence(posteriors, link),
            _rule(aligner, posteriors, link, link in drawn),
        )
        for link in sorted(candidates | drawn)
    ]


REASONS_TOLD = 3


def in_words(one: LinkExplanation) -> str:
    """What spoke for a link, in a line: the sources of evidence where gold links were learned from.

    For example "93 %: identical words, words beside it; against it: position".
    """
    share = f"{100 * one.probability:.0f} %"
    if one.start is None:
        known = [reason.name for reason in one.reasons if reason.name in KINDS]
        return f"{share}: {', '.join([*known, one.rule])}"
    sums = by_source(one.reasons)
    speaking = [name for name, contribution in sums.items() if contribution > 0][:REASONS_TOLD]
    against = [name for name, contribution in sums.items() if contribution < 0][:1]
    told = ", ".join(speaking) or "nothing but the start"
    return f"{share}: {told}" + (f"; against it: {against[0]}" if against else "")


def by_source(reasons: Sequence[Reason]) -> dict[str, float]:
    """What each source of evidence adds to the log-odds, the weightiest first."""
    sums: dict[str, float] = {}
    for reason in reasons:
        source = source_of(reason.name)
        sums[source] = sums.get(source, 0.0) + reason.contribution
    return dict(sorted(sums.items(), key=lambda item: -abs(item[1])))


def reasons_of(
    aligner: Explaining, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]
) -> list[list[str]]:
    """For each of the links that the aligner drew in the pairs, what spoke for it, in words."""
    told = []
    for (source, target), drawn in zip(pairs, links, strict=True):
        found = {one.link: one for one in explanations(aligner, source, target)} if drawn else {}
        told.append([in_words(found[link]) if link in found else "" for link in drawn])
    return told


def _learned(
    aligner: BestAligner, classifier: LinkClassifier, source: Sequence[str], target: Sequence[str]
) -> list[LinkExplanation]:
    (candidates,) = evidence_of(aligner.model, [(source, target)])
    features = classifier.features(candidates)
    contributions = classifier.second.contributions(features)
    probabilities = classifier.second.probabilities(features)
    found = []
    for row, link in enumerate(zip(candidates.sources.tolist(), candidates.targets.tolist(), strict=True)):
        reasons = [
            Reason(name, float(value), float(contribution))
            for name, value, contribution in zip(FEATURES, features[row], contributions[row], strict=True)
        ]
        drawn = bool(probabilities[row] >= classifier.threshold)
        found.append(
            LinkExplanation(
                link,
                drawn,
                float(probabilities[row]),
                classifier.threshold,
                classifier.second.bias,
                sorted(reasons, key=lambda reason: -abs(reason.contribution)),
                "the classifier that learned from gold links",
            )
        )
    return sorted(found, key=lambda one: one.link)


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


def _threshold(aligner: Explaining) -> float | None:
    if isinstance(aligner, StatisticalAligner) and aligner.linking == POSTERIOR:
        return aligner.threshold
    return None


def _rule(aligner: Explaining, posteriors: Posteriors, link: Link, drawn: bool) -> str:
    if isinstance(aligner, BestAligner):
        return _rule_of_words(aligner.rules, posteriors, link, drawn)
    if aligner.linking == POSTERIOR:
        return f"the mean posterior of both directions, drawn above {aligner.threshold}"
    return f"the likeliest paths of both directions, made one by {aligner.linking}"


def _rule_of_words(rules: FreeWordRules, posteriors: Posteriors, link: Link, drawn: bool) -> str:
    unequal = min(posteriors.average.shape) < rules.unequal * max(posteriors.average.shape)
    average = float(posteriors.average[link])
    if not unequal and average > rules.threshold:
        return f"the mean posterior is above {rules.threshold}"
    if drawn:
        way = "the sentences differ in length; " if unequal else ""
        if posteriors.kinds[link] > STEM and posteriors.spelling[link] < rules.spelling:
            return f"{way}the words are related, and at {rules.meaning} or more"
        return f"{way}the words are identical, of one stem or spelled alike, and at {rules.least} or more"
    if unequal:
        return "the sentences differ in length: only related words, in order or free, are linked"
    return f"the mean posterior is not above {rules.threshold}, and no rule for free words holds"
