"""What spoke for and against each link that a trained aligner thought of."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from paragold.aligners.evidence import Evidence
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.method import LinkExplanation, Reason
from paragold.aligners.relations import KINDS
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Link

MIN_POSTERIOR = 0.01
REASONS_SHOWN = 3


def by_posterior(
    posteriors: Posteriors,
    drawn: Collection[Link],
    *,
    threshold: float | None,
    rule: Callable[[Posteriors, Link, bool], str],
) -> list[LinkExplanation]:
    """The links of a sentence pair that are drawn or have a posterior of MIN_POSTERIOR, in ascending order.

    `rule` says what decided, given the posteriors of the pair, the link, and whether it is drawn.
    """
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
        for link in sorted(candidates.union(drawn))
    ]


def by_classifier(
    classifier: LinkClassifier, candidates: Evidence, *, own_gold: bool
) -> list[LinkExplanation]:
    """Every candidate link of a sentence pair, in ascending order, by what was learned from gold links.

    `own_gold`: whether links of the user's own were among them.
    """
    origin = "gold links" if own_gold else "public word links"
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
                f"the classifier trained on {origin}",
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
    words = ", ".join(speaking) or "only the base rate"
    return f"{share}: {words}" + (f"; against it: {against[0]}" if against else "")


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
