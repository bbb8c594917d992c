"""Links by fixed rules where no classifier was learned, and the evidence for every link considered."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from paragold.aligners.aligner import LinkExplanation, Reason
from paragold.aligners.evidence import Evidence
from paragold.aligners.expectation_maximisation import FloatArray
from paragold.aligners.identity import Identity
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.relations import IDENTICAL, KINDS, STEM
from paragold.aligners.translation_model import Posteriors
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
        reasons = [Reason(name, float(value), 0.0) for name, value in values.items()]
        probability = min(1.0, float(average[link]))  # sums may pass 1 by rounding
        explained.append(LinkExplanation(link, link in drawn, probability, threshold, None, reasons, rule))
    return explained


def by_classifier(classifier: LinkClassifier, candidates: Evidence, rule: str) -> list[LinkExplanation]:
    """Every candidate link of a sentence pair, in ascending order, by what was learned from gold links."""
    second = classifier.second
    features = classifier.features([candidates])
    probabilities, contributions = second.probabilities(features).tolist(), second.contributions(features)
    threshold = classifier.thresholds.of(candidates.shape)
    explained = []
    for number, (link, probability) in enumerate(zip(candidates.links(), probabilities, strict=True)):
        reasons = map(Reason, FEATURES, features[number].tolist(), contributions[number].tolist())
        weightiest = sorted(reasons, key=lambda reason: -abs(reason.contribution))
        drawn = probability >= threshold
        explained.append(LinkExplanation(link, drawn, probability, threshold, second.bias, weightiest, rule))
    return sorted(explained, key=lambda explanation: explanation.link)


def in_words(link: LinkExplanation) -> str:
    """The strongest evidence of a link and its probability, in a line.

    For example "stem +0.8, position -0.4; probability 0.63 (links from 0.45 on)": what sources of evidence
    add to the log-odds; without gold links the relation of the words.
    """
    weighed = [f"{name} {amount:+.1f}" for name, amount in link.sources if abs(amount) >= _WEIGHTY]
    related = [reason.name for reason in link.reasons if reason.value and reason.name in KINDS]
    limit = "" if link.threshold is None else f" (links from {link.threshold:.2f} on)"
    evidence = weighed[:REASONS_SHOWN] or related[:1] or ["the words are not related"]
    return f"{', '.join(evidence)}; probability {link.probability:.2f}{limit}"


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
        return ",".join(f"{name}={value}" for name, value in asdict(self).items())

    def links(self, source: Sequence[str], target: Sequence[str], posteriors: Posteriors) -> list[Link]:
        """The links of one sentence pair, in ascending order."""
        average = posteriors.average
        if not average.size:
            return []
        if min(average.shape) < self.unequal * max(average.shape):
            links = {link for link in Identity().align(source, target) if average[link] >= self.minimum}
        else:
            links = {(int(i), int(j)) for i, j in np.argwhere(average > self.threshold)}
        related = (posteriors.kinds == IDENTICAL) | (posteriors.kinds == STEM)
        alike = (related | (posteriors.spelling >= self.spelling)) & (average >= self.minimum)
        alike |= (posteriors.kinds > 0) & (average >= self.meaning)
        _link_free(links, np.where(alike, average, 0))
        return sorted(links)


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
