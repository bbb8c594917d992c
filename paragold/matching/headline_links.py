"""Which headlines of a cluster are linked: by k-means, or pair by pair (Wubben et al. 2009)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple, Self

from pydantic import model_validator

from paragold.matching.headline_pairs import (
    LOWER,
    UPPER,
    PairwiseThresholds,
    links_within,
    pairwise_links,
    transitive_closure,
)
from paragold.matching.headline_vectors import cosines, inverse_document_frequencies, stems
from paragold.matching.kmeans import PK1_THRESHOLD, Groupings
from paragold.matching.word_sets import content_words
from paragold.spec import Spec, param
from paragold.text.stemming import SIGNATURE as STEMMING
from paragold.text.stemming import Stemmer

PAIRWISE = {"method": ("pairwise",)}
CONTEXT_CHARACTERS = 150
# In standard deviations.
LARGEST_PK1 = 100


class HeadlineSpec(Spec):
    """Linking the headlines of a cluster by k-means, or pair by pair (Wubben et al. 2009).

    In a cluster of a few headlines the words that all share, which say what it is about, weigh nothing by the
    IDF within the cluster.
    """

    method: Literal["pairwise", "kmeans"] = param(
        "pairwise",
        "Method",
        choices={
            "pairwise": "pair by pair: two thresholds, and the context in between",
            "kmeans": "k-means in each cluster, with the number of groups by PK1",
        },
    )
    upper: float = param(
        UPPER, "Upper threshold", "Pairs with a cosine above it are accepted.", ge=0, le=1, when=PAIRWISE
    )
    lower: float = param(
        LOWER,
        "Lower threshold",
        "Pairs below it are rejected. In between, the upper threshold is applied to the contexts.",
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
    pk1: float = param(
        PK1_THRESHOLD,
        "Threshold of PK1",
        "In standard deviations of the criterion over all numbers of groups.",
        ge=-LARGEST_PK1,
        le=LARGEST_PK1,
        when={"method": ("kmeans",)},
    )
    weights: Literal["cluster", "file"] = param(
        "cluster",
        "Weights of words",
        "The IDF over all headlines is better for clusters of a few headlines.",
        choices={"cluster": "IDF within each cluster, as in the paper", "file": "IDF over all headlines"},
    )
    language: str = param("english", "Stems")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.lower > self.upper:
            raise ValueError("The lower threshold may not be above the upper threshold.")
        return self

    @property
    def thresholds(self) -> PairwiseThresholds:
        return PairwiseThresholds(self.upper, self.lower)

    def signature(self) -> str:
        """What decides the links, in one line: equal signatures, equal links."""
        return f"headlines|{super().signature()}|context:{CONTEXT_CHARACTERS}|stems:{STEMMING}"


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

    def links(self, settings: HeadlineSpec) -> list[tuple[int, int]]:
        """The pairs (first < second) of headlines that are linked, in order."""
        if settings.method == "kmeans":
            return links_within(self._groupings.at(settings.pk1))
        links = pairwise_links(self.titles, self.contexts, settings.thresholds)
        return transitive_closure(links) if settings.closure else links
