"""The settings of a classifier, its features and its fit, and those of a lexicon of word pairs."""

from typing import ClassVar, Literal, Self

from pydantic import model_validator

from paragold.classification.classes import CLASSES, Lookup
from paragold.classification.pair_scorers import class_choices
from paragold.spec import LARGEST_SEED, Spec, SpecError, param
from paragold.text.encoder_files import encoder_param
from paragold.text.stemming import LANGUAGES, StemmerName

NO_STEMMER = "none"


class ClassifierSpec(Spec):
    """The features and the fit of a linear SVM (Brockett & Dolan 2005, section 3)."""

    classes: frozenset[str] = param(
        frozenset(CLASSES),
        "Feature classes",
        choices=class_choices(),
    )
    pair_words: Literal["all", "residue"] = param(
        "all",
        "Words used for word pairs",
        choices={
            "all": "All words of both sentences (recommended)",
            "residue": "Only words left after identical words are removed, one for one",
        },
    )
    function_words: bool = param(
        False, "Function words in word pairs", "Makes features of pairs such as where and which too."
    )
    min_frequency: int = param(
        5,
        "Minimum frequency of a word pair",
        "Word pairs that occur in fewer training pairs are not used as features (paper: frequency > 4).",
        ge=1,
        le=1_000_000,
    )
    loss: Literal["squared_hinge", "hinge"] = param(
        "squared_hinge",
        "Loss",
        choices={
            "squared_hinge": "Squared hinge: faster (recommended)",
            "hinge": "Hinge, by SMO with tolerance 0.001 (replication)",
        },
    )
    c: float | None = param(
        None, "C", "Penalty of errors. Empty (recommended): by cross-validation.", gt=0, le=1_000
    )
    class_weight: Literal["none", "balanced"] = param(
        "none",
        "Class weight",
        choices={"none": "All pairs count equally", "balanced": "Balanced: the rarer label counts more"},
    )
    seed: int = param(
        0, "Random seed", "Determines the folds of cross-validation, and so the model.", ge=0, le=LARGEST_SEED
    )

    encoder: str = encoder_param(
        "Encoder", "Compares what the sentences mean, by the class encoder; it takes a second for 100 pairs"
    )
    language: StemmerName = param(
        "english",
        "Language",
        "Words with the same stem in this language are morphological variants; its wordnet is used.",
        choices={**{language: language for language in LANGUAGES}, NO_STEMMER: "no stemmer"},
    )

    @model_validator(mode="after")
    def check_classes(self) -> Self:
        if not self.classes:
            raise SpecError([("classes", "Turn at least one feature class on.")])
        return self

    @property
    def lookup(self) -> Lookup:
        """Where lexicons look for word pairs."""
        return self.pair_words == "all", self.function_words


MAX_RANKS = 100_000
# The paper looks at the 1,500 best word pairs; of these WordNet had 46.53 %.
PAPER_RANKS = 1_500
PAPER_SHARE = 0.4653
ASSOCIATION_ONLY = {"kind": ("association",)}


class LexiconSpec(Spec):
    """Which word pairs of the residue of sentence pairs make a lexicon (Brockett and Dolan 2005, 3.4)."""

    VERSION: ClassVar[str] = "2"

    kind: Literal["association", "morphology", "wordnet"] = param(
        "association",
        "Kind",
        "Only word association has to be built before a classifier can use it; the others show what the "
        "stemmer and WordNet find in your text.",
        choices={
            "association": "Word association",
            "morphology": "Morphological variants",
            "wordnet": "WordNet synonyms and hypernyms",
        },
    )
    ranks: int = param(
        13_001, "Maximum word pairs", "Keeps the best by rank; 13,001 in the paper.", ge=1, le=MAX_RANKS
    )
    min_together: int = param(
        2,
        "Minimum sentence pairs",
        "Leaves out word pairs that occur in fewer sentence pairs.",
        ge=1,
        le=1_000_000_000,
    )
    min_score: float = param(
        0.0,
        "Minimum log-likelihood ratio",
        "Word pairs with a lower ratio are neither linked nor listed.",
        ge=0,
        when=ASSOCIATION_ONLY,
    )
    ranking: Literal["links", "ratio"] = param(
        "links",
        "Ranking",
        choices={
            "links": "how often the words are linked when they meet: both passes of Moore (2001) "
            "(recommended)",
            "ratio": "log-likelihood ratio only: the first pass",
        },
        when=ASSOCIATION_ONLY,
    )
    discount: float = param(
        0.0,
        "Discount",
        "This number is subtracted from the link count of each word pair, so that rare pairs rank lower "
        "(Moore 2005).",
        ge=0,
        le=1,
        when={**ASSOCIATION_ONLY, "ranking": ("links",)},
    )
    without_function_words: bool = param(
        False,
        "Leave out function words",
        "Leaves out word pairs with a function word, such as where | which; by default they are included.",
        when=ASSOCIATION_ONLY,
    )
