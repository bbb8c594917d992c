"""Headlines in clusters, each cluster the headlines of one event.

Two layouts, distinguished by the first line: CSV as the UCI News Aggregator has it (a header with
ID, TITLE, STORY and perhaps PUBLISHER, URL and TIMESTAMP, in milliseconds since 1970; no snippets), and JSON
Lines with a cluster a line: an object with `cluster_id` or `event` and the list `headlines` or `articles` of
objects with `title` and, optionally, `id`, `snippet` or `lead`, `source`, `url` and `published`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from paragold.formats.json_lines import parse_object
from paragold.formats.tables import TableRows, read_head
from paragold.formats.text_files import TextLines, marked_encoding, open_input
from paragold.languages import ENGLISH, Language
from paragold.problems import FileProblem, quoted

from .articles import COLUMNS, CONTENT_KEYS, LimitedNotes, Place, RawArticle, Source

_NEEDED = ("ID", "TITLE", "STORY")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Headline:
    """A title with the beginning of its article (either may be ""); `key` occurs once in its cluster.

    `line` counts from 1. `published` is what the file says; a time stamp of CSV as ISO 8601.
    """

    key: str
    title: str
    snippet: str
    source: str
    line: int
    url: str = ""
    published: str = ""


def read_headlines(path: Path, *, encoding: str = "utf-8") -> dict[str, list[Headline]]:
    """The headlines of each cluster of a file by its key, in the order of their first lines.

    Raises
    ------
    FileProblem
        With every faulty line; for a file that cannot be read or has no headlines.
    """
    source = HeadlineArticles(path, encoding=encoding)
    problems = source.problems
    clusters: dict[str, dict[str, Headline]] = {}
    for cluster, headline in source.headlines():
        key, line = quoted(headline.key), headline.line
        if not headline.title:
            remedy = "Give one, or leave the headline out."
            problems.append(FileProblem(f"The headline {key} has no title.", remedy, line=line))
        earlier = clusters.setdefault(cluster, {}).setdefault(headline.key, headline)
        if earlier is not headline:
            message = f"The id {key} is also on line {earlier.line}, in the same cluster."
            problems.append(FileProblem(message, "Give each headline its own.", line=line))
    if not clusters and not problems:
        problems.append(FileProblem("The file has no headline.", "Give at least one cluster."))
    if problems:
        raise FileProblem.of(sorted(problems, key=lambda problem: problem.line), file=str(path))
    return {key: list(headlines.values()) for key, headlines in clusters.items()}


class HeadlineArticles(Source):
    """The headlines of UCI CSV or of title + snippet JSONL, each an article.

    Its sentences are the title, whole, and those of the snippet.
    """

    def __init__(self, path: Path, *, encoding: str = "utf-8", language: Language = ENGLISH) -> None:
        super().__init__()
        self._path = path
        self._encoding = encoding
        self._language = language

    def headlines(self) -> Iterator[tuple[str, Headline]]:
        """The key of the cluster and the headline of each row of CSV, and each entry of JSON Lines, in order.

        Whether a headline has a title, and whether its key occurs once in its cluster, is left to the caller.
        """
        lines = TextLines(self._path, self._encoding, [])
        rows: TextLines | TableRows
        try:
            _, first = next(iter(lines), (0, ""))
            if first.lstrip().startswith("{") or not first:
                rows = TextLines(self._path, self._encoding, self.problems)
                headlines = self._of_lines(rows)
            else:
                rows = TableRows(self._path, self.problems, encoding=self._encoding)
                headlines = self._of_rows(rows)
        except FileProblem as problem:
            self.problems.append(problem)
            return
        for pair in headlines:
            self.share = rows.share
            yield pair

    def _of_rows(self, rows: TableRows) -> Iterator[tuple[str, Headline]]:
        columns = {name.strip().upper(): index for index, name in enumerate(rows.columns)}
        if missing := [name for name in _NEEDED if name not in columns]:
            message = f"The first line is not a header: there is no column {', '.join(missing)}."
            remedy = "Give a header with ID, TITLE and STORY, or JSON Lines."
            self.problems.append(FileProblem(message, remedy, line=1))
            return
        for line, cells in rows:
            given = dict.fromkeys(("PUBLISHER", "URL", "TIMESTAMP"), "")
            given |= {name: cells[at].strip() for name, at in columns.items()}
            try:
                if not given["ID"] or not given["STORY"]:
                    raise FileProblem("ID or STORY is empty.", "Give both, or leave the line out.")
                published = _time(given["TIMESTAMP"])
            except FileProblem as problem:
                self.problems.append(problem.at(line))
                continue
            texts = (given["ID"], given["TITLE"], "", given["PUBLISHER"])
            yield given["STORY"], Headline(*texts, line, given["URL"], published)

    def _of_lines(self, lines: TextLines) -> Iterator[tuple[str, Headline]]:
        lines_of: dict[str, int] = {}
        empty = LimitedNotes(self.notes, "{} more clusters have no headlines and were left out.")
        for number, line in lines:
            try:
                row = parse_object(line)
                cluster = _text(row, "cluster_id", "event") or f"line-{number}"
                if lines_of.setdefault(cluster, number) != number:
                    message = f"The cluster {quoted(cluster)} is also on line {lines_of[cluster]}."
                    raise FileProblem(message, "Put it on one line.")
                listed = row.get("headlines", row.get("articles"))
                if listed == []:
                    empty.add(f"Line {number}: the cluster has no headlines and was left out.")
                    continue
                if not isinstance(listed, list):
                    raise FileProblem("There are no headlines.", 'Give "headlines": [{"title": ...}, ...].')
                headlines = [_of_entry(entry, index, number) for index, entry in enumerate(listed)]
            except FileProblem as problem:
                self.problems.append(problem.at(number))
                continue
            for headline in headlines:
                yield cluster, headline
        empty.sum_up()

    def __iter__(self) -> Iterator[RawArticle]:
        for cluster, headline in self.headlines():
            snippet = headline.snippet
            sentences = [headline.title, *(snippet[a:b] for a, b in self._language.sentences(snippet))]
            metadata = {name: getattr(headline, name) for name in ("title", "source", "url", "published")}
            value = {"cluster_id": cluster, "id": headline.key, "sentences": sentences}
            value |= {name: text for name, text in metadata.items() if text}
            yield Place("", headline.line), value


def _of_entry(entry: object, index: int, line: int) -> Headline:
    if not isinstance(entry, dict):
        raise FileProblem(f"Headline {index} is not an object.", 'Write {"title": ...}.')
    if entry.get("title") is None:
        raise FileProblem(f"Headline {index} has no title.", "Give one, or leave the headline out.")
    given = {name: _text(entry, name) for name in ("title", "source", "url", "published")}
    key, snippet = _text(entry, "id") or str(index), _text(entry, "snippet", "lead")
    return Headline(line=line, key=key, snippet=snippet, **given)


def _text(row: dict[str, Any], *names: str) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is not None and not isinstance(value, str):
            raise FileProblem(f'"{name}" is not a string.', "Put it in double quotes.")
        if value and (text := value.strip()):
            return text
    return ""


def _time(stamp: str) -> str:
    """Milliseconds since 1970 as ISO 8601, in whole seconds. Raises FileProblem for another text."""
    try:
        return (_EPOCH + timedelta(seconds=int(stamp) // 1000)).isoformat() if stamp else ""
    except (ValueError, OverflowError):
        raise FileProblem(
            f"TIMESTAMP is {quoted(stamp)}.", "Give whole milliseconds since 1970, or leave it empty."
        ) from None


def holds_headlines(path: Path, *, table: bool) -> bool:
    """Whether the first line of a file is that of a file of headlines, and not that of articles."""
    try:
        with open_input(path) as file:
            # Latin-1 is enough without a byte order mark: the names of columns and keys are ASCII.
            encoding = "utf-8" if marked_encoding(file.read(4)) else "latin-1"
        if table:
            columns, _ = read_head(path, encoding=encoding)
            upper = {name.strip().upper() for name in columns}
            return upper.issuperset(_NEEDED) and "text" not in COLUMNS.mapping(columns)
        _, line = next(iter(TextLines(path, encoding, [])), (0, ""))
        row = json.loads(line)
    except (FileProblem, ValueError, RecursionError):
        return False
    if not isinstance(row, dict):
        return False
    if isinstance(row.get("headlines"), list):
        return True
    articles = row.get("articles")
    first = articles[0] if isinstance(articles, list) and articles else None
    if not isinstance(first, dict) or any(key in first for key in CONTENT_KEYS):
        return False
    return "title" in first and ("event" in row or "snippet" in first or "lead" in first)
