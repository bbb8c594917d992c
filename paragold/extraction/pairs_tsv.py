"""Candidate pairs as lines of tab-separated text."""

import re
from dataclasses import dataclass

from paragold.extraction.cluster import extract_with_counts
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import ClusterSentences, ExtractionCounts

COLUMNS = (
    "cluster_id",
    "article_a",
    "sentence_a",
    "article_b",
    "sentence_b",
    "edit_distance",
    "text_a",
    "text_b",
)
HEADER = "\t".join(COLUMNS) + "\n"

# What some reader takes for the end of a column or of a line, and what UTF-8 cannot hold.
UNWRITABLE = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ClusterTexts:
    """A cluster by its texts, small to send to another process.

    articles: (key, sentences) for each article; a sentence is its tokens as printed, separated by spaces.
    """

    key: str
    articles: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class PairLines:
    """The lines of some clusters in canonical order, each with its content key, and their counts."""

    lines: list[tuple[bytes, str]]
    counts: ExtractionCounts


def extract_lines(clusters: list[ClusterTexts], criteria: Criteria, kernel: str | None = None) -> PairLines:
    """Extract from each cluster by itself; a pair found in two of them is in the result twice.

    Raises KernelError for a `kernel` that is not there; None is the fastest.
    """
    lines: list[tuple[bytes, str]] = []
    counts = ExtractionCounts()
    for cluster in clusters:
        articles = [[text.split(" ") if text else [] for text in texts] for _, texts in cluster.articles]
        sentences = ClusterSentences.from_articles(articles)
        result = extract_with_counts(sentences, criteria, kernel=kernel)
        for pair in result.pairs:
            article_a, texts_a = cluster.articles[sentences.articles[pair.first]]
            article_b, texts_b = cluster.articles[sentences.articles[pair.second]]
            columns = (
                cluster.key,
                article_a,
                str(pair.position_a),
                article_b,
                str(pair.position_b),
                str(pair.edit_distance),
                texts_a[pair.position_a],
                texts_b[pair.position_b],
            )
            lines.append((pair.content_key, "\t".join(columns) + "\n"))
        counts += result.counts
    return PairLines(lines, counts)
