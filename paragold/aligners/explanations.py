"""Links by fixed rules where no classifier was learned, and the evidence for every link considered."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from paragold.aligners.aligner import LinkExplanation
from paragold.aligners.evidence import Evidence
from paragold.aligners.identity import Identity
from paragold.aligners.link_classifier import FEATURES, LinkClassifier, threshold_of
from paragold.aligners.relations import IDENTICAL, KINDS, STEM
from paragold.aligners.translation_model import Posteriors
from paragold.arrays import Floats
from paragold.metrics.links import Link

MIN_POSTERIOR = 0.01
REASONS_SHOWN = 4
_WEIGHTY = 0.1
"""Sources that change the log-odds by less are not named."""
NOT_CONSIDERED = (
    f"not considered: the words are not related and the translation model gives less than {MIN_POSTERIOR}"
)


def by_posterior(
    posteriors: Posteriors, drawn: Collection[Link], *, threshold: float | None, rule: str
) -> list[LinkExplanation]:
    """The links of a sentence pair that are drawn or have a posterior of MIN_POSTERIOR, ascending."""
    average = posteriors.average
    candidates = {(int(i), int(j)) for i, j in np.argwhere(average >= MIN_POSTERIOR)}
    explained = []
    for link in sorted(candidates.union(drawn)):
        values = {
            "posterior, first sentence to second": posteriors.forward[link],
            "posterior, second sentence to first": posteriors.backward[link],
            "mean posterior": average[link],
            "association": posteriors.association[link],
            "spelling": posteriors.spelling[link],
        }
        if kind := int(posteriors.kinds[link]):
            values[KINDS[kind]] = np.float64(1)
        reasons = [(name, float(value), 0.0) for name, value in values.items()]
        probability = min(1.0, float(average[link]))  # sums may pass 1 by rounding
        explained.append(LinkExplanation(link, link in drawn, probability, threshold, None, reasons, rule))
    return explained


def by_classifier(classifier: LinkClassifier, candidates: Evidence, rule: str) -> list[LinkExplanation]:
    """Every candidate link of a sentence pair, in ascending order, by what was learned from gold links."""
    second = classifier.second
    features = classifier.features([candidates])
    probabilities, contributions = second.probabilities(features).tolist(), second.contributions(features)
    threshold = threshold_of(classifier.thresholds, candidates.shape)
    explained = []
    for number, (link, probability) in enumerate(zip(candidates.links(), probabilities, strict=True)):
        reasons = zip(FEATURES, features[number].tolist(), contributions[number].tolist(), strict=True)
        weightiest = sorted(reasons, key=lambda reason: -abs(reason[2]))
        drawn = probability >= threshold
        explained.append(LinkExplanation(link, drawn, probability, threshold, second.bias, weightiest, rule))
    return sorted(explained, key=lambda explanation: explanation.link)


def in_words(link: LinkExplanation) -> str:
    """The strongest evidence of a link and its probability, in a line.

    For example "rivals +0.8, position -0.4; probability 0.63 (links from 0.45 on)": what sources of evidence
    add to the log-odds; without gold links the relation of the words.
    """
    weighed = [f"{name} {amount:+.1f}" for name, amount in link.sources if abs(amount) >= _WEIGHTY]
    related = [name for name, value, _ in link.reasons if value and name in KINDS]
    limit = "" if link.threshold is None else f" (links from {link.threshold:.2f} on)"
    evidence = weighed[:REASONS_SHOWN] or related[:1] or ["the words are not related"]
    return f"{', '.join(evidence)}; probability {link.probability:.2f}{limit}"


FREE_WORD_RULES: Mapping[str, float] = MappingProxyType(
    {"threshold": 0.6, "unequal": 0.75, "minimum": 0.35, "spelling": 0.75, "meaning": 0.9}
)
"""See `links_by_rules`.

threshold: the mean posterior of both directions above which a link is drawn.
unequal: the length ratio below which a pair counts as unequal, from 0 (none does) to 1.
minimum: mean posterior that a link of a rule must have.
spelling: similarity from which on two words that are both free are linked; above 1 never.
meaning: mean posterior from which on free words that WordNet relates are linked too; above 1 never.
"""


def links_by_rules(
    source: Sequence[str],
    target: Sequence[str],
    posteriors: Posteriors,
    rules: Mapping[str, float] = FREE_WORD_RULES,
) -> list[Link]:
    """Links above a posterior, then rules for words without one; in ascending order.

    Where the shorter sentence has less than `unequal` of the longer one's words, most words of the longer
    one have no partner, and a statistical model finds one all the same: there links are the longest common
    subsequence of identical words, as far as the posterior reaches `minimum`, and the rules for free words.
    """
    average = posteriors.average
    if not average.size:
        return []
    if min(average.shape) < rules["unequal"] * max(average.shape):
        links = {link for link in Identity().align(source, target) if average[link] >= rules["minimum"]}
    else:
        links = {(int(i), int(j)) for i, j in np.argwhere(average > rules["threshold"])}
    related = (posteriors.kinds == IDENTICAL) | (posteriors.kinds == STEM)
    alike = (related | (posteriors.spelling >= rules["spelling"])) & (average >= rules["minimum"])
    alike |= (posteriors.kinds > 0) & (average >= rules["meaning"])
    _link_free(links, np.where(alike, average, 0))
    return sorted(links)


def _link_free(links: set[Link], scores: Floats) -> None:
    """Add links above 0, the highest first, whose words both have none; ties in ascending order."""
    sources, targets = {i for i, _ in links}, {j for _, j in links}
    rows, columns = np.nonzero(scores > 0)
    ranked = sorted(zip((-scores[rows, columns]).tolist(), rows.tolist(), columns.tolist(), strict=True))
    for _, i, j in ranked:
        if i not in sources and j not in targets:
            links.add((i, j))
            sources.add(i)
            targets.add(j)
