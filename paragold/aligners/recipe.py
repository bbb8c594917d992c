"""How one aligner is trained: all that can be chosen, as plain values that JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.registry import PROGRAMS, TRAINED, Pair
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.text.stemming import LANGUAGES

if TYPE_CHECKING:
    from paragold.aligners.link_classifier import LinkClassifier
    from paragold.aligners.program_aligner import ProgramAligner
    from paragold.aligners.relations import Relations
    from paragold.aligners.trained_files import Kept
    from paragold.aligners.training import Training
    from paragold.aligners.training_parameters import TrainingParameters
    from paragold.aligners.translation_model import TranslationModel

LINKINGS = ("posterior", *SYMMETRISATIONS)
MOST_ITERATIONS = 50
ITERATIONS: Mapping[str, tuple[int, int]] = MappingProxyType({"ibm1": (5, 0), "hmm": (5, 5), "best": (2, 6)})
"""Of IBM Model 1 and of the HMM, where a recipe says nothing else."""


class RecipeError(ValueError):
    """A choice that cannot be; `field` names it, "" where it is none of them alone."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Recipe:
    """The choices. Those that an aligner does not have must be left as they are; see `checked`.

    Raises RecipeError for a value that cannot be.
    """

    aligner: str = "best"
    """One of registry.TRAINED or registry.PROGRAMS."""
    ibm1_iterations: int | None = None
    """Iterations of each model, at most MOST_ITERATIONS; None is the aligner's own number."""
    hmm_iterations: int | None = None
    linking: str = "posterior"
    """One of LINKINGS, for ibm1, hmm and programs: how both directions become one set of links."""
    lexicon: bool = False
    """For all but best, which always has it: each word is a pair with itself (the papers' lexicon)."""
    stemmer: str | None = "english"
    """For best: one of paragold.text.stemming.LANGUAGES, None for none."""
    identical: bool = True
    """Words are believed to translate as themselves (pseudo-counts)."""
    wordnet: bool = True
    """For best: lemmas, derivations, synonyms and hypernyms, of English where WordNet is installed."""
    spelling: bool = True
    """For best: words that are spelled alike."""
    one_language: bool = True
    """Both sides are one language: tables are shared, and words may be identical, related or alike."""
    without: tuple[str, ...] = ()
    """For best with gold links: the sources of evidence, names of SOURCES, that it does not look at."""
    seed: int = 1
    """Decides which pairs are held out when gold links are learned from."""

    def __post_init__(self) -> None:
        if self.aligner not in (*TRAINED, *PROGRAMS):
            known = ", ".join((*TRAINED, *PROGRAMS))
            message = f"no aligner {self.aligner!r} to train; choose one of {known}"
            raise RecipeError(message, "aligner")
        if self.linking not in LINKINGS:
            message = f"no symmetrisation {self.linking!r}; choose one of {', '.join(LINKINGS)}"
            raise RecipeError(message, "linking")
        unknown = [name for name in self.without if name not in SOURCES]
        if unknown:
            message = f"no source of evidence {unknown[0]!r}; there are: {', '.join(SOURCES)}"
            raise RecipeError(message, "without")
        if set(SOURCES) <= set(self.without):
            raise RecipeError("some source of evidence must be left", "without")
        if self.stemmer is not None and self.stemmer not in LANGUAGES:
            message = f"no stemmer for {self.stemmer!r}; choose one of {', '.join(LANGUAGES)}"
            raise RecipeError(message, "stemmer")
        for name in ("ibm1_iterations", "hmm_iterations"):
            number = getattr(self, name)
            if number is not None and not 0 <= number <= MOST_ITERATIONS:
                raise RecipeError(f"{name} is from 0 to {MOST_ITERATIONS}, not {number}", name)
        if self.by_program:
            return
        last = "ibm1_iterations" if self.aligner == "ibm1" else "hmm_iterations"
        if getattr(self, last) == 0:
            raise RecipeError(f"{self.aligner} needs at least one iteration of its own model", last)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Recipe:
        """The recipe that `as_dict` gave. Raises RecipeError for a name that there is not, or a bad value."""
        known = {field.name for field in fields(cls)}
        for name in settings:
            if name not in known:
                message = f"no parameter {name!r} of an aligner; there are: {', '.join(sorted(known))}"
                raise RecipeError(message, name)
        try:
            return cls(**{**settings, "without": tuple(settings.get("without", ()))})
        except TypeError as error:
            raise RecipeError(str(error)) from error

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"without": list(self.without)}

    def checked(self) -> Recipe:
        """This recipe, if it asks nothing of the aligner that the aligner does not have.

        Raises RecipeError, naming the choice.
        """
        if self.by_program:
            self._check_program()
        if self.aligner == "best" and self.linking != "posterior":
            raise RecipeError("best draws links in its own way; symmetrise ibm1 or hmm", "linking")
        if self.aligner == "ibm1" and self.hmm_iterations:
            raise RecipeError("ibm1 has no iterations of the HMM; choose hmm or best", "hmm_iterations")
        return self

    def _check_program(self) -> None:
        if self.linking == "posterior":
            message = f"{self.aligner} gives no posteriors; symmetrise its links by intersection, for example"
            raise RecipeError(message, "linking")
        own = Recipe(self.aligner, linking=self.linking, lexicon=self.lexicon)
        for field in fields(self):
            if getattr(self, field.name) != getattr(own, field.name):
                raise RecipeError(f"{self.aligner} has the settings linking and lexicon alone", field.name)

    @property
    def by_program(self) -> bool:
        """Whether a program trains and aligns in one run, each time anew; see `program`."""
        return self.aligner in PROGRAMS

    @property
    def iterations(self) -> tuple[int, int]:
        """How many of IBM Model 1 and of the HMM; a program has its own, which are not counted."""
        own = ITERATIONS.get(self.aligner, (0, 0))
        return (
            own[0] if self.ibm1_iterations is None else self.ibm1_iterations,
            own[1] if self.hmm_iterations is None else self.hmm_iterations,
        )

    @property
    def parameters(self) -> TrainingParameters:
        """How the translation model is trained."""
        # What it needs takes a second and 100 MB to import, which processes that never train are spared.
        from paragold.aligners import best, statistical

        if self.aligner == "best":
            found = best.ONE_LANGUAGE if self.one_language else best.TWO_LANGUAGES
        else:
            make = statistical.ibm1 if self.aligner == "ibm1" else statistical.hmm
            found = make(one_language=self.one_language, lexicon=self.lexicon).parameters
        if not self.identical:
            found = replace(found, identical=0.0, lexicon=False)
        ibm1_iterations, hmm_iterations = self.iterations
        return replace(found, ibm1_iterations=ibm1_iterations, hmm_iterations=hmm_iterations)

    @property
    def relations(self) -> Relations:
        """What is known of words before training."""
        from paragold.aligners.relations import Relations
        from paragold.text.stemming import Stemmer
        from paragold.text.wordnet import wordnet_or_none

        if self.aligner != "best" or not self.one_language:
            return Relations(None, None, spelling=False)
        english = self.stemmer in {"english", "porter"}
        return Relations(
            Stemmer(self.stemmer) if self.stemmer else None,
            wordnet_or_none() if self.wordnet and english else None,
            spelling=self.spelling,
        )

    def program(self, pairs: Sequence[Pair]) -> ProgramAligner:
        """The program of that name with these pairs as its training text."""
        from paragold.aligners.program_aligner import ProgramAligner
        from paragold.aligners.programs import PROGRAMS as MAKE

        return ProgramAligner(MAKE[self.aligner](linking=self.linking, lexicon=self.lexicon), pairs)

    def training(self, pairs: Sequence[Pair]) -> Training:
        """The training of the translation model on these pairs; see `training.Training`."""
        from paragold.aligners.training import Training

        return Training(pairs, self.parameters, self.relations)

    def finish(self, model: TranslationModel, classifier: LinkClassifier | None = None) -> Kept:
        """The aligner around a trained model; only best takes a classifier that learned from gold links."""
        from paragold.aligners import statistical
        from paragold.aligners.best import BestAligner, best

        if self.aligner == "best":
            rules = best(language=None if not self.one_language else "english", wordnet=False).rules
            return BestAligner(model, rules, classifier)
        return statistical.StatisticalAligner(
            self.aligner, model, linking=self.linking, threshold=statistical.THRESHOLD
        )
