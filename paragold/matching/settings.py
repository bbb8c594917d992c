"""How texts are matched: by which method, from which score on, without which words."""

from typing import Annotated, Literal, Self

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


class MatchingSpec(Spec):
    """Matching texts by the words they share (Chung & Knight)."""

    method: Literal["minhash", "exact", "bands"] = param(
        "minhash",
        "Method",
        choices={
            "minhash": "MinHash: the share of equal keys, as in the paper",
            "exact": "exact Jaccard of every pair",
            "bands": "bands and verification: exact Jaccard, for very many sentences",
        },
    )
    permutations: int = param(
        128,
        "Permutations",
        "More of them estimate better and take longer; 16 to 1,024 in the paper.",
        ge=1,
        le=MAX_PERMUTATIONS,
        when={"method": ("minhash",)},
    )
    threshold: float = param(0.33, "Threshold", "Minimum score of a pair.", gt=0, le=1)
    greedy: bool = param(
        False,
        "One partner at most",
        "Pairs are taken by falling score; texts that have a partner are skipped.",
    )
    stop_words: Annotated[frozenset[str], AfterValidator(lower_case)] = param(
        STOP_WORDS, "Stop words", "Ignored, like punctuation.", max_length=MAX_STOP_WORDS
    )
    seed: int = seed_param(
        "Determines the permutations and the bands.", when={"method": ("minhash", "bands")}
    )

    def without_greed(self) -> Self:
        """The same, with as many partners for each text as it has."""
        return self.replace(greedy=False)


def matched(
    sets: WordSets, settings: MatchingSpec, threshold: float | None = None, split: int = 0
) -> ScoredPairs:
    """Pairs at or above `threshold`, or else that of the settings, by their method. Raises ValueError."""
    threshold = settings.threshold if threshold is None else threshold
    if settings.method == "exact":
        pairs = exact_pairs(sets, threshold, split=split)
    elif settings.method == "bands":
        pairs = banded_pairs(sets, threshold, split=split, seed=settings.seed)
    else:
        pairs = estimated_pairs(
            sets, threshold, split=split, permutations=settings.permutations, seed=settings.seed
        )
    return one_partner_each(pairs) if settings.greedy else pairs
