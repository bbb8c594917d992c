"""The tuned default: the HMM with stems, WordNet and spelling, and a step that learns from gold links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from paragold.aligners.aligner import Contents, LinkExplanation, Pair, TrainingParameters, Transfer
from paragold.aligners.evidence_sources import PHRASES, SOURCES
from paragold.aligners.statistical import (
    IDENTICAL,
    MAX_ITERATIONS,
    ONE_LANGUAGE_HELP,
    ONE_LANGUAGE_LABEL,
    ModelAligner,
)
from paragold.metrics.links import Link, check_words
from paragold.problems import FileProblem
from paragold.spec import Spec, param, seed_param
from paragold.text.encoder_files import (
    DEFAULT_ENCODER,
    doubt,
    encoder_param,
    not_installed,
    suitable,
    what_is_missing,
)
from paragold.text.stemming import LANGUAGES, Stemmer, StemmerName, stemmer_name
from paragold.text.wordnet import open_wordnet

if TYPE_CHECKING:
    from paragold.aligners.link_classifier import LinkClassifier
    from paragold.aligners.relations import Relations
    from paragold.aligners.translation_model import TranslationModel
    from paragold.arrays import Array
    from paragold.text.encoder import Encoder

# Tuned on Edinburgh++ train and RTE-2 dev; docs/aligners.md has the figures.
ONE_LANGUAGE = TrainingParameters(
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
NO_STEMMER = "none"
WITH_WORDNET = ("english", "porter")
ENGLISH, NO_STARTING_POINT = "english", "none"


class BestSpec(Spec):
    """Training the tuned default, with gold links or without."""

    ibm1_iterations: int = param(2, "Iterations of IBM Model 1", ge=0, le=MAX_ITERATIONS)
    hmm_iterations: int = param(6, "Iterations of the HMM", ge=1, le=MAX_ITERATIONS)
    identical: bool = param(True, IDENTICAL)
    one_language: bool = param(True, ONE_LANGUAGE_LABEL, ONE_LANGUAGE_HELP)
    stemmer: StemmerName = param(
        "english",
        "Stemmer",
        "Words with the same Snowball stem in this language count as related.",
        choices={**{language: language for language in LANGUAGES}, NO_STEMMER: "none"},
        when={"one_language": (True,)},
    )
    wordnet: bool = param(
        True,
        "WordNet: lemmas, derivations, synonyms, hypernyms (English)",
        when={"one_language": (True,), "stemmer": WITH_WORDNET},
    )
    spelling: bool = param(True, "Words with similar spelling", when={"one_language": (True,)})
    encoder: str = encoder_param("Encoder of words in context", "Compares what words mean in their sentences")
    without: frozenset[str] = param(
        frozenset(),
        "Evidence to leave out",
        "These sources are ignored in training on gold links, so that their effect can be measured.",
        choices={name: name for name in SOURCES},
        max_length=len(SOURCES) - 1,
    )
    starting_point: str = param(
        ENGLISH,
        "Starting point",
        "Links are drawn by what was learned from public English word links; gold links pull it. "
        "In experiments the default is none.",
        choices={ENGLISH: "learned on public English word links", NO_STARTING_POINT: "none"},
        when={"one_language": (True,), "stemmer": WITH_WORDNET},
    )
    seed: int = seed_param("Determines which gold pairs are held out for the learning curve.")


_DESCRIBED = "encoder: "


def encoder_in(signature: str) -> str:
    """Name, licence and SHA-256 of the encoder in the signature of a trained aligner; "" without one."""
    parts = (part for part in signature.split("|") if part.startswith(_DESCRIBED))
    return next(parts, "").removeprefix(_DESCRIBED)


class BestAligner(ModelAligner):
    """An HMM, and either a classifier of links that learned from gold ones or fixed rules."""

    id = "best"
    label = (
        "best: the HMM with stems, WordNet and spelling, then a classifier trained on public English links "
        "and on this project's gold links, or rules (recommended)"
    )
    parameters = BestSpec
    version = 11
    learns_from_gold = True
    in_experiments: ClassVar[Mapping[str, Any]] = {"starting_point": NO_STARTING_POINT}
    suggestion = "The best aligner without gold links, trained on the batch's own pairs"
    start = ""
    """Where the classifier started from: the signature of a starting point, or ""."""

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        if second_language:
            return {
                "one_language": False,
                "stemmer": NO_STEMMER,
                "starting_point": NO_STARTING_POINT,
                "wordnet": False,
                "spelling": False,
            }
        stemmer = stemmer_name(language)
        own = {} if stemmer in WITH_WORDNET else {"starting_point": NO_STARTING_POINT}
        if suitable(language):
            own["encoder"] = DEFAULT_ENCODER
        return {"stemmer": stemmer or NO_STEMMER} | own

    def without_effect(self, language: str, second_language: str = "") -> Mapping[str, str]:
        reasons = {"encoder": reason} if (reason := not_installed()) else {}
        if second_language:
            reason = "The sentences are in two languages."
            return reasons | dict.fromkeys(("stemmer", "starting_point", "wordnet", "spelling"), reason)
        stemmer = stemmer_name(language)
        if stemmer is None:
            reasons["stemmer"] = f"There is no stemmer for {language}."
        if stemmer not in WITH_WORDNET:
            reasons["wordnet"] = "WordNet covers English only."
            reasons["starting_point"] = "The starting point was learned on English only."
        return reasons

    def doubts(self, language: str, second_language: str = "") -> Mapping[str, str]:
        said = doubt(language, second_language)
        return {"encoder": said} if said else {}

    def install_hint(self) -> str:
        """What is missing for the encoder that was chosen."""
        return what_is_missing(self.spec.encoder)

    def encoder(self) -> Encoder | None:
        """The encoder that was chosen.

        Raises FileProblem for a folder without one, ValueError where the variable or a package is missing.
        """
        if not self.spec.encoder:
            return None
        from paragold.text.encoder import open_encoder

        return open_encoder(self.spec.encoder)

    def training_parameters(self) -> TrainingParameters:
        spec = self.spec
        tuned = ONE_LANGUAGE if spec.one_language else TWO_LANGUAGES
        chosen = replace(tuned, ibm1_iterations=spec.ibm1_iterations, hmm_iterations=spec.hmm_iterations)
        return chosen if spec.identical else replace(chosen, identical=0.0, lexicon=False)

    def relations(self) -> Relations:
        from paragold.aligners.relations import Relations

        spec = self.spec
        encoder = self.encoder()
        if not spec.one_language:
            return Relations(None, None, spelling=False, encoder=encoder)
        return Relations(
            None if spec.stemmer == NO_STEMMER else Stemmer(spec.stemmer),
            open_wordnet() if spec.wordnet and spec.stemmer in WITH_WORDNET else None,
            spelling=spec.spelling,
            encoder=encoder,
        )

    def starting_point(self) -> tuple[LinkClassifier, dict[str, Any]] | None:
        """What `adaptation.loads` gives; None where it is turned off or the sentences are not English."""
        from paragold.aligners import adaptation

        spec = self.spec
        english = spec.one_language and spec.stemmer in WITH_WORDNET
        if not english or spec.starting_point != ENGLISH:
            return None
        encoder = self.encoder()
        return adaptation.english(encoder.signature if encoder else "")

    def known_links(self) -> tuple[LinkClassifier | None, frozenset[str]]:
        start = self.starting_point()
        without = self.spec.without
        return start[0].without(without) if start else None, without

    @property
    def rules(self) -> Mapping[str, float]:
        """How links are drawn without a classifier."""
        from paragold.aligners.explanations import FREE_WORD_RULES

        return FREE_WORD_RULES if self.spec.one_language else {**FREE_WORD_RULES, "unequal": 0.0}

    def take(
        self, model: TranslationModel, classifier: LinkClassifier | None, transfers: Sequence[Transfer]
    ) -> None:
        start = self.starting_point()
        self.start = start[1]["signature"] if start else ""
        super().take(model, classifier, transfers)

    def last_step(self) -> str:
        if self.classifier is None:
            return "rules:" + ",".join(f"{name}={value}" for name, value in self.rules.items())
        steps = "links:logistic-regression,2-stages"
        if encoder := self.model.relations.encoder:
            steps += f"|{_DESCRIBED}{encoder.described}"
        if self.start:
            own = [step["variance"] for step in self.transfers if not step.get("gold")]
            steps += f"|starting-point:{self.start}" + "".join(f",prior:{variance}" for variance in own)
        others = [step["variance"] for step in self.transfers if step.get("gold") and step["helps"]]
        return steps + "".join(f"|other-gold,prior:{variance}" for variance in others)

    def draw_batch(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        from paragold.aligners.evidence import evidence_in_parts
        from paragold.aligners.explanations import links_by_rules

        if self.classifier is not None:
            phrases = self.classifier.weighs(PHRASES)
            candidates = evidence_in_parts(self.model, pairs, phrases=phrases)
            return [links for some in candidates for links in self.classifier.links_of(some)]
        posteriors = self.model.posteriors(pairs)
        return [links_by_rules(*pair, own, self.rules) for pair, own in zip(pairs, posteriors, strict=True)]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        """Every candidate link: by the classifier's evidence, or by posterior where there is none."""
        check_words(source, target)
        from paragold.aligners.evidence import evidence_of
        from paragold.aligners.explanations import by_classifier, by_posterior, links_by_rules

        if self.classifier is not None:
            phrases = self.classifier.weighs(PHRASES)
            (candidates,) = evidence_of(self.model, [(source, target)], phrases=phrases)
            own_gold = self.transfers or not self.start
            rule = f"the classifier trained on {'gold links' if own_gold else 'public word links'}"
            return by_classifier(self.classifier, candidates, rule)
        (posteriors,) = self.model.posteriors([(source, target)])
        drawn = links_by_rules(source, target, posteriors, self.rules)
        rule = f"rules: a mean posterior above {self.rules['threshold']}, then related words without a link"
        return by_posterior(posteriors, drawn, threshold=None, rule=rule)

    def contents(self) -> Contents:
        from paragold.aligners.link_classifier import FEATURES

        numbers, description = super().contents()
        if self.classifier is not None:
            numbers |= self.classifier.numbers()
        return numbers, description | {
            "features": list(FEATURES) if self.classifier else [],
            "start": self.start,
            "transfers": list(self.transfers),
        }

    def restore(self, numbers: dict[str, Array], description: dict[str, Any]) -> None:
        from paragold.aligners.link_classifier import FEATURES, LinkClassifier
        from paragold.aligners.translation_model import restored_model

        classifier = None
        if description["features"]:
            if description["features"] != list(FEATURES):
                raise FileProblem("It was trained on another set of link features.", "Train it again.")
            classifier = LinkClassifier.of_numbers(numbers)
        model = restored_model(numbers, description, self.relations())
        self.start = description["start"]
        super().take(model, classifier, description["transfers"])
