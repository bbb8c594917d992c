"""What can be launched on a project's corpus: the declarations of the operations."""

from __future__ import annotations

from typing import Literal

from corpus.models import LexiconKind
from paragold.matching.headlines import HeadlineSpec
from paragold.matching.settings import MatchingSpec
from paragold.spec import Spec, param

MAX_RANKS = 100_000
Clusters = Literal["all", "held_out", "rest", "with_imported"]
CLUSTERS = {
    "all": "all clusters",
    "held_out": "held-out clusters only",
    "rest": "all but held-out clusters",
    "with_imported": "all clusters and imported pairs",
}


class ProjectMatchingSpec(MatchingSpec):
    """Matching the sentences of a project. No pair joins a held-out cluster to another one."""

    scope: Literal["clusters", "project"] = param(
        "clusters",
        "Compare",
        "Sentences of one article are never paired, nor a held-out cluster with another.",
        choices={"clusters": "within each cluster", "project": "across the whole project"},
    )
    clusters: Clusters = param("all", "Clusters", choices=CLUSTERS)


class ProjectHeadlineSpec(HeadlineSpec):
    """Matching the first sentences of the articles of each cluster of a project."""

    clusters: Clusters = param("all", "Clusters", choices=CLUSTERS)


class LexiconSpec(Spec):
    """Which word pairs of a dataset's residue make a lexicon (Brockett and Dolan 2005, 3.4)."""

    kind: str = param(
        LexiconKind.ASSOCIATION.value,
        "Kind",
        "Only word association has to be built before a classifier can use it; the others show what the "
        "stemmer and WordNet find in your text.",
        choices={kind.value: str(kind.label) for kind in LexiconKind},
    )
    ranks: int = param(
        13_001, "Maximum word pairs", "The best ones by rank; 13,001 in the paper.", ge=1, le=MAX_RANKS
    )
    min_together: int = param(
        2, "Minimum sentence pairs", "In how many the two words face each other.", ge=1, le=1_000_000_000
    )
    min_score: float = param(
        0.0,
        "Minimum score",
        "For word association: the log-likelihood ratio of Moore (2001).",
        ge=0,
        when={"kind": (LexiconKind.ASSOCIATION.value,)},
    )
