"""The settings of a lexicon of word pairs (Brockett and Dolan 2005, section 3.4)."""

from typing import ClassVar, Literal

from paragold.spec import Spec, param

MAX_RANKS = 100_000
# The paper looks at the 1,500 best word pairs; of these WordNet had 46.53 %.
PAPER_RANKS = 1_500
PAPER_SHARE = 0.4653
ASSOCIATION_ONLY = {"kind": ("association",)}


class LexiconSpec(Spec):
    """Which word pairs of the residue of sentence pairs make a lexicon."""

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
