"""Which articles of a cluster are nearly the same text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpus.models import Article, Cluster, CorpusImport, Sentence
from paragold.matching.near_articles import LEAST_SHARE, NearFilter, Shingle, near_articles, shingles
from projects.models import Project

from .near_report import NearReport

# Many articles would be compared for seconds while somebody waits.
ARTICLES = 100


@dataclass(frozen=True, slots=True)
class ToldPair:
    """Two articles by their keys, as an import tells of them; those that the project has stand beside."""

    cluster: str
    first: str
    second: str
    share: float
    first_article: Article | None
    second_article: Article | None


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """Two articles and the share (0 to 1) of the shorter one's text that both have; `first` came first."""

    first: Article
    second: Article
    share: float


def near_duplicates(cluster: Cluster, *, least: float = LEAST_SHARE) -> list[NearDuplicates]:
    """The pairs of a cluster's articles that share `least` of their text or more, most first.

    More than 100 articles are not compared while somebody waits: their pairs are those that the checks of
    their imports found, the nearest of each. Imported pairs are not compared.
    """
    if cluster.pair_import_id is not None:
        return []
    articles = {article.pk: article for article in cluster.articles.order_by("pk")[: ARTICLES + 1]}
    if len(articles) > ARTICLES:
        return _found_at_imports(cluster, least)
    # An article may have come in between the two queries.
    found = {pk: own for pk, own in _shingles_of(cluster).items() if pk in articles}
    return [
        NearDuplicates(articles[pair.first], articles[pair.second], pair.share)
        for pair in near_articles(found, least=least)
    ]


def _found_at_imports(cluster: Cluster, least: float) -> list[NearDuplicates]:
    reports = cluster.project.imports.imported().filter(near__pairs__gt=0).order_by("pk")
    rows = [
        row
        for shown in reports.values_list("near__shown", flat=True)
        for row in shown
        if row[0] == cluster.key and row[3] >= least
    ]
    pairs = sorted(rows, key=lambda row: -row[3])
    known = _articles(cluster.project, pairs)
    return [
        NearDuplicates(known[key, first], known[key, second], share)
        for key, first, second, share in pairs
        if (key, first) in known and (key, second) in known
    ]


def told_pairs(source: CorpusImport, most: int) -> list[ToldPair]:
    """The nearest duplicates of an import's report; those that are in the project with their articles."""
    pairs = sorted(source.near.get("shown", []), key=lambda row: -row[3])[:most]
    known = _articles(source.project, pairs)
    return [
        ToldPair(cluster, first, second, share, known.get((cluster, first)), known.get((cluster, second)))
        for cluster, first, second, share in pairs
    ]


def near_report(project: Project) -> NearReport:
    """What compares the articles of an import with each other and with those of the project.

    Near is what the project leaves out, or else half of the text.
    """
    keys = set(project.clusters.of_corpus().values_list("key", flat=True))

    def standing(key: str) -> dict[str, list[list[str]]]:
        found: dict[str, list[list[str]]] = {}
        if key in keys:
            rows = Sentence.objects.filter(article__cluster__project=project, article__cluster__key=key)
            for name, tokens in rows.order_by("article", "number").values_list("article__key", "tokens"):
                found.setdefault(name, []).append(tokens.split(" "))
        return found

    return NearReport(project.near_duplicate_share or LEAST_SHARE, standing)


def near_filter(project: Project, key: str) -> NearFilter | None:
    """What tells whether an article is new to a cluster of the project; None where it takes every article."""
    if project.near_duplicate_share is None:
        return None
    near = NearFilter(project.near_duplicate_share)
    cluster = project.clusters.of_corpus().filter(key=key).first()
    for own in _shingles_of(cluster).values() if cluster else ():
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


def _shingles_of(cluster: Cluster) -> dict[int, set[Shingle]]:
    """Of each article, by its id, in the order of the ids."""
    found: dict[int, set[Shingle]] = {}
    rows = (
        Sentence.objects.filter(article__cluster=cluster).order_by("article").values_list("article", "tokens")
    )
    for pk, tokens in rows.iterator():
        found.setdefault(pk, set()).update(shingles([tokens.split(" ")]))
    return found
