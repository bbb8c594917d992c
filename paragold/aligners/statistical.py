"""IBM Model 1 and the HMM model as aligners: trained on pairs, linked by posterior or by both paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from paragold.aligners.aligner import (
    NO_OTHER_GOLD,
    PAIRS_AT_ONCE,
    Aligner,
    Contents,
    Gold,
    LinkExplanation,
    OtherGold,
    Pair,
    Progress,
    TrainingParameters,
    Transfer,
    texts_of,
)
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.metrics.links import Link, check_pairs, check_words
from paragold.parallel import portions
from paragold.spec import Spec, param

if TYPE_CHECKING:
    from paragold.aligners.link_classifier import LinkClassifier
    from paragold.aligners.relations import Relations
    from paragold.aligners.training import Training
    from paragold.aligners.translation_model import TranslationModel
    from paragold.arrays import Array

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
    """An aligner around a translation model, which is trained iteration by iteration."""

    gives_reasons = True
    classifier: LinkClassifier | None = None
    _model: TranslationModel | None = None
    _signature: str

    @property
    def model(self) -> TranslationModel:
        """The trained model. Raises ValueError before `fit`."""
        if self._model is None:
            raise ValueError(f"This aligner, {self.id}, has learned nothing yet: call fit first.")
        return self._model

    def with_model(
        self,
        model: TranslationModel,
        classifier: LinkClassifier | None = None,
        transfers: Sequence[Transfer] = (),
    ) -> Self:
        """A copy that draws links by a trained model and, as `best` can, by a classifier of links."""
        fitted = self.with_spec(self.spec)
        fitted.take(model, classifier, transfers)
        return fitted

    def take(
        self,
        model: TranslationModel,
        classifier: LinkClassifier | None,
        transfers: Sequence[Transfer],
    ) -> None:
        """Draw links by these from now on."""
        from paragold.formats.model_files import content_hash

        self._model, self.classifier, self.transfers = model, classifier, list(transfers)
        numbers, description = model.contents()
        if classifier is not None:
            numbers |= classifier.numbers()
        fingerprint = content_hash(numbers, description)[:16]
        own = f"{self.id}|version:{self.version}|{self.last_step()}"
        self._signature = f"{own}|{model.signature}|model:{fingerprint}"

    def last_step(self) -> str:
        """How the links are drawn, for the signature."""
        raise NotImplementedError

    def training_parameters(self) -> TrainingParameters:
        """How the translation model is trained."""
        raise NotImplementedError

    def known_links(self) -> tuple[LinkClassifier | None, frozenset[str]]:
        """What was learned of links elsewhere, and the sources of evidence that are left out."""
        return None, frozenset()

    def relations(self) -> Relations:
        """What is known of words before training."""
        from paragold.aligners.relations import Relations

        return Relations(None, None, spelling=False)

    @property
    def iterations(self) -> int:
        training = self.training_parameters()
        return training.ibm1_iterations + training.hmm_iterations

    def begin(
        self, pairs: Sequence[Pair], *, gold: Gold = (), other_gold: OtherGold = NO_OTHER_GOLD
    ) -> Training:
        from paragold.aligners.training import Training

        self.check_gold(gold, other_gold)
        check_pairs(pairs)
        start, without = self.known_links()
        return Training(
            pairs, self.training_parameters(), self.relations(), gold, other_gold, start=start,
            without=without, seed=getattr(self.spec, "seed", 1), build=self.with_model,
        )  # fmt: skip

    def learn(
        self, pairs: Sequence[Pair], gold: Gold, other_gold: OtherGold, progress: Progress | None
    ) -> None:
        training = self.begin([*pairs, *texts_of(gold)], gold=gold, other_gold=other_gold)
        state = training.start()
        for _ in range(training.iterations):
            state = training.advance(state)
            if progress is not None:
                progress(state.iterations[-1])
        self.take(training.model(state), *training.learned(state))

    def own_signature(self) -> str:
        return self._signature if self._model else super().own_signature()

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        # Equal links of all sentence pairs are one object in memory.
        known: dict[Link, Link] = {}
        return [
            [known.setdefault(link, link) for link in links]
            for batch in portions(pairs, PAIRS_AT_ONCE)
            for links in self.draw_batch(batch)
        ]

    def draw_batch(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of pairs that fit in memory together."""
        raise NotImplementedError

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]]:
        from paragold.aligners.explanations import in_words

        reasons = []
        for (source, target), drawn in zip(pairs, links, strict=True):
            explained = {why.link: why for why in self.explanations(source, target)} if drawn else {}
            reasons.append([in_words(explained[link]) if link in explained else "" for link in drawn])
        return reasons

    def contents(self) -> Contents:
        return self.model.contents()

    def restore(self, numbers: dict[str, Array], description: dict[str, Any]) -> None:
        from paragold.aligners.translation_model import restored_model

        self.take(restored_model(numbers, description, self.relations()), None, ())


class IBM1(ModelAligner):
    """IBM Model 1 in both directions (Brown et al. 1993)."""

    id = "ibm1"
    label = "ibm1: IBM Model 1 (Brown et al. 1993)"
    parameters: ClassVar[type[Spec]] = IBM1Spec
    version = 4

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        # Equal words stay favoured: numbers, names and marks are spelt alike in many languages.
        return {"one_language": False} if second_language else {}

    def training_parameters(self) -> TrainingParameters:
        spec = self.spec
        chosen = TrainingParameters(
            ibm1_iterations=spec.ibm1_iterations,
            hmm_iterations=0,
            one_language=spec.one_language,
            lexicon=spec.lexicon,
        )
        # The lexicon is training data and stays, whatever is assumed of identical words.
        return chosen if spec.identical else replace(chosen, identical=0.0)

    def last_step(self) -> str:
        by_posterior = self.spec.linking == POSTERIOR
        return f"links:{POSTERIOR}>{THRESHOLD}" if by_posterior else f"links:{self.spec.linking}"

    def draw_batch(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        if self.spec.linking != POSTERIOR:
            combine = SYMMETRISATIONS[self.spec.linking]
            return [combine(*paths) for paths in self.model.viterbi(pairs)]
        return [
            [(int(i), int(j)) for i, j in zip(*(posteriors.average > THRESHOLD).nonzero(), strict=True)]
            for posteriors in self.model.posteriors(pairs)
        ]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        """Every link with a posterior of 0.01, and those drawn, in ascending order."""
        check_words(source, target)
        from paragold.aligners.explanations import by_posterior

        (posteriors,) = self.model.posteriors([(source, target)])
        threshold: float | None = THRESHOLD
        rule = f"the mean posterior of both directions; links are drawn above {THRESHOLD}"
        if self.spec.linking != POSTERIOR:
            threshold = None
            rule = f"the most likely paths of both directions, combined by {self.spec.linking}"
        return by_posterior(posteriors, self.align(source, target), threshold=threshold, rule=rule)


class HMM(IBM1):
    """The HMM alignment model after IBM Model 1 (Vogel, Ney & Tillmann 1996; Och & Ney 2003)."""

    id = "hmm"
    label = "hmm: the HMM alignment model after IBM Model 1 (Vogel, Ney & Tillmann 1996; Och & Ney 2003)"
    parameters = HMMSpec

    def training_parameters(self) -> TrainingParameters:
        return replace(super().training_parameters(), hmm_iterations=self.spec.hmm_iterations)
