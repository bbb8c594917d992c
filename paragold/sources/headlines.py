"""Headlines in clusters, each cluster the headlines of one event.

Two layouts, told apart by the first line: CSV as the UCI News Aggregator has it (a header with
ID, TITLE, STORY and perhaps PUBLISHER, URL and TIMESTAMP, in milliseconds since 1970; no snippets), and JSON
Lines with a cluster a line: an object with `cluster_id` or `event` and the list `headlines` or `articles` of
objects with `title` and, if wanted, `id`, `snippet` or `lead`, `source`, `url` and `published`.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import decoded_lines
from paragold.problems import FileProblem
from paragold.text.quoting import quoted

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


@dataclass(frozen=True, slots=True)
class HeadlineCluster:
    """The headlines of one event, in the file's order."""

    key: str
    headlines: tuple[Headline, ...]


def read_headlines(path: Path, *, encoding: str = "utf-8") -> list[HeadlineCluster]:
    """The clusters of a file, in the order of their first lines.

    Raises FileProblem with every faulty line, and for a file that cannot be read or has no headlines.
    """
    problems: list[FileProblem] = []
    clusters: dict[str, dict[str, Headline]] = {}
    for cluster, headline in headline_rows(decoded_lines(path, encoding, problems), problems):
        if not headline.title:
            message = f"The headline {quoted(headline.key)} has no title."
            problems.append(FileProblem(message, "Give one, or leave the headline out.", line=headline.line))
        others = clusters.setdefault(cluster, {})
        earlier = others.setdefault(headline.key, headline)
        if earlier is not headline:
            message = f"The id {quoted(headline.key)} is also on line {earlier.line}, in the same cluster."
            problems.append(FileProblem(message, "Give each headline its own.", line=headline.line))
    if not clusters and not problems:
        problems.append(FileProblem("There is no headline in it.", "Give at least one cluster."))
    if problems:
        raise FileProblem.of(sorted(problems, key=lambda problem: problem.line), file=str(path))
    return [HeadlineCluster(key, tuple(headlines.values())) for key, headlines in clusters.items()]


def headline_rows(
    lines: Iterator[tuple[int, str]], problems: list[FileProblem], empty: list[int] | None = None
) -> Iterator[tuple[str, Headline]]:
    """The key of the cluster and the headline of each row of CSV, and of each entry of JSON Lines, in order.

    lines: numbers from 1 and texts, none blank. What is wrong goes to `problems`. Whether a headline has a
    title, and whether its key occurs once in its cluster, is left to the caller. A cluster of JSON without
    headlines is a problem, unless there is `empty` for the numbers of such lines.
    """
    start = next(lines, None)
    if start is not None:
        rows = chain([start], lines)
        if start[1].lstrip().startswith("{"):
            yield from _from_json(rows, problems, empty)
        else:
            yield from _from_csv(rows, problems)


def _from_csv(
    lines: Iterator[tuple[int, str]], problems: list[FileProblem]
) -> Iterator[tuple[str, Headline]]:
    columns: dict[str, int] | None = None
    for number, line in lines:
        try:
            fields = next(csv.reader([line], strict=True))
            if columns is None:
                columns = {name.strip().upper(): index for index, name in enumerate(fields)}
                missing = [name for name in _NEEDED if name not in columns]
                if missing:
                    problems.append(
                        FileProblem(
                            f"The first line is no header: there is no column {', '.join(missing)}.",
                            "Give a header with ID, TITLE and STORY, or JSON Lines.",
                            line=number,
                        )
                    )
                    return
                continue
            if len(fields) != len(columns):
                raise FileProblem(
                    f"{len(fields)} columns instead of {len(columns)}.", "Put fields with a comma in quotes."
                )
            key, title, story = (fields[columns[name]].strip() for name in _NEEDED)
            if not key or not story:
                raise FileProblem("ID or STORY is empty.", "Give both, or leave the line out.")
            told = {name: fields[at].strip() for name, at in columns.items()}
            yield (
                story,
                Headline(
                    key=key,
                    title=title,
                    snippet="",
                    source=told.get("PUBLISHER", ""),
                    line=number,
                    url=told.get("URL", ""),
                    published=_time(told.get("TIMESTAMP", "")),
                ),
            )
        except csv.Error as error:
            problems.append(
                FileProblem(
                    f"The line is not valid CSV ({error}).", "Close and double the quotes.", line=number
                )
            )
        except FileProblem as refusal:
            problems.append(refusal.at(number))


def _from_json(
    lines: Iterator[tuple[int, str]], problems: list[FileProblem], empty: list[int] | None
) -> Iterator[tuple[str, Headline]]:
    lines_of: dict[str, int] = {}
    for number, line in lines:
        try:
            row = parse_object(line)
            cluster = _text(row, "cluster_id", "event") or f"line-{number}"
            earlier = lines_of.setdefault(cluster, number)
            if earlier != number:
                raise FileProblem(
                    f"The cluster {quoted(cluster)} is also on line {earlier}.", "Put it on one line."
                )
            listed = row.get("headlines", row.get("articles"))
            if listed == [] and empty is not None:
                empty.append(number)
                continue
            if not isinstance(listed, list) or not listed:
                raise FileProblem("There are no headlines.", 'Give "headlines": [{"title": ...}, ...].')
            found = []
            for index, entry in enumerate(listed):
                if not isinstance(entry, dict):
                    raise FileProblem(f"Headline {index} is not an object.", 'Write {"title": ...}.')
                if entry.get("title") is None:
                    raise FileProblem(
                        f"Headline {index} has no title.", "Give one, or leave the headline out."
                    )
                told = {name: _text(entry, name) for name in ("title", "source", "url", "published")}
                key, snippet = _text(entry, "id") or str(index), _text(entry, "snippet", "lead")
                found.append(Headline(line=number, key=key, snippet=snippet, **told))
        except FileProblem as refusal:
            problems.append(refusal.at(number))
        else:
            for headline in found:
                yield cluster, headline


def _text(row: dict[str, Any], *names: str) -> str:
    for name in names:
        value = row.get(name)
        if value is None:
            continue
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            raise FileProblem(f'"{name}" is not a string.', "Put it in double quotes.")
        if value.strip():
            return value.strip()
    return ""


def _time(stamp: str) -> str:
    """Milliseconds since 1970 as ISO 8601, in whole seconds. Raises FileProblem for another text."""
    if not stamp:
        return ""
    try:
        return (_EPOCH + timedelta(seconds=int(stamp) // 1000)).isoformat()
    except (ValueError, OverflowError):
        raise FileProblem(
            f"TIMESTAMP is {quoted(stamp)}.", "Give whole milliseconds since 1970, or leave it empty."
        ) from None
