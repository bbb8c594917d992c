"""What spoke for and against each link that a trained aligner thought of."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from paragold.aligners.evidence import Evidence
from paragold.aligners.evidence_sources import SOURCES, source_of
from paragold.aligners.link_classifier import FEATURES, LinkClassifier
from paragold.aligners.method import LinkExplanation, Reason
from paragold.aligners.relations import IDENTICAL, KINDS
from paragold.aligners.translation_model import Posteriors
from paragold.metrics.links import Link

MIN_POSTERIOR = 0.01
REASONS_SHOWN = 4
RIVAL, IDENTICAL_RIVAL = "rival linked", "identical rival free"
"""Reasons that no classifier weighs: what became of the other links of the two words."""


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
    identical = {(int(i), int(j)) for i, j in np.argwhere(posteriors.kinds == IDENTICAL)}
    return [
        LinkExplanation(
            link,
            link in drawn,
            min(1.0, float(posteriors.average[link])),  # sums may pass 1 by rounding
            threshold,
            None,
            [*_evidence(posteriors, link), *_rivals(link, drawn, identical)],
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
    features = classifier.features([candidates])
    contributions = classifier.second.contributions(features)
    probabilities = classifier.second.probabilities(features)
    links: list[Link] = list(zip(candidates.sources.tolist(), candidates.targets.tolist(), strict=True))
    threshold = classifier.thresholds.of(candidates.shape)
    drawn = {link for link, p in zip(links, probabilities, strict=True) if p >= threshold}
    equal = features[:, FEATURES.index(KINDS[IDENTICAL])] > 0
    identical = {link for link, same in zip(links, equal, strict=True) if same}
    explained = []
    for row, link in enumerate(links):
        reasons = [
            Reason(name, float(value), float(contribution))
            for name, value, contribution in zip(FEATURES, features[row], contributions[row], strict=True)
        ]
        explained.append(
            LinkExplanation(
                link,
                link in drawn,
                float(probabilities[row]),
                threshold,
                classifier.second.bias,
                sorted(
                    [*reasons, *_rivals(link, drawn, identical)],
                    key=lambda reason: -abs(reason.contribution),
                ),
                f"the classifier trained on {origin}",
            )
        )
    return sorted(explained, key=lambda one: one.link)


_RELATION_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "identical": "identical words",
        "stem": "same stem",
        "lemma": "same WordNet lemma",
        "derivation": "WordNet derivation",
        "synonym": "WordNet synonym",
        "hypernym": "WordNet hypernym",
    }
)
"""By kind of relation, see `relations.KINDS`."""
_SIMILAR = 0.75
_WEIGHTY = 0.1
"""Sources that change the log-odds by less are not named."""
NOT_CONSIDERED = (
    f"not considered: the words are not related and the translation model gives less than {MIN_POSTERIOR}"
)


def in_words(one: LinkExplanation) -> str:
    """Why a link was drawn or not, in a line: the strongest evidence first, then what speaks against it.

    For example "same stem, neighbours linked; against it: far apart in the sentences; the model gives 0.63
    (links from 0.45 on)". Where more speaks against a link than for it, that comes first.
    """
    given = f"the model gives {one.probability:.2f}"
    related = [reason.name for reason in one.reasons if reason.name in _RELATION_WORDS and reason.value]
    rivals = _rival_words(one)
    if one.start is None:
        speaking = [_RELATION_WORDS[name] for name in related]
        speaking += [r.name for r in one.reasons if r.name == "spelling" and r.value >= _SIMILAR]
        parts = [", ".join(speaking).replace("spelling", "similar spelling") or "the words are not related"]
        return "; ".join([*parts, *_against(rivals), one.rule, given])
    values = {source_of(reason.name) for reason in one.reasons if reason.value}
    named: dict[bool, list[str]] = {True: [], False: rivals}
    total = {True: 0.0, False: 0.0}
    for source, contribution in one.sources:
        positive = contribution > 0
        total[positive] += abs(contribution)
        words = _words_of(source, related, positive=positive, present=source in values)
        if words and abs(contribution) >= _WEIGHTY:
            named[positive].append(words)
    for_it = ", ".join(named[True][:REASONS_SHOWN]) or "nothing but the base rate"
    if total[False] > total[True]:
        parts = [*_against(named[False]), f"for it: {for_it}"]
    else:
        parts = [for_it, *_against(named[False])]
    return "; ".join([*parts, f"{given} (links from {one.threshold:.2f} on)"])


def _against(words: Sequence[str]) -> list[str]:
    return [f"against it: {', '.join(words[:REASONS_SHOWN])}"] if words else []


def _words_of(source: str, related: Sequence[str], *, positive: bool, present: bool) -> str:
    """What a source says; "" for one without evidence here, and where a relation speaks against its link."""
    own = [_RELATION_WORDS[name] for name in related if source_of(name) == source]
    words = SOURCES[source].speaks_for, SOURCES[source].speaks_against
    if not words[0]:
        return "".join(own[:1]) if positive else "" if own else words[1]
    return words[not positive] if present else ""


def _rival_words(one: LinkExplanation) -> list[str]:
    names = {reason.name for reason in one.reasons}
    words = []
    if IDENTICAL_RIVAL in names:
        words.append("an identical word is free")
    if RIVAL in names and not one.drawn:
        words.append("one of the words is linked elsewhere")
    return words


def _rivals(link: Link, drawn: Collection[Link], identical: Collection[Link]) -> list[Reason]:
    """Whether another link of one of the two words is drawn, and whether an identical word has no link."""
    a, b = link
    reasons = []
    if any((i == a) != (j == b) for i, j in drawn):
        reasons.append(Reason(RIVAL, 1.0, 0.0))
    sources, targets = {i for i, _ in drawn}, {j for _, j in drawn}
    if link not in identical and any(
        (i == a and j != b and j not in targets) or (j == b and i != a and i not in sources)
        for i, j in identical
    ):
        reasons.append(Reason(IDENTICAL_RIVAL, 1.0, 0.0))
    return reasons


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
