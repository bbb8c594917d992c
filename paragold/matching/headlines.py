"""Paraphrases among the headlines of a cluster (Wubben, van den Bosch, Krahmer and Marsi 2009)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import log
from typing import Literal, NamedTuple, Self

import numpy as np
from pydantic import model_validator

from paragold.matching.kmeans import DELTA, STARTS, Centres, Groupings, Matrix, expected_groups
from paragold.matching.word_sets import content_words
from paragold.spec import Parameter, Spec, param, seed_param
from paragold.text.stemming import SIGNATURE as STEMMING
from paragold.text.stemming import Stemmer


def stems(text: str, stemmer: Stemmer) -> frozenset[str]:
    """The different stems of a text; TF is binary. Only punctuation is left out."""
    return frozenset(stemmer.stem(word) for word in content_words(text, frozenset()))


def inverse_document_frequencies(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """log(texts / texts with the term), natural, for each term: 0 for one that all texts have."""
    counts = Counter(term for terms in texts for term in terms)
    return {term: log(len(texts) / count) for term, count in counts.items()}


def term_vectors(texts: Sequence[frozenset[str]], weights: Mapping[str, float] | None = None) -> Matrix:
    """The weight of each term in each text, shape (texts, terms): its IDF, by default that within `texts`."""
    if weights is None:
        weights = inverse_document_frequencies(texts)
    places: dict[str, int] = {}
    for terms in texts:
        # Sorted, so that sums are rounded alike in every process: words of a set come in any order.
        for term in sorted(terms):
            places.setdefault(term, len(places))
    vectors = np.zeros((len(texts), len(places)))
    for row, terms in enumerate(texts):
        for term in terms:
            vectors[row, places[term]] = weights[term]
    return vectors


def cosines(texts: Sequence[frozenset[str]], weights: Mapping[str, float] | None = None) -> Matrix:
    """The cosine of each pair of texts, shape (texts, texts), from 0 to 1.

    `weights` are as in `term_vectors`. A text whose terms all weigh 0 is similar to none, not even to itself.
    """
    return _cosines_of(term_vectors(texts, weights))


def _cosines_of(vectors: Matrix) -> Matrix:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    # Rounding puts some cosines a little outside.
    return np.clip(units @ units.T, 0, 1)


UPPER = 0.5
LOWER = 0.2


def pairwise_links(
    titles: Matrix, contexts: Matrix, *, upper: float = UPPER, lower: float = LOWER
) -> list[tuple[int, int]]:
    """The pairs (first < second) that are accepted, in order (section 2.2).

    titles, contexts: cosines, shape (headlines, headlines). Above `upper` a pair is accepted, below `lower`
    rejected; in between it is accepted when the cosine of its contexts is above `upper`.
    """
    first, second = np.triu_indices(len(titles), 1)
    titles, contexts = titles[first, second], contexts[first, second]
    accepted = titles > upper
    accepted |= (titles >= lower) & (contexts > upper)
    return list(zip(first[accepted].tolist(), second[accepted].tolist(), strict=True))


def transitive_closure(links: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The links, and all that they imply: every pair of headlines that a chain of links joins, in order."""
    leader: dict[int, int] = {}

    def find(node: int) -> int:
        leader.setdefault(node, node)
        while (above := leader[node]) != node:
            leader[node] = leader[above]
            node = above
        return node

    for first, second in links:
        low, high = sorted((find(first), find(second)))
        leader[high] = low
    groups: dict[int, list[int]] = defaultdict(list)
    for node in leader:
        groups[find(node)].append(node)
    return links_within(groups.values())


def links_within(groups: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """Every pair (first < second) of members of one group, in order."""
    return sorted(pair for group in groups for pair in combinations(sorted(group), 2))


PAIRWISE, KMEANS = {"method": ("pairwise",)}, {"method": ("kmeans",)}
CONTEXT_CHARACTERS = 150
# In standard deviations.
LARGEST_PK1 = 100
# In units of the third significant digit, of which there are at most 900 to the next power of ten.
LARGEST_DELTA = 1_000
MAX_STARTS = 100


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
    centres: Centres = param(
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
    language: str = param("english", "Stems")

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
    """The words of a title, equal for titles that differ in punctuation or case only."""
    return tuple(content_words(title, frozenset())) or (title,)


class HeadlineCosines:
    """The cosines of the headlines of a cluster, from which its links follow for any settings.

    titles, contexts: shape (headlines, headlines), from 0 to 1.
    """

    def __init__(self, terms: Sequence[HeadlineTerms], weights: Weights = WITHIN_CLUSTER) -> None:
        self._vectors = term_vectors([one.title for one in terms], weights.title)
        self.titles = _cosines_of(self._vectors)
        self.contexts = cosines([one.context for one in terms], weights.context)
        self._groupings: dict[tuple[int, Centres, int], Groupings] = {}

    def groupings(self, settings: HeadlineSpec) -> Groupings:
        """The solutions of k-means; those of the latest starts and seed are kept."""
        key = (settings.starts, settings.centres, settings.seed)
        if key not in self._groupings:
            starts, centres, seed = key
            self._groupings = {key: Groupings(self.titles, starts=starts, centres=centres, seed=seed)}
        return self._groupings[key]

    def groups(self, settings: HeadlineSpec) -> list[list[int]]:
        """The groups of k-means, by their first members; as many as PK1 chooses or as are expected."""
        groupings = self.groupings(settings)
        if settings.pk1 is None:
            return groupings.only(expected_groups(self._vectors, settings.seed))
        return groupings.at(settings.pk1, settings.delta)

    def links(self, settings: HeadlineSpec) -> list[tuple[int, int]]:
        """The pairs (first < second) of headlines that are linked, in order."""
        if settings.method == "kmeans":
            return links_within(self.groups(settings))
        links = pairwise_links(self.titles, self.contexts, upper=settings.upper, lower=settings.lower)
        return transitive_closure(links) if settings.closure else links
