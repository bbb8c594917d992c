"""The first half of an import: a whole source is read and checked, and written to a file of records.

That file has a cluster a line, in the source's order, with sentences cut and tokenised. Between two cuts lie
about two megabytes of it: a worker stores one such piece at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from django.db.models import Max, QuerySet

from corpus.models import Article, Cluster, CorpusImport, ImportState, Sentence
from paragold.events.clustering import Terms
from paragold.languages import language
from paragold.problems import FileProblem
from paragold.sources.article_sources import SourceOptions, read_articles
from paragold.sources.articles import ArticleRecord, SentenceRecord
from paragold.sources.event_clusters import ExistingArticle
from projects import storage
from projects.models import Project

from .limited_source import LimitedSource
from .uploads import records_path

PIECE_BYTES = 2 << 20
ARTICLES_AT_ONCE = 500
CLUSTERS_SHOWN, ARTICLES_SHOWN, SENTENCES_SHOWN = 3, 3, 6


# What `read_source` sets.
FOUND = ("state", "options", "counts", "notes", "sample", "problems")


def import_signature(options: SourceOptions) -> str:
    """The methods that decide the sentences and tokens of an import, with versions of plug-ins."""
    return f"{options.signature}|{language(options.language).token_signature}"


def read_source(
    source: CorpusImport,
    path: Path,
    options: SourceOptions,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Read all of a source into the import's file of records, and set FOUND; the import is not saved.

    With problems it is refused. `sample` has the first clusters with their first sentences, for people to
    look at. Of the options, "cuts" are offsets in the file of records, the first 0 and the last its length,
    "newest_article" that of the project before clusters were found.

    Its project may be missing; else its clusters may be joined by articles of a stream. progress: called with
    the share that is read, 0 to 1, many times a second; it may raise to stop.
    """
    project = source.project if source.project_id else None
    existing = ExistingEvents(project) if project else None
    records = records_path(source.token)
    draft = storage.workspace(records) / f"{source.token}.draft"
    cuts = [0]
    source.sample, source.notes, source.counts = [], [], {}
    try:
        with draft.open("wb") as file:
            reader = read_articles(
                path,
                options,
                folder=draft.parent,
                filename=source.filename,
                progress=progress,
                existing=existing,
                open_source=LimitedSource,
            )
            for cluster, articles in reader:
                progress(reader.share)
                if len(source.sample) < CLUSTERS_SHOWN:
                    source.sample.append(_shown(cluster, articles, options.language))
                if not reader.problems:
                    _write(cluster, articles, file)
                    if file.tell() - cuts[-1] >= PIECE_BYTES:
                        cuts.append(file.tell())
            if file.tell() > cuts[-1]:
                cuts.append(file.tell())
        storage.put(draft, records)
        problems, source.counts, source.notes = reader.problems, reader.counts, reader.notes
    except FileProblem as refusal:
        problems = [refusal.at()]
    finally:
        draft.unlink(missing_ok=True)
    source.state = ImportState.REFUSED if problems else ImportState.CHECKED
    source.problems = [problem.as_json() for problem in problems]
    source.options["cuts"] = cuts
    if options.events is not None:
        source.options["newest_article"] = existing.newest_article if existing else 0


def read_records(records: Path, start: int, end: int) -> Iterator[tuple[str, list[ArticleRecord]]]:
    """The clusters between two cuts: their keys and articles."""
    with records.open("rb") as file:
        file.seek(start)
        while file.tell() < end:
            key, articles = json.loads(file.readline())
            yield key, [_article(fields) for fields in articles]


def _write(cluster: str, records: Sequence[ArticleRecord], file: BinaryIO) -> None:
    articles = []
    for article in records:
        fields = (article.key, article.source, article.url, article.published, article.title)
        sentences = [[s.text, " ".join(s.tokens), s.paragraph] for s in article.sentences]
        articles.append([*fields, article.language, article.file, article.line, sentences])
    line = json.dumps([cluster, articles], ensure_ascii=False, separators=(",", ":"))
    file.write(line.encode() + b"\n")


def _article(fields: list[Any]) -> ArticleRecord:
    # Files that were staged before projects had two languages have none.
    key, source, url, published, title, *tag, file, line, sentences = fields
    cut = tuple(
        # Files that version 0.2.0 staged have the starts of the tokens before the paragraph.
        SentenceRecord(text, tuple(tokens.split(" ")), paragraph)
        for text, tokens, *_, paragraph in sentences
    )
    return ArticleRecord(key, source, url, published, title, cut, line, file, language=tag[0] if tag else "")


def _shown(cluster: str, articles: Sequence[ArticleRecord], language: str) -> dict[str, Any]:
    """The sample of a cluster that pages show."""
    return {
        "key": cluster,
        "articles": len(articles),
        "shown": [
            {
                "key": article.key,
                "source": article.source,
                "published": article.published,
                "title": article.title,
                "language": article.language or language,
                "sentences": [list(sentence.tokens) for sentence in article.sentences[:SENTENCES_SHOWN]],
            }
            for article in articles[:ARTICLES_SHOWN]
        ],
    }


class ExistingEvents:
    """The dated articles of a project, which clusters that are to be found may join.

    `newest_article` is that of the project when this was made (0 for none).
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self.newest_article = newest_article(project)

    def articles(self, first: date, last: date, terms: Terms) -> Iterator[ExistingArticle]:
        """The articles published on these days, the last included. ISO 8601 dates are in order as texts."""
        dated = _articles(self._project).filter(published__gte=first.isoformat())
        if last < date.max:
            dated = dated.filter(published__lt=(last + timedelta(1)).isoformat())
        rows = iter(
            dated.order_by("pk").values_list(
                "pk", "key", "content_sha256", "cluster__key", "published", "title"
            )
        )
        while part := list(islice(rows, ARTICLES_AT_ONCE)):
            sentences: dict[int, list[list[str]]] = {row[0]: [] for row in part}
            tokens = Sentence.objects.filter(article__in=sentences).order_by("article_id", "number")
            for article, words in tokens.values_list("article_id", "tokens"):
                sentences[article].append(words.split(" "))
            for pk, key, content, cluster, published, title in part:
                day = date.fromisoformat(published[:10])
                yield (key, day, terms(title, sentences[pk])), cluster, content

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
