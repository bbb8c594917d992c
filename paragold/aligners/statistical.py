"""IBM Model 1 and the HMM model as aligners: trained on pairs, linked by posterior or by both paths."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from paragold.aligners.method import (
    Aligner,
    AlignerMethod,
    Contents,
    LinkExplanation,
    Pair,
    Progress,
    SteppedTraining,
    batches,
)
from paragold.aligners.parameters import TrainingParameters
from paragold.aligners.symmetrisation import SYMMETRISATIONS, symmetrise
from paragold.metrics.links import Link, LinkedPair, check_pairs, check_words
from paragold.spec import Spec, param

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from paragold.aligners.relations import Relations
    from paragold.aligners.translation_model import TranslationModel

POSTERIOR = "posterior"
THRESHOLD = 0.55
MAX_ITERATIONS = 50

SYMMETRISATION_LABELS = {name: name for name in SYMMETRISATIONS}
HOW_LINKED = "Determines how the links of both directions are combined."
IDENTICAL = "Favour links between identical words"
ONE_LANGUAGE_LABEL = "Both sentences are in one language"
ONE_LANGUAGE_HELP = "Both directions share one table. Turn this off for sentences in two languages."
LEXICON = "Lexicon of identical words (replication)"
LEXICON_HELP = "Adds each word, paired with itself, to the training pairs."


class IBM1Spec(Spec):
    """Training IBM Model 1."""

    ibm1_iterations: int = param(5, "Iterations of IBM Model 1", ge=1, le=MAX_ITERATIONS)
    linking: str = param(
        POSTERIOR,
        "Links",
        HOW_LINKED,
        choices={POSTERIOR: "mean posterior of both directions", **SYMMETRISATION_LABELS},
    )
    lexicon: bool = param(False, LEXICON, LEXICON_HELP)
    identical: bool = param(True, IDENTICAL)
    one_language: bool = param(True, ONE_LANGUAGE_LABEL, ONE_LANGUAGE_HELP)


class HMMSpec(IBM1Spec):
    """Training the HMM model after IBM Model 1."""

    ibm1_iterations: int = param(5, "Iterations of IBM Model 1", ge=0, le=MAX_ITERATIONS)
    hmm_iterations: int = param(5, "Iterations of the HMM", ge=1, le=MAX_ITERATIONS)


class ModelAligner(Aligner):
    """An aligner around a trained translation model."""

    def __init__(self, name: str, model: TranslationModel) -> None:
        self.name = name
        self.model = model

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        """The links of two token sequences as (source, target) indices from 0, in ascending order."""
        return self.align_all([(source, target)])[0]

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of every pair, in order: the same as one by one, but faster."""
        check_pairs(pairs)
        # Equal links of all sentence pairs are one object in memory.
        known: dict[Link, Link] = {}
        return [
            [known.setdefault(link, link) for link in links]
            for batch in batches(pairs)
            for links in self._align(batch)
        ]

    @abstractmethod
    def _align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of pairs that fit in memory together."""

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]]:
        """For each of the links that it drew in the pairs, what spoke for it, in words."""
        from paragold.aligners.explanations import in_words

        reasons = []
        for (source, target), drawn in zip(pairs, links, strict=True):
            explained = {one.link: one for one in self.explanations(source, target)} if drawn else {}
            reasons.append([in_words(explained[link]) if link in explained else "" for link in drawn])
        return reasons

    def contents(self) -> Contents:
        numbers, description = self.model.contents()
        relations = self.model.relations
        return numbers, description | {
            "stemmer": relations.stemmer.language if relations.stemmer else None,
            "wordnet": relations.wordnet is not None,
            "spelling": relations.spelling,
        }


class StatisticalAligner(ModelAligner):
    """A trained model that draws links by posterior or by Viterbi paths of both directions."""

    def __init__(
        self, name: str, version: int, model: TranslationModel, *, linking: str, threshold: float = THRESHOLD
    ) -> None:
        from paragold.formats.model_files import content_hash

        super().__init__(name, model)
        self.linking = linking
        self.threshold = threshold
        way = f"{linking}>{threshold}" if linking == POSTERIOR else linking
        fingerprint = content_hash(*model.contents())[:16]
        self.signature = f"{name}|version:{version}|links:{way}|{model.signature}|model:{fingerprint}"

    def _align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        if self.linking != POSTERIOR:
            return [symmetrise(self.linking, *paths) for paths in self.model.viterbi(pairs)]
        return [
            [(int(i), int(j)) for i, j in zip(*(posteriors.average > self.threshold).nonzero(), strict=True)]
            for posteriors in self.model.posteriors(pairs)
        ]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        """Every link with a posterior of 0.01, and those drawn, in ascending order."""
        check_words(source, target)
        from paragold.aligners.explanations import by_posterior

        (posteriors,) = self.model.posteriors([(source, target)])
        if self.linking == POSTERIOR:
            rule = f"the mean posterior of both directions; links are drawn above {self.threshold}"
            threshold: float | None = self.threshold
        else:
            rule = f"the most likely paths of both directions, combined by {self.linking}"
            threshold = None
        return by_posterior(posteriors, self.align(source, target), threshold=threshold, rule=lambda *_: rule)

    def contents(self) -> Contents:
        numbers, description = super().contents()
        return numbers, description | {"linking": self.linking, "threshold": self.threshold}


class ModelMethod(AlignerMethod):
    """A method that trains a translation model, iteration by iteration."""

    gives_reasons = True

    @abstractmethod
    def training_parameters(self, parameters: Any) -> TrainingParameters:
        """How the translation model is trained."""

    @abstractmethod
    def aligner(self, model: TranslationModel, parameters: Any) -> ModelAligner:
        """The aligner around a trained model, without gold links."""

    def relations(self, parameters: Any) -> Relations:
        """What is known of words before training."""
        from paragold.aligners.relations import Relations

        return Relations(None, None, spelling=False)

    def iterations(self, parameters: Any) -> int:
        training = self.training_parameters(parameters)
        return training.ibm1_iterations + training.hmm_iterations

    def begin(
        self, pairs: Sequence[Pair], parameters: Spec, *, gold: Sequence[LinkedPair] = ()
    ) -> SteppedTraining:
        from paragold.aligners.training import ModelTraining

        self.refuse_gold(gold)
        check_pairs(pairs)
        return ModelTraining(
            pairs,
            self.training_parameters(parameters),
            self.relations(parameters),
            lambda model: self.aligner(model, parameters),
        )

    def train(
        self,
        pairs: Sequence[Pair],
        parameters: Spec | None = None,
        *,
        gold: Sequence[LinkedPair] = (),
        progress: Progress | None = None,
    ) -> ModelAligner:
        gold_pairs = [(linked.tokens.source, linked.tokens.target) for linked in gold]
        training = self.begin([*pairs, *gold_pairs], parameters or self.parameters(), gold=gold)
        state = training.start()
        for _ in range(training.iterations):
            state = training.advance(state)
            if progress is not None:
                progress(state.iterations[-1])
        return cast(ModelAligner, training.finish(state))


class StatisticalMethod(ModelMethod):
    """IBM Model 1 or the HMM: links by posterior or symmetrised paths, no gold links."""

    version = 4

    def aligner(self, model: TranslationModel, parameters: Any) -> StatisticalAligner:
        return StatisticalAligner(self.id, self.version, model, linking=parameters.linking)

    def restore(self, numbers: dict[str, NDArray[Any]], description: dict[str, Any]) -> StatisticalAligner:
        from paragold.aligners.translation_model import restored_model

        model = restored_model(numbers, description)
        linking, threshold = description["linking"], float(description["threshold"])
        return StatisticalAligner(self.id, self.version, model, linking=linking, threshold=threshold)


class IBM1(StatisticalMethod):
    id = "ibm1"
    label = "ibm1: IBM Model 1 (Brown et al. 1993)"
    parameters = IBM1Spec

    def training_parameters(self, parameters: Any) -> TrainingParameters:
        return _training_parameters(parameters, hmm_iterations=0)


class HMM(StatisticalMethod):
    id = "hmm"
    label = "hmm: the HMM alignment model after IBM Model 1 (Vogel, Ney & Tillmann 1996; Och & Ney 2003)"
    parameters = HMMSpec

    def training_parameters(self, parameters: Any) -> TrainingParameters:
        return _training_parameters(parameters, hmm_iterations=parameters.hmm_iterations)


def _training_parameters(parameters: Any, *, hmm_iterations: int) -> TrainingParameters:
    chosen = TrainingParameters(
        ibm1_iterations=parameters.ibm1_iterations,
        hmm_iterations=hmm_iterations,
        one_language=parameters.one_language,
        lexicon=parameters.lexicon,
    )
    # The lexicon is training data and stays, whatever is assumed of identical words.
    return chosen if parameters.identical else replace(chosen, identical=0.0)
