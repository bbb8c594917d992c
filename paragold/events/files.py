"""A stream of articles clustered by event from file to file, without a database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from paragold.events.clustering import Terms, score_events
from paragold.events.settings import EventSpec
from paragold.formats.tables import exact_lines
from paragold.formats.text_files import whole_file
from paragold.problems import FileProblem, located
from paragold.sources.article_sources import ArticleTable, format_of
from paragold.sources.articles import (
    FIELDS,
    NEEDED_OF_A_STREAM,
    ArticleLines,
    ArticleRecord,
    Place,
    Source,
    read_article,
)
from paragold.sources.event_clusters import EventClusters, ExistingArticle, day_of


class ExistingFile:
    """Articles that were clustered earlier, as `cluster_file` wrote them. Raises FileProblem."""

    def __init__(self, path: Path) -> None:
        self._articles: list[tuple[ArticleRecord, date, str]] = []
        problems: list[FileProblem] = []
        source = _opened(path, needed=("cluster_id", *NEEDED_OF_A_STREAM))
        for place, value in source:
            try:
                self._articles.append(_existing(place, value))
            except FileProblem as refusal:
                problems.append(refusal.at(place.line))
        if problems or source.problems:
            raise FileProblem.of([*source.problems, *problems], file=str(path))

    def articles(self, first: date, last: date, terms: Terms) -> Iterable[ExistingArticle]:
        for record, day, cluster in self._articles:
            if first <= day <= last:
                counted = terms(record.title, (sentence.tokens for sentence in record.sentences))
                yield (record.key, day, counted), cluster, record.content_sha256

    def names(self) -> Iterable[str]:
        return {cluster for *_, cluster in self._articles}


def cluster_file(
    path: Path,
    output: Path,
    settings: EventSpec,
    *,
    existing: Path | None = None,
    gold: str | None = None,
) -> dict[str, Any]:
    """Cluster the articles of a JSONL or table file and write them with their `cluster_id`.

    `output` becomes a table where its name ends so, else JSONL with an article a line. The clusters of
    `existing`, an earlier output, are joined. `gold` is the key or column of the gold clusters.
    Returns the numbers of `articles` and of `clusters`, `notes`, and the `scores` where gold clusters were
    given: those of the clusters "found", and of two ways of clustering that look at no text, "all in one" and
    "one each".
    Raises FileProblem for a file that cannot be used, OSError for an output that cannot be written.
    """
    stream = EventClusters(
        _opened(path, needed=NEEDED_OF_A_STREAM if settings.window_days is not None else ("id", "text")),
        settings,
        ExistingFile(existing) if existing else None,
    )
    articles = [article for _, article in stream]
    if stream.problems:
        raise FileProblem.of(stream.problems, file=str(path))
    if not articles:
        raise FileProblem("The file has no article.", "Add at least one.", file=str(path))
    labels = [article["cluster_id"] for article in articles]
    scores = {}
    if gold:
        keys = [article["id"] for article in articles]
        right = _gold(path, gold, keys)
        ways = {"found": labels, "all in one": ["1"] * len(right), "one each": keys}
        scores = {name: score_events(way, right) for name, way in ways.items()}
    separator = {".tsv": "\t", ".csv": ","}.get(output.suffix.lower())
    with whole_file(output) as file:
        file.writelines(line.encode() for line in _lines(articles, separator))
    counts = {"articles": len(articles), "clusters": len(set(labels))}
    return counts | {"notes": stream.notes, "scores": scores}


def _opened(path: Path, needed: tuple[str, ...], mapping: Mapping[str, str] | None = None) -> Source:
    try:
        with located(file=str(path)):
            if format_of(path) != "table":
                return ArticleLines(path, apart=True)
            return ArticleTable(path, mapping or {}, needed=needed)
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        raise FileProblem(message, "Check its name.", file=str(path)) from error


def _existing(place: Place, value: dict[str, Any]) -> tuple[ArticleRecord, date, str]:
    """An article, its day and its cluster."""
    record = read_article(value, place=place)
    cluster = value.get("cluster_id")
    if not isinstance(cluster, str) or not cluster:
        raise FileProblem(f'The article "{record.key}" has no cluster_id.', "Give a file that was clustered.")
    return record, day_of(record), cluster


def _gold(path: Path, name: str, keys: Sequence[str]) -> list[str]:
    """The gold clusters of the articles of these ids. Raises FileProblem when one is missing."""
    source = _opened(path, needed=("id",), mapping={"cluster_id": name})
    key = "cluster_id" if isinstance(source, ArticleTable) else name
    gold = {value["id"]: value[key] for _, value in source if isinstance(value.get(key), str)}
    if missing := [article for article in keys if article not in gold]:
        message = f'The article "{missing[0]}" has no "{name}" to compare with.'
        raise FileProblem(message, "Give every article one, or leave --gold out.", file=str(path))
    return [gold[article] for article in keys]


def _lines(articles: Sequence[dict[str, Any]], separator: str | None) -> Iterator[str]:
    """As a table with this separator, or as JSON Lines without one."""
    if separator is None:
        for article in articles:
            yield json.dumps({"cluster_id": article["cluster_id"]} | article, ensure_ascii=False) + "\n"
        return
    columns = [name for name in FIELDS if name == "text" or any(name in article for article in articles)]
    rows = [
        [_text(article) if name == "text" else article.get(name, "") for name in columns]
        for article in articles
    ]
    # It is to be imported: every byte of the texts counts.
    yield exact_lines([columns, *rows], separator=separator)


def _text(article: dict[str, Any]) -> str:
    """The text of an article as one cell: paragraphs separated by blank lines, sentences by spaces."""
    if "paragraphs" in article:
        return "\n\n".join(article["paragraphs"])
    return article["text"] if "text" in article else " ".join(article["sentences"])
