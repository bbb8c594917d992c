"""Which articles of a cluster are nearly the same text."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.matching.near_articles import LEAST_SHARE, NearFilter, Shingle, near_articles, shingles
from corpus.models import Article, Cluster, Project, Sentence

# Many articles would be compared for seconds while somebody waits.
ARTICLES = 100


@dataclass(frozen=True, slots=True)
class NearDuplicates:
    """Two articles and the share (0 to 1) of the shorter one's text that both have; `first` came first."""

    first: Article
    second: Article
    share: float


def near_duplicates(cluster: Cluster, *, least: float = LEAST_SHARE) -> list[NearDuplicates] | None:
    """The pairs of a cluster's articles that share `least` of their text or more, most first.

    None for a cluster of more than 100 articles, which nobody compares while a page is drawn.
    """
    articles = {article.pk: article for article in cluster.articles.order_by("pk")[: ARTICLES + 1]}
    if len(articles) > ARTICLES:
        return None
    # An article may have come in between the two queries.
    found = {pk: own for pk, own in _shingles_of(cluster).items() if pk in articles}
    return [
        NearDuplicates(articles[pair.first], articles[pair.second], pair.share)
        for pair in near_articles(found, least=least)
    ]


def near_filter(project: Project, key: str) -> NearFilter | None:
    """What tells whether an article is new to a cluster of the project; None where it takes every article."""
    if project.near_duplicate_share is None:
        return None
    near = NearFilter(project.near_duplicate_share)
    cluster = project.clusters.filter(key=key).first()
    for own in _shingles_of(cluster).values() if cluster else ():
        near.take(own)
    return near


def _shingles_of(cluster: Cluster) -> dict[int, set[Shingle]]:
    """Of each article, by its id, in the order of the ids."""
    found: dict[int, set[Shingle]] = {}
    rows = (
        Sentence.objects.filter(article__cluster=cluster).order_by("article").values_list("article", "tokens")
    )
    for pk, tokens in rows.iterator():
        found.setdefault(pk, set()).update(shingles([tokens.split(" ")]))
    return found
