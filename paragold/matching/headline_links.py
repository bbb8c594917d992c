"""Which headlines of a cluster are linked: by k-means, or pair by pair (Wubben et al. 2009)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, Self

from paragold.matching.headline_pairs import (
    PairwiseThresholds,
    links_within,
    pairwise_links,
    transitive_closure,
)
from paragold.matching.headline_vectors import cosines, inverse_document_frequencies, stems
from paragold.matching.kmeans import PK1_THRESHOLD, Groupings
from paragold.matching.word_sets import content_words
from paragold.text.stemming import SIGNATURE as STEMMING
from paragold.text.stemming import Stemmer

METHODS = ("pairwise", "kmeans")
WEIGHTS = ("cluster", "file")
CONTEXT_CHARACTERS = 150
# In standard deviations.
LARGEST_PK1 = 100


@dataclass(frozen=True, slots=True)
class HeadlineSettings:
    """How headlines are paired. `thresholds` and `closure` are the pairwise method's, `pk1` is k-means'.

    `weights`: IDF within the cluster as in the paper, or over the whole file. In a cluster of a few headlines
    the words that all share, which say what it is about, weigh nothing. Raises ValueError for another method
    or other weights.
    """

    method: str = "pairwise"
    thresholds: PairwiseThresholds = field(default_factory=PairwiseThresholds)
    closure: bool = False
    pk1: float = PK1_THRESHOLD
    weights: str = "cluster"
    language: str = "english"

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ValueError(f"{self.method}: no such method. There are: {', '.join(METHODS)}.")
        if self.weights not in WEIGHTS:
            raise ValueError(f"{self.weights}: no such weights. There are: {', '.join(WEIGHTS)}.")

    def as_json(self) -> dict[str, Any]:
        """All of it as values that JSON can hold; `from_json` reads them back."""
        thresholds = {"upper": self.thresholds.upper, "lower": self.thresholds.lower}
        names = ("method", "closure", "pk1", "weights", "language")
        return {name: getattr(self, name) for name in names} | thresholds

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        others = {name: value for name, value in told.items() if name not in ("upper", "lower")}
        return cls(thresholds=PairwiseThresholds(told["upper"], told["lower"]), **others)

    def signature(self) -> str:
        """What decides the links, in one line: equal signatures, equal links."""
        if self.method == "kmeans":
            decisive = f"pk1:{self.pk1:g}"
        else:
            closure = "yes" if self.closure else "no"
            decisive = f"upper:{self.thresholds.upper:g}|lower:{self.thresholds.lower:g}|closure:{closure}"
            decisive += f"|context:{CONTEXT_CHARACTERS}"
        return f"headlines:{self.method}|{decisive}|weights:{self.weights}|stems:{STEMMING}-{self.language}"


@dataclass(frozen=True, slots=True)
class HeadlineTerms:
    """The stems of a title and of the first 150 characters of its article (none without a snippet)."""

    title: frozenset[str]
    context: frozenset[str]

    @classmethod
    def of(cls, title: str, snippet: str, stemmer: Stemmer) -> Self:
        return cls(stems(title, stemmer), stems(snippet[:CONTEXT_CHARACTERS], stemmer))


class Weights(NamedTuple):
    """The IDF of terms in titles and in contexts; None: within the cluster."""

    title: Mapping[str, float] | None
    context: Mapping[str, float] | None


WITHIN_CLUSTER = Weights(None, None)


def weights_over(clusters: Iterable[Sequence[HeadlineTerms]]) -> Weights:
    """IDF over the headlines of all clusters."""
    every = list(chain.from_iterable(clusters))
    return Weights(
        inverse_document_frequencies([terms.title for terms in every]),
        inverse_document_frequencies([terms.context for terms in every]),
    )


def words_in_order(title: str) -> tuple[str, ...]:
    """What two titles that differ in punctuation or case only have in common."""
    return tuple(content_words(title, frozenset())) or (title,)


class HeadlineCosines:
    """The cosines of the headlines of a cluster, from which its links follow for any settings.

    titles, contexts: shape (headlines, headlines), from 0 to 1.
    """

    def __init__(self, terms: Sequence[HeadlineTerms], weights: Weights = WITHIN_CLUSTER) -> None:
        self.titles = cosines([one.title for one in terms], weights.title)
        self.contexts = cosines([one.context for one in terms], weights.context)

    @cached_property
    def _groupings(self) -> Groupings:
        return Groupings(self.titles)

    def links(self, settings: HeadlineSettings) -> list[tuple[int, int]]:
        """The pairs (first < second) of headlines that are linked, in order."""
        if settings.method == "kmeans":
            return links_within(self._groupings.at(settings.pk1))
        links = pairwise_links(self.titles, self.contexts, settings.thresholds)
        return transitive_closure(links) if settings.closure else links
