"""The dated articles of a project, as what clusters that are to be found may join."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import islice

from django.db.models import Max, QuerySet

from corpus.models import Article, Cluster, Sentence
from paragold.sources.articles.found_clusters import StandingArticle
from projects.models import Project

_ARTICLES_AT_ONCE = 500


class ProjectStanding:
    """`until` is the project's newest article when this was made (0 for none)."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.until = newest_article(project)

    def articles(self, first: date, last: date) -> Iterator[StandingArticle]:
        """Those published on these days, the last included. Dates are ISO 8601: in order as texts, too."""
        dated = _articles(self._project).filter(published__gte=first.isoformat())
        if last < date.max:
            dated = dated.filter(published__lt=(last + timedelta(1)).isoformat())
        rows = iter(
            dated.order_by("pk").values_list(
                "pk", "key", "content_sha256", "cluster__key", "published", "title"
            )
        )
        while part := list(islice(rows, _ARTICLES_AT_ONCE)):
            sentences: dict[int, list[list[str]]] = {row[0]: [] for row in part}
            tokens = Sentence.objects.filter(article__in=sentences).order_by("article_id", "number")
            for article, words in tokens.values_list("article_id", "tokens"):
                sentences[article].append(words.split(" "))
            for pk, key, content, cluster, published, title in part:
                day = date.fromisoformat(published[:10])
                yield StandingArticle(key, content, cluster, day, title, sentences[pk])

    def names(self) -> Iterable[str]:
        """The keys of the project's clusters, and of its imported pairs: none is given to another cluster."""
        return (
            Cluster.objects.filter(project=self._project).order_by().values_list("key", flat=True).iterator()
        )


def newest_article(project: Project) -> int:
    """The highest id of the project's articles, 0 for none: it grows whenever articles come in."""
    newest: int | None = _articles(project).aggregate(newest=Max("pk"))["newest"]
    return newest or 0


def _articles(project: Project) -> QuerySet[Article]:
    return Article.objects.filter(cluster__project=project, cluster__pair_import=None)
