"""The settings of matching texts (method, threshold, stop words) and of drafting an answer key."""

from math import inf
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator

from paragold.matching.similar_pairs import (
    ScoredPairs,
    banded_pairs,
    estimated_pairs,
    exact_pairs,
    one_partner_each,
)
from paragold.matching.word_sets import STOP_WORDS, WordSets
from paragold.spec import Spec, lower_case, param, seed_param

MAX_PERMUTATIONS = 4096
MAX_STOP_WORDS = 10_000
# The method by the number of texts compared at once: what is exact where that takes no second, then what is
# fastest, then what needs little memory (docs/matching.md, Speed).
METHOD_BY_SIZE = (("exact", 5_000), ("minhash", 100_000), ("bands", inf))


class MatchingSpec(Spec):
    """Matching texts by the words they share (Chung & Knight)."""

    VERSION: ClassVar[str] = "2"

    method: Literal["auto", "minhash", "exact", "bands"] = param(
        "auto",
        "Method",
        choices={
            "auto": f"by size (recommended): exact up to {METHOD_BY_SIZE[0][1]:,} texts, "
            f"MinHash up to {METHOD_BY_SIZE[1][1]:,}, bands above",
            "minhash": "MinHash: the share of equal keys (replication)",
            "exact": "exact Jaccard of every pair",
            "bands": "bands and verification: exact Jaccard, for very many sentences",
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
    max_entry: int = param(
        500,
        "Limit for frequent words",
        "Keys shared by more texts than this are skipped, which saves most of the time and misses about one "
        "pair in a thousand. 0: no limit, no pair is missed. With fewer than 64 permutations, a threshold "
        "below 0.3 or fewer than 36 keys that must be equal there is no limit.",
        ge=0,
        le=1_000_000_000,
        when={"method": ("auto", "minhash")},
    )
    threshold: float = param(0.33, "Threshold", "Pairs with a lower score are left out.", gt=0, le=1)
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

    def for_size(self, texts: int) -> Self:
        """The same with the method that "auto" stands for where so many texts are compared at once."""
        if self.method != "auto":
            return self
        return self.replace(method=next(name for name, maximum in METHOD_BY_SIZE if texts <= maximum))

    def without_greed(self) -> Self:
        """The same, with as many partners for each text as it has."""
        return self.replace(greedy=False)


class KeyDraftSpec(Spec):
    """Drafting an answer key by lengths and words (Chung & Knight, section 2)."""

    min_jaccard: float = param(
        0.15,
        "Word filter",
        "Texts are joined only if one of them has at least this word Jaccard with the text; 0: they are "
        "joined by length only.",
        ge=0,
        le=1,
    )
    omitted: float = param(
        0.1,
        "Share without counterpart",
        "Expected share of texts that are missing from the other file; 0.01 in Gale and Church.",
        gt=0,
        le=0.5,
    )
    variance: float = param(
        6.8, "Variance of lengths", "Higher: lengths may differ more; 6.8 in the paper.", gt=0, le=1000
    )


def matched(
    sets: WordSets, settings: MatchingSpec, threshold: float | None = None, split: int = 0
) -> ScoredPairs:
    """Pairs at or above `threshold`, or else that of the settings, by their method. Raises ValueError."""
    settings = settings.for_size(len(sets))
    threshold = settings.threshold if threshold is None else threshold
    if settings.method == "exact":
        pairs = exact_pairs(sets, threshold, split=split)
    elif settings.method == "bands":
        pairs = banded_pairs(sets, threshold, split=split, seed=settings.seed)
    else:
        pairs = estimated_pairs(
            sets,
            threshold,
            split=split,
            permutations=settings.permutations,
            seed=settings.seed,
            max_entry=settings.max_entry,
        )
    return one_partner_each(pairs) if settings.greedy else pairs
