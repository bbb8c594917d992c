"""Headlines of a file paired within their clusters into a file of pairs, without a database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Self

from corpus.importers.headlines import Headline, HeadlineCluster, read_headlines
from corpus.matching.files import write_rows
from corpus.matching.headline_pairs import (
    PairwiseThresholds,
    links_within,
    pairwise_links,
    transitive_closure,
)
from corpus.matching.headline_vectors import cosines, inverse_document_frequencies, stems
from corpus.matching.kmeans import PK1_THRESHOLD, sub_clusters
from corpus.matching.word_sets import content_words
from corpus.text.stemming import Stemmer

METHODS = ("pairwise", "kmeans")
WEIGHTS = ("cluster", "file")
CONTEXT_CHARACTERS = 150
COLUMNS = ("cluster_id", "id_a", "id_b", "score", "context", "text_a", "text_b")


@dataclass(frozen=True, slots=True)
class HeadlineSettings:
    """How headlines are paired. `thresholds` and `closure` are the pairwise method's, `pk1` is k-means'.

    `weights`: IDF within the cluster as in the paper, or over the whole file. In a cluster of a few headlines
    the words that all share, which say what it is about, weigh nothing.
    """

    method: str = "pairwise"
    thresholds: PairwiseThresholds = field(default_factory=PairwiseThresholds)
    closure: bool = False
    pk1: float = PK1_THRESHOLD
    weights: str = "cluster"
    language: str = "english"


@dataclass(frozen=True, slots=True)
class HeadlineTerms:
    """The stems of a title and of the first 150 characters of its article (none without a snippet)."""

    title: frozenset[str]
    context: frozenset[str]

    @classmethod
    def of(cls, headline: Headline, stemmer: Stemmer) -> Self:
        return cls(stems(headline.title, stemmer), stems(headline.snippet[:CONTEXT_CHARACTERS], stemmer))


class Weights(NamedTuple):
    """The IDF of terms in titles and in contexts; None: within the cluster."""

    title: Mapping[str, float] | None
    context: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class HeadlinePair:
    """Two headlines, with the cosines (0 to 1) of their titles and of the beginnings of their articles."""

    first: Headline
    second: Headline
    score: float
    context: float


@dataclass(frozen=True, slots=True)
class HeadlineReport:
    """`repeated` headlines have the words of an earlier one of their cluster, in order, and are left out."""

    clusters: int
    headlines: int
    repeated: int
    pairs: int


def match_headline_file(path: Path, settings: HeadlineSettings, output: Path) -> HeadlineReport:
    """Pair the headlines of each cluster and write the pairs, cluster by cluster in the file's order.

    Raises TextFileError for an unusable file, ValueError for unusable settings, OSError when writing fails.
    """
    if settings.method not in METHODS:
        raise ValueError(f"{settings.method}: no such method. There are: {', '.join(METHODS)}.")
    if settings.weights not in WEIGHTS:
        raise ValueError(f"{settings.weights}: no such weights. There are: {', '.join(WEIGHTS)}.")
    stemmer = Stemmer(settings.language)
    clusters = read_headlines(path)
    kept = [distinct_headlines(cluster.headlines) for cluster in clusters]
    headlines = sum(len(cluster.headlines) for cluster in clusters)
    terms = [[HeadlineTerms.of(headline, stemmer) for headline in distinct] for distinct in kept]
    weights = _weights_of_file(terms) if settings.weights == "file" else Weights(None, None)
    pairs = 0

    def rows() -> Iterator[tuple[str, ...]]:
        nonlocal pairs
        for cluster, distinct, their_terms in zip(clusters, kept, terms, strict=True):
            for pair in paired(distinct, their_terms, settings, weights):
                pairs += 1
                yield _row(cluster, pair)

    write_rows(output, COLUMNS, rows())
    return HeadlineReport(len(clusters), headlines, headlines - sum(map(len, kept)), pairs)


def distinct_headlines(headlines: tuple[Headline, ...]) -> list[Headline]:
    """Without those that differ from an earlier one in punctuation or case only."""
    first: dict[tuple[str, ...], Headline] = {}
    for headline in headlines:
        first.setdefault(tuple(content_words(headline.title, frozenset())) or (headline.title,), headline)
    return list(first.values())


def paired(
    headlines: Sequence[Headline],
    terms: Sequence[HeadlineTerms],
    settings: HeadlineSettings,
    weights: Weights,
) -> list[HeadlinePair]:
    """The pairs among the headlines of one cluster, in order."""
    titles = cosines([term.title for term in terms], weights.title)
    contexts = cosines([term.context for term in terms], weights.context)
    if settings.method == "kmeans":
        links = links_within(sub_clusters(titles, settings.pk1))
    else:
        links = pairwise_links(titles, contexts, settings.thresholds)
        if settings.closure:
            links = transitive_closure(links)
    return [
        HeadlinePair(
            headlines[first],
            headlines[second],
            float(titles[first, second]),
            float(contexts[first, second]),
        )
        for first, second in links
    ]


def _weights_of_file(terms: Sequence[Sequence[HeadlineTerms]]) -> Weights:
    every = list(chain.from_iterable(terms))
    return Weights(
        inverse_document_frequencies([term.title for term in every]),
        inverse_document_frequencies([term.context for term in every]),
    )


def _row(cluster: HeadlineCluster, pair: HeadlinePair) -> tuple[str, ...]:
    has_context = pair.first.snippet and pair.second.snippet
    return (
        cluster.key,
        pair.first.key,
        pair.second.key,
        f"{pair.score:.6f}",
        f"{pair.context:.6f}" if has_context else "",
        pair.first.title,
        pair.second.title,
    )
