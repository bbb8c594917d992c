"""Which articles of a cluster are nearly the same text."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.matching.near_articles import LEAST_SHARE, Shingle, near_articles, shingles
from corpus.models import Article, Cluster, Sentence

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
    found: dict[int, set[Shingle]] = {pk: set() for pk in articles}
    rows = Sentence.objects.filter(article__cluster=cluster).order_by().values_list("article", "tokens")
    for pk, tokens in rows.iterator():
        if pk in found:
            found[pk] |= shingles([tokens.split(" ")])
    return [
        NearDuplicates(articles[pair.first], articles[pair.second], pair.share)
        for pair in near_articles(found, least=least)
    ]
