"""Which articles of a file to be imported are nearly the same text, or as those that the project has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.models import Article, Cluster, CorpusImport, Sentence
from paragold.matching.near_articles import (
    MIN_SHARE,
    NearFilter,
    ShingleCoder,
    near_articles_of_many,
    near_pairs,
)
from paragold.sources.articles import ClusterRecord
from projects.models import Project

# Up to so many articles all shingles are compared; more are looked through by MinHash.
FEW = 100
PAIRS_OF_A_CLUSTER, PAIRS = 100, 1_000

Existing = Callable[[str], Mapping[str, Iterable[Sequence[str]]]]


@dataclass(frozen=True, slots=True)
class ReportedPair:
    """Two articles by their keys, as an import reports them, with those that the project has."""

    cluster: str
    first: str
    second: str
    share: float
    first_article: Article | None
    second_article: Article | None


def reported_pairs(source: CorpusImport, maximum: int) -> list[ReportedPair]:
    """The nearest duplicates of an import's report; those that are in the project with their articles."""
    pairs = sorted(source.near.get("shown", []), key=lambda row: -row[3])[:maximum]
    known = _articles(source.project, pairs)
    return [
        ReportedPair(cluster, first, second, share, known.get((cluster, first)), known.get((cluster, second)))
        for cluster, first, second, share in pairs
    ]


def near_report(project: Project) -> NearReport:
    """The comparison of an import's articles with each other and with those of the project.

    Near is what the project leaves out, or else half of the text.
    """
    keys = set(project.clusters.of_corpus().values_list("key", flat=True))

    def existing(key: str) -> dict[str, list[list[str]]]:
        articles: dict[str, list[list[str]]] = {}
        if key in keys:
            rows = Sentence.objects.filter(article__cluster__project=project, article__cluster__key=key)
            for name, tokens in rows.order_by("article", "number").values_list("article__key", "tokens"):
                articles.setdefault(name, []).append(tokens.split(" "))
        return articles

    return NearReport(project.near_duplicate_share or MIN_SHARE, existing)


def near_filter(project: Project, key: str) -> NearFilter | None:
    """Decides whether an article is new to a cluster of the project; None where every article is taken."""
    if project.near_duplicate_share is None:
        return None
    near = NearFilter(project.near_duplicate_share)
    cluster = project.clusters.of_corpus().filter(key=key).first()
    for own in _sentences_of(cluster).values() if cluster else ():
        near.take(own)
    return near


def _articles(project: Project, pairs: list[list[Any]]) -> dict[tuple[str, str], Article]:
    """By the keys of cluster and article, of those in such rows that the project has."""
    named = {(cluster, key) for cluster, *keys, _ in pairs for key in keys}
    rows = Article.objects.filter(
        cluster__project=project,
        cluster__key__in={cluster for cluster, _ in named},
        key__in={key for _, key in named},
    ).select_related("cluster")
    return {(row.cluster.key, row.key): row for row in rows if (row.cluster.key, row.key) in named}


def _sentences_of(cluster: Cluster) -> dict[int, list[list[str]]]:
    """The tokens of each article's sentences, by its id, in the order of the ids."""
    sentences: dict[int, list[list[str]]] = {}
    rows = (
        Sentence.objects.filter(article__cluster=cluster).order_by("article").values_list("article", "tokens")
    )
    for pk, tokens in rows.iterator():
        sentences.setdefault(pk, []).append(tokens.split(" "))
    return sentences


class NearReport:
    """Looks at clusters as they are read. Those that share `min_share` of the shorter one's text are near.

    `existing` gives the sentences, as tokens, of the articles that a cluster of the project has already, by
    their keys; pairs of two of them are not reported again. Counts are of all pairs; of the pairs themselves
    the nearest 100 of a cluster are kept, and 1,000 in all.
    """

    def __init__(self, min_share: float = MIN_SHARE, existing: Existing = lambda key: {}) -> None:
        self._min_share = min_share
        self._existing = existing
        self._coder = ShingleCoder()
        self._found: dict[str, Any] = {
            "least": min_share,
            "pairs": 0,
            "clusters": 0,
            "articles": 0,
            "shown": [],
        }

    def look(self, cluster: ClusterRecord) -> None:
        """Compare the articles of one cluster with each other and with those that the project has."""
        articles = {
            name: self._coder.codes(sentences) for name, sentences in self._existing(cluster.key).items()
        }
        existing = len(articles)
        if existing + len(cluster.articles) < 2:
            return
        for article in cluster.articles:
            if article.key not in articles:
                articles[article.key] = self._coder.codes(sentence.tokens for sentence in article.sentences)
        names, codes = list(articles), list(articles.values())
        compare = near_pairs if len(codes) <= FEW else near_articles_of_many
        # Those of the project come first: a pair is new when its second article is.
        rows = compare(codes, min_share=self._min_share).tolist()
        near = [(first, second, share) for first, second, share in rows if second >= existing]
        if not near:
            return
        report, shown = self._found, self._found["shown"]
        report["pairs"] += len(near)
        report["clusters"] += 1
        report["articles"] += len({place for first, second, _ in near for place in (first, second)})
        room = min(PAIRS_OF_A_CLUSTER, PAIRS - len(shown))
        shown += [
            [cluster.key, names[first], names[other], round(share, 4)] for first, other, share in near[:room]
        ]

    def to_json(self) -> dict[str, Any]:
        """`shown` has rows of cluster, article, article and share, the nearest of each cluster first.

        Empty where no two are near.
        """
        return self._found if self._found["pairs"] else {}
