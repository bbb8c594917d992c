"""The tuned default: the HMM with what is known of words, and a step that learns from gold links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from paragold.aligners.cooccurrences import Pair
from paragold.aligners.evidence import Evidence, evidence
from paragold.aligners.free_words import FreeWordRules
from paragold.aligners.link_classifier import FEATURES, LinkClassifier, fit
from paragold.aligners.model_files import content_hash
from paragold.aligners.relations import Relations
from paragold.aligners.statistical import Progress, batches, one_of_each
from paragold.aligners.symmetrisation import Link
from paragold.aligners.training import train
from paragold.aligners.training_parameters import TrainingParameters
from paragold.aligners.translation_model import TranslationModel
from paragold.metrics.links import LinkedPair

VERSION = 4

# Tuned on Edinburgh++ train and RTE-2 dev; docs/aligners.md has the figures.
ONE_LANGUAGE = TrainingParameters(
    ibm1_iterations=2,
    hmm_iterations=6,
    identical=200.0,
    stem=100.0,
    lemma=100.0,
    derivation=50.0,
    synonym=40.0,
    hypernym=10.0,
    spelling=40.0,
    null=0.08,
    null_excess=0.7,
    uniform=0.4,
    lexicon=True,
)
TWO_LANGUAGES = TrainingParameters(one_language=False)
STRENGTH = 0.03


@dataclass(frozen=True, slots=True)
class Reason:
    """One piece of evidence for a link: its value, and what it adds to the log-odds of the link."""

    name: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a link was drawn or not."""

    drawn: bool
    probability: float
    reasons: list[Reason]
    """The weightiest first."""


class BestAligner:
    """A trained HMM, and either a classifier of links that learned from gold ones or fixed rules."""

    name = "best"

    def __init__(
        self, model: TranslationModel, rules: FreeWordRules, classifier: LinkClassifier | None
    ) -> None:
        self.model = model
        self.rules = rules
        self.classifier = classifier
        numbers, description = model.contents()
        if classifier is None:
            last_step = f"rules:{rules.signature}"
        else:
            numbers = {**numbers, **classifier.numbers()}
            last_step = "links:logistic-regression,2-stages"
        fingerprint = content_hash(numbers, description)[:16]
        self.signature = f"best|version:{VERSION}|{last_step}|{model.signature}|model:{fingerprint}"

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences as (source, target) indices from 0, in ascending order."""
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order: the same as one by one, but faster."""
        known: dict[Link, Link] = {}
        return [one_of_each(links, known) for batch in batches(pairs) for links in self._align(batch)]

    def _align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        if self.classifier is not None:
            return [self.classifier.links(pair) for pair in evidence_of(self.model, pairs)]
        posteriors = self.model.posteriors(pairs)
        return [self.rules.links(*pair, found) for pair, found in zip(pairs, posteriors, strict=True)]

    def explain(self, source: Sequence[str], target: Sequence[str], link: Link) -> Explanation | None:
        """What spoke for and against a link; None where it was never a candidate or nothing was learned."""
        if self.classifier is None:
            return None
        (candidates,) = evidence_of(self.model, [(source, target)])
        places = np.flatnonzero((candidates.sources == link[0]) & (candidates.targets == link[1]))
        if not len(places):
            return None
        place = int(places[0])
        features = self.classifier.features(candidates)
        contributions = self.classifier.second.contributions(features)[place]
        reasons = [
            Reason(name, float(value), float(contribution))
            for name, value, contribution in zip(FEATURES, features[place], contributions, strict=True)
        ]
        probability = float(self.classifier.second.probabilities(features)[place])
        return Explanation(
            probability >= self.classifier.threshold,
            probability,
            sorted(reasons, key=lambda reason: -abs(reason.contribution)),
        )


def evidence_of(model: TranslationModel, pairs: Sequence[Pair]) -> list[Evidence]:
    """The candidate links of every pair."""
    return [
        evidence(source, target, found, *model.shares(source, target), model.relations.closed_classes)
        for (source, target), found in zip(pairs, model.posteriors(pairs), strict=True)
    ]


@dataclass(frozen=True, slots=True)
class BestTrainer:
    """Trains the tuned default, with gold links or without."""

    relations: Relations
    parameters: TrainingParameters = ONE_LANGUAGE
    rules: FreeWordRules = field(default_factory=FreeWordRules)
    strength: float = STRENGTH
    name: str = BestAligner.name

    def train(
        self, pairs: Sequence[Pair], *, gold: Sequence[LinkedPair] = (), progress: Progress | None = None
    ) -> BestAligner:
        """Train on sentence pairs and, where there are any, on gold links, whose sentences join the pairs.

        Raises ValueError when gold links are given but there is nothing to learn from them; see
        `link_classifier.fit`.
        """
        gold_pairs = [(linked.tokens.source, linked.tokens.target) for linked in gold]
        model = train([*pairs, *gold_pairs], self.parameters, self.relations, progress=progress)
        classifier = None
        if gold:
            candidates = [found for batch in batches(gold_pairs) for found in evidence_of(model, batch)]
            classifier = fit(candidates, [linked.links for linked in gold], strength=self.strength)
        return BestAligner(model, self.rules, classifier)


def best(*, language: str | None = "english", wordnet: bool = True) -> BestTrainer:
    """The tuned default for sentences of one language, or with `language` None for two different ones.

    Stems are used for every language that Snowball has, WordNet for English where it is installed and
    `wordnet` is True; no other language needs anything. Raises ValueError for an unknown language.
    """
    if language is None:
        rules = FreeWordRules(unequal=0.0)
        return BestTrainer(Relations(None, None, spelling=False), TWO_LANGUAGES, rules)
    return BestTrainer(Relations.of_language(language, wordnet=wordnet))
