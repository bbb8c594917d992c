"""Where the texts of a data card's files come from: articles of the corpus, imported pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from django.db.models import QuerySet

from corpus.models import Article
from paragold.formats.pairs.card import Section, sources
from projects.models import Project

OUTLETS_SHOWN = 20
AT_ONCE = 500
_FIELDS = (
    *("cluster__key", "key", "source", "published"),
    *("cluster__pair_import", "cluster__pair_import__filename", "cluster__pair_import__options"),
)


class ArticleRow(NamedTuple):
    """An article of the files; `pair_import` is None for one of the corpus."""

    cluster: str
    key: str
    source: str
    published: str
    pair_import: int | None
    filename: str | None
    options: dict[str, str] | None


def articles_with_keys(project: Project, keys: Collection[tuple[str, str]]) -> Iterator[ArticleRow]:
    """Of a project, by the keys of cluster and article."""
    clusters = sorted({cluster for cluster, _ in keys})
    for start in range(0, len(clusters), AT_ONCE):
        some = Article.objects.filter(
            cluster__project=project, cluster__key__in=clusters[start : start + AT_ONCE]
        )
        yield from (row for row in _rows(some) if (row.cluster, row.key) in keys)


def articles_with_ids(ids: Iterable[int]) -> Iterator[ArticleRow]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), AT_ONCE):
        yield from _rows(Article.objects.filter(pk__in=ordered[start : start + AT_ONCE]))


def _rows(articles: QuerySet[Article]) -> list[ArticleRow]:
    return [ArticleRow(*row) for row in articles.order_by("pk").values_list(*_FIELDS)]


def sources_of(rows: Iterable[ArticleRow]) -> list[Section]:
    """A section for articles of the corpus and one for imported pairs, each only where there are such."""
    outlets: Counter[str] = Counter()
    days: set[str] = set()
    clusters: set[str] = set()
    articles = 0
    imported: dict[int, tuple[str, str, set[str]]] = {}
    for row in rows:
        if row.pair_import is not None:
            name, how = row.filename or "", (row.options or {}).get("format", "")
            imported.setdefault(row.pair_import, (name, how, set()))[2].add(row.cluster)
            continue
        articles += 1
        clusters.add(row.cluster)
        outlets.update([row.source] if row.source else [])
        days.update([row.published[:10]] if row.published else [])
    sections = []
    if articles:
        shown = sorted(outlets.items(), key=lambda one: (-one[1], one[0]))[:OUTLETS_SHOWN]
        dates = (min(days), max(days)) if days else ("", "")
        sections.append(sources(clusters=len(clusters), articles=articles, outlets=shown, dates=dates))
    if imported:
        lines = [(name, how, f"{len(keys):,}") for _, (name, how, keys) in sorted(imported.items())]
        text = "These pairs were imported from files, with no article around them."
        sections.append(Section("Imported pairs", text, ("file", "format", "pairs"), lines))
    return sections
