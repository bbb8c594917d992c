"""The first half of an import: a whole source is read and checked; what it holds waits in a file of records.

That file has a cluster a line, in the source's order, with sentences cut and tokenised. Between two cuts lie
about two megabytes of it: a worker stores one such piece at a time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from paragold.problems import FileProblem
from paragold.sources.articles.found_clusters import Standing
from paragold.sources.articles.opening import SourceOptions, open_source
from paragold.sources.records import ArticleRecord, ClusterRecord, SentenceRecord

from .near_report import NearReport

PIECE_BYTES = 2 << 20
CLUSTERS_SHOWN, ARTICLES_SHOWN, SENTENCES_SHOWN = 3, 3, 6


@dataclass(slots=True)
class Reading:
    """What a source holds. With problems nothing of it is imported.

    `sample` has the first clusters with their first sentences, for people to look at (JSON); `cuts` are
    offsets in the file of records, the first 0 and the last its length.
    """

    counts: dict[str, int] = field(default_factory=dict)
    problems: list[FileProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sample: list[dict[str, Any]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=lambda: [0])
    near: dict[str, Any] = field(default_factory=dict)


def read_source(
    path: Path,
    records: Path,
    *,
    filename: str,
    options: SourceOptions,
    progress: Callable[[float], None] = lambda share: None,
    standing: Standing | None = None,
    near: NearReport | None = None,
) -> Reading:
    """Read all of a source into the file `records`; what is wrong with it stands in `problems`.

    `progress` is told the share that is read, 0 to 1, many times a second, and may raise to stop. `standing`
    is what clusters that are to be found may join; `near` what articles are compared with.
    """
    reading = Reading()
    near = near or NearReport()
    with TemporaryDirectory(dir=records.parent) as folder, records.open("wb") as file:
        copy = Path(folder) / "articles.jsonl"
        try:
            reader = open_source(
                path, options, copy=copy, filename=filename, progress=progress, standing=standing
            )
            for cluster in reader:
                progress(reader.share)
                if len(reading.sample) < CLUSTERS_SHOWN:
                    reading.sample.append(_shown(cluster))
                if not reader.problems:
                    near.look(cluster)
                    _write(cluster, reader.located, file)
                    if file.tell() - reading.cuts[-1] >= PIECE_BYTES:
                        reading.cuts.append(file.tell())
        except FileProblem as refusal:
            reading.problems.append(refusal.at())
            return reading
        if file.tell() > reading.cuts[-1]:
            reading.cuts.append(file.tell())
    reading.counts, reading.problems, reading.notes = reader.counts, reader.problems, reader.notes
    reading.near = near.to_json()
    return reading


@dataclass(frozen=True, slots=True)
class StoredArticle:
    """An article of the file of records, with the file and line of the source that it came from."""

    record: ArticleRecord
    file: str


def read_records(records: Path, start: int, end: int) -> Iterator[tuple[str, list[StoredArticle]]]:
    """The clusters between two cuts: their keys and articles."""
    with records.open("rb") as file:
        file.seek(start)
        while file.tell() < end:
            key, articles = json.loads(file.readline())
            yield key, [_article(fields) for fields in articles]


def _write(cluster: ClusterRecord, located: Callable[[FileProblem], FileProblem], file: BinaryIO) -> None:
    articles = []
    for article in cluster.articles:
        place = located(FileProblem("", "", line=article.line))
        fields = (article.key, article.source, article.url, article.published, article.title)
        sentences = [[s.text, " ".join(s.tokens), s.starts, s.paragraph] for s in article.sentences]
        articles.append([*fields, place.file, place.line, sentences])
    line = json.dumps([cluster.key, articles], ensure_ascii=False, separators=(",", ":"))
    file.write(line.encode() + b"\n")


def _article(fields: list[Any]) -> StoredArticle:
    key, source, url, published, title, file, line, sentences = fields
    cut = tuple(
        SentenceRecord(text, tuple(tokens.split(" ")), tuple(starts), paragraph)
        for text, tokens, starts, paragraph in sentences
    )
    return StoredArticle(ArticleRecord(key, source, url, published, title, cut, line), file)


def _shown(cluster: ClusterRecord) -> dict[str, Any]:
    """What a page shows of a cluster."""
    return {
        "key": cluster.key,
        "articles": len(cluster.articles),
        "shown": [
            {
                "key": article.key,
                "source": article.source,
                "published": article.published,
                "title": article.title,
                "sentences": [list(sentence.tokens) for sentence in article.sentences[:SENTENCES_SHOWN]],
            }
            for article in cluster.articles[:ARTICLES_SHOWN]
        ],
    }
