"""The parameters of matching; importing this loads no numeric library."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from paragold.languages import ENGLISH, Language, language as language_of
from paragold.spec import Parameter, Spec, lower_case, param, seed_param
from paragold.text.encoder_files import DEFAULT_ENCODER, ENCODER, weights_of

# Chung & Knight (section 4) leave out determiners and the possessive besides punctuation. Their list is
# not printed; words that are mostly pronouns or answers ("that", "some", "no") stay in.
STOP_WORDS = ENGLISH.stop_words

MAX_PERMUTATIONS = 4096
MAX_STOP_WORDS = 10_000
# The method by the number of texts compared at once: what is exact where that takes no second, then what is
# fastest, then what needs little memory (docs/matching.md, Speed).
METHOD_BY_SIZE = (("exact", 5_000), ("minhash", 100_000), ("bands", inf))


class MatchingSpec(Spec):
    """Matching texts by the words they share (Chung & Knight), or by what they mean."""

    VERSION: ClassVar[str] = "3"

    method: Literal["auto", "minhash", "exact", "bands", "meaning"] = param(
        "auto",
        "Method",
        choices={
            "auto": f"by size (recommended): exact up to {METHOD_BY_SIZE[0][1]:,} texts, "
            f"MinHash up to {METHOD_BY_SIZE[1][1]:,}, bands above",
            "minhash": "MinHash: the share of equal keys (replication)",
            "exact": "exact Jaccard of every pair",
            "bands": "bands and verification: exact Jaccard, for very many sentences",
            "meaning": "cosine of the vectors of an encoder, of every pair",
        },
    )
    permutations: int = param(
        128,
        "Permutations",
        "More permutations estimate better and take longer; 16 to 1,024 in the paper.",
        ge=1,
        le=MAX_PERMUTATIONS,
        when={"method": ("auto", "minhash")},
    )
    threshold: float = param(
        0.33,
        "Threshold",
        "Pairs with a lower score are left out. By meaning 0.75 is a good one.",
        gt=0,
        le=1,
    )
    greedy: bool = param(
        False,
        "One partner at most",
        "Each text is in at most one pair: the best pairs are taken first.",
    )
    stop_words: Annotated[frozenset[str], AfterValidator(lower_case)] = param(
        STOP_WORDS, "Stop words", "These words are ignored, like punctuation.", max_length=MAX_STOP_WORDS
    )
    seed: int = seed_param(
        "Determines the permutations and the bands.", when={"method": ("auto", "minhash", "bands")}
    )
    language: str = param(
        "en", "Language", "Of the texts, such as nl; its articles are the stop words.", max_length=35
    )
    encoder: str = param(
        DEFAULT_ENCODER,
        "Encoder",
        f"A folder, or {DEFAULT_ENCODER}, the one that ${ENCODER} names.",
        max_length=1000,
        when={"method": ("meaning",)},
        on_server={DEFAULT_ENCODER: "the one of this installation"},
    )

    @model_validator(mode="before")
    @classmethod
    def _own_stop_words(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Where none are given, the stop words are those of the language."""
        return {"stop_words": language_of(str(values.get("language", "en"))).stop_words} | values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Values stored before version 3 may have a limit for frequent words, which is gone."""
        return super().from_json({name: value for name, value in values.items() if name != "max_entry"})

    def applies(self, parameter: Parameter) -> bool:
        """English is not signed: before there were other languages, nothing was."""
        return (parameter.name != "language" or self.language != "en") and super().applies(parameter)

    def signature(self) -> str:
        """The settings that decide the pairs, in one line: of an encoder its weights, not its folder."""
        if self.method != "meaning":
            return super().signature()
        return Spec.signature(self.replace(encoder=weights_of(self.encoder)))

    def for_size(self, texts: int) -> Self:
        """The same with the method that "auto" stands for where so many texts are compared at once."""
        if self.method != "auto":
            return self
        return self.replace(method=next(name for name, maximum in METHOD_BY_SIZE if texts <= maximum))


class TranslationSpec(Spec):
    """Matching sentences of two languages by the words that a lexicon translates."""

    threshold: float = param(
        0.2,
        "Threshold",
        "Pairs of which a smaller share of the words is translated in the other sentence are left out.",
        gt=0,
        le=1,
    )
    best: int = param(
        1,
        "Candidates per sentence",
        "How many partners, the best ones, each sentence of the first language has.",
        ge=1,
        le=100,
    )
    greedy: bool = param(
        False,
        "One partner at most",
        "Each sentence is in at most one pair: the best pairs are taken first.",
    )
    spelling: bool = param(
        True,
        "Words spelled alike",
        "Equal words, and words that begin with the same four characters, count as translations, too.",
    )
    language: str = param("en", "Language", "Of the first sentences, such as en.", max_length=35)
    second_language: str = param(
        "fr", "Second language", "Of the second sentences, such as fr.", max_length=35
    )

    @property
    def both_languages(self) -> tuple[Language, Language]:
        return language_of(self.language), language_of(self.second_language)


UPPER, LOWER = 0.5, 0.2
PK1_THRESHOLD, DELTA, STARTS = 1.0, 5, 10
"""PK1 of the paper, in standard deviations; delta as SenseClusters has it."""
PAIRWISE, KMEANS = {"method": ("pairwise",)}, {"method": ("kmeans",)}
CONTEXT_CHARACTERS = 150
# In standard deviations.
LARGEST_PK1 = 100
# In units of the third significant digit, of which there are at most 900 to the next power of ten.
LARGEST_DELTA = 1_000
MAX_STARTS = 100


def _stemmer(value: object) -> object:
    # Here and not above: the stemmers of all languages take 12 MB.
    from paragold.text.stemming import stemmer_given

    return stemmer_given(value)


class HeadlineSpec(Spec):
    """Linking the headlines of a cluster by k-means, or pair by pair (Wubben et al. 2009).

    In a cluster of a few headlines the words that all share, which say what it is about, weigh nothing by the
    IDF within the cluster.
    """

    method: Literal["pairwise", "kmeans"] = param(
        "pairwise",
        "Method",
        choices={
            "pairwise": "pairwise: two thresholds, and the similarity of contexts between them (recommended)",
            "kmeans": "k-means in each cluster; the number of groups is estimated, tuned or by PK1",
        },
    )
    upper: float = param(
        UPPER, "Upper threshold", "Pairs with a cosine above it are accepted.", ge=0, le=1, when=PAIRWISE
    )
    lower: float = param(
        LOWER,
        "Lower threshold",
        "Pairs with a cosine below it are rejected. Pairs in between are accepted if the cosine of their "
        "contexts is above the upper threshold.",
        ge=0,
        le=1,
        when=PAIRWISE,
    )
    closure: bool = param(
        False,
        "Add implied links",
        "If a headline is linked to two others, these two are linked as well.",
        when=PAIRWISE,
    )
    pk1: float | None = param(
        None,
        "Threshold of PK1",
        "Empty (recommended): the number of groups is tuned on sub-clusters that people have drawn, and "
        "estimated where there are none. A number: standard deviations of the criterion above its mean; a "
        "lower value gives fewer groups. 1 in the paper (replication).",
        ge=-LARGEST_PK1,
        le=LARGEST_PK1,
        when=KMEANS,
    )
    delta: int = param(
        DELTA,
        "Delta of PK1",
        "Numbers of groups are tried until one more group adds at most this, in units of the criterion's "
        "third significant digit (SenseClusters). A larger value gives fewer and larger groups. Used with a "
        "threshold of PK1 only.",
        ge=0,
        le=LARGEST_DELTA,
        when=KMEANS,
    )
    starts: int = param(
        STARTS,
        "Starts of k-means",
        "For each number of groups k-means runs this often, and the run with the best criterion I2 is used.",
        ge=1,
        le=MAX_STARTS,
        when=KMEANS,
    )
    centres: Literal["k-means++", "random"] = param(
        "k-means++",
        "Initial centres",
        choices={
            "k-means++": "k-means++: prefers headlines that are far apart (recommended)",
            "random": "random headlines (replication)",
        },
        when=KMEANS,
    )
    seed: int = seed_param("Determines the starts of k-means.", when=KMEANS)
    weights: Literal["cluster", "file"] = param(
        "cluster",
        "Word weights",
        "The IDF over all headlines works better for clusters of a few headlines.",
        choices={"cluster": "IDF within each cluster (replication)", "file": "IDF over all headlines"},
    )
    language: Annotated[str, BeforeValidator(_stemmer)] = param("english", "Stems")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower > self.upper:
            raise ValueError("The lower threshold may not be above the upper threshold.")
        return self

    def applies(self, parameter: Parameter) -> bool:
        """PK1 and its delta have an effect where a threshold is given."""
        if parameter.name in ("pk1", "delta") and self.pk1 is None:
            return False
        return super().applies(parameter)

    def described(self) -> list[tuple[str, str]]:
        estimated = self.method == "kmeans" and self.pk1 is None
        return super().described() + [("Number of groups", "estimated in each cluster")] * estimated

    def signature(self) -> str:
        """The settings that decide the links, in one line: equal signatures, equal links."""
        # Here and not above: the stemmers of all languages take 12 MB.
        from paragold.text.stemming import SIGNATURE as STEMMING

        return f"headlines|{super().signature()}|context:{CONTEXT_CHARACTERS}|stems:{STEMMING}"
