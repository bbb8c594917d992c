"""A stream of articles clustered from file to file, without a database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from paragold.events.clustering import EventScores, score_events
from paragold.events.settings import EventSpec
from paragold.formats.tables import exact_lines, read_head
from paragold.problems import FileProblem
from paragold.sources.article_fields import read_article
from paragold.sources.articles.found_clusters import FoundClusters, StandingArticle, day_of
from paragold.sources.articles.given import GivenArticle, Source
from paragold.sources.articles.opening import ArticleLines, format_of
from paragold.sources.articles.table import FIELDS, NEEDED_OF_A_STREAM, ArticleTable, usual_mapping

TABLES = (".tsv", ".csv")


@dataclass(frozen=True, slots=True)
class Baseline:
    """Scores of a way of clustering that looks at no text."""

    name: str
    scores: EventScores


@dataclass(frozen=True, slots=True)
class ClusteredFile:
    """`scores` and `baselines` are there when gold clusters were given."""

    articles: int
    clusters: int
    notes: list[str]
    scores: EventScores | None
    baselines: list[Baseline]


class StandingFile:
    """Articles that were clustered earlier, as `cluster_articles` wrote them. Raises FileProblem."""

    def __init__(self, path: Path) -> None:
        self._articles: list[StandingArticle] = []
        problems: list[FileProblem] = []
        source = _opened(path, needed=("cluster_id", *NEEDED_OF_A_STREAM))
        for given in source:
            try:
                self._articles.append(_standing(given))
            except FileProblem as refusal:
                problems.append(refusal.at(given.place.line))
        if problems or source.problems:
            raise FileProblem.of([*source.problems, *problems], file=str(path))

    def articles(self, first: date, last: date) -> Iterable[StandingArticle]:
        return (article for article in self._articles if first <= article.day <= last)

    def names(self) -> Iterable[str]:
        return {article.cluster for article in self._articles}


def cluster_file(
    path: Path,
    output: Path,
    settings: EventSpec,
    *,
    standing: Path | None = None,
    gold: str | None = None,
) -> ClusteredFile:
    """Cluster the articles of a JSONL or table file and write them with their `cluster_id`.

    Parameters
    ----------
    path : Path
        The articles.
    output : Path
        A table where its name ends so, else JSONL with an article a line.
    settings
        How they are clustered.
    standing : Path, optional
        A file that was written so, whose clusters are joined.
    gold : str, optional
        The key or column that holds the right cluster.

    Raises
    ------
    FileProblem
        A file cannot be used.
    OSError
        The output cannot be written.
    """
    found = FoundClusters(
        _opened(path, needed=NEEDED_OF_A_STREAM if settings.window_days is not None else ("id", "text")),
        settings,
        StandingFile(standing) if standing else None,
    )
    articles = [given.value for given in found]
    if found.problems:
        raise FileProblem.of(found.problems, file=str(path))
    if not articles:
        raise FileProblem("There is no article in it.", "Give it some.", file=str(path))
    labels = [article["cluster_id"] for article in articles]
    scores, baselines = None, []
    if gold:
        right = _gold(path, gold, [article["id"] for article in articles])
        scores = score_events(labels, right)
        baselines = [
            Baseline("all in one", score_events(["1"] * len(right), right)),
            Baseline("one each", score_events([str(number) for number in range(len(right))], right)),
        ]
    unfinished = output.with_name(output.name + ".part")
    _write(unfinished, articles, table=output.suffix.lower() if output.suffix.lower() in TABLES else "")
    unfinished.replace(output)
    return ClusteredFile(len(articles), len(set(labels)), found.notes, scores, baselines)


def _opened(path: Path, needed: tuple[str, ...]) -> Source:
    try:
        if format_of(path) != "table":
            return ArticleLines(path)
        return ArticleTable(path, usual_mapping(read_head(path).columns), needed=needed)
    except FileProblem as refusal:
        raise FileProblem.of([refusal.at()], file=str(path)) from refusal
    except OSError as error:
        problem = FileProblem(f"The file cannot be read: {error.strerror}.", "Check its name.")
        raise FileProblem.of([problem], file=str(path)) from error


def _standing(given: GivenArticle) -> StandingArticle:
    record = read_article(given.value, line=given.place.line, tokenised=False)
    cluster = given.value.get("cluster_id")
    if not isinstance(cluster, str) or not cluster:
        raise FileProblem(f'The article "{record.key}" has no cluster_id.', "Give a file that was clustered.")
    sentences = [list(sentence.tokens) for sentence in record.sentences]
    return StandingArticle(
        record.key, record.content_sha256, cluster, day_of(record), record.title, sentences
    )


def _gold(path: Path, name: str, keys: Sequence[str]) -> list[str]:
    """The gold clusters of the articles of these ids. Raises FileProblem when one is missing."""
    gold: dict[str, str] = {}
    source: Source = ArticleLines(path)
    if format_of(path) == "table":
        head = read_head(path)
        mapping = usual_mapping(head.columns) | {"cluster_id": name}
        if name not in head.columns:
            raise FileProblem(f"There is no column {name!r}.", "Name another.", file=str(path))
        source, name = ArticleTable(path, mapping, needed=("id",)), "cluster_id"
    for given in source:
        if isinstance(given.value.get(name), str):
            gold[given.value["id"]] = given.value[name]
    missing = [key for key in keys if key not in gold]
    if missing:
        message = f'The article "{missing[0]}" has no "{name}" to compare with.'
        raise FileProblem(message, "Give every article one, or leave --gold out.", file=str(path))
    return [gold[key] for key in keys]


def _write(path: Path, articles: Sequence[dict[str, Any]], table: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        if not table:
            for article in articles:
                file.write(
                    json.dumps({"cluster_id": article["cluster_id"]} | article, ensure_ascii=False) + "\n"
                )
            return
        columns = [name for name in FIELDS if name == "text" or any(name in article for article in articles)]
        rows = [
            [_text(article) if name == "text" else article.get(name, "") for name in columns]
            for article in articles
        ]
        # It is to be imported: every byte of the texts counts.
        file.write(exact_lines([columns, *rows], separator="\t" if table == ".tsv" else ","))


def _text(article: dict[str, Any]) -> str:
    """The text of an article as one cell: paragraphs separated by blank lines, sentences by spaces."""
    if "paragraphs" in article:
        return "\n\n".join(article["paragraphs"])
    return article["text"] if "text" in article else " ".join(article["sentences"])
