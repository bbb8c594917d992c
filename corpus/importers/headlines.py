"""Headlines in clusters, each cluster the headlines of one event.

Two layouts, told apart by the first line: CSV as the UCI News Aggregator has it (a header with
ID, TITLE, STORY and perhaps PUBLISHER; no snippets), and JSON Lines with a cluster a line: an object with
`cluster_id` or `event` and the list `headlines` or `articles` of objects with `title` and, if wanted, `id`,
`snippet` or `lead`, and `source`.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.importers.json_lines import parse_object
from corpus.importers.records import Problem, Refusal
from corpus.importers.text_file import TextFileError, decoded_lines

_NEEDED = ("ID", "TITLE", "STORY")


@dataclass(frozen=True, slots=True)
class Headline:
    """A title with the beginning of its article (or ""); `key` occurs once in its cluster; `line` from 1."""

    key: str
    title: str
    snippet: str
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class HeadlineCluster:
    """The headlines of one event, in the file's order."""

    key: str
    headlines: tuple[Headline, ...]


def read_headlines(path: Path, *, encoding: str = "utf-8") -> list[HeadlineCluster]:
    """The clusters of a file, in the order of their first lines.

    Raises TextFileError with every faulty line, and for a file that cannot be read or has no headlines.
    """
    problems: list[Problem] = []
    clusters: dict[str, dict[str, Headline]] = {}
    lines = decoded_lines(path, encoding, problems)
    start = next(lines, None)
    if start is not None:
        rows = (_from_json if start[1].lstrip().startswith("{") else _from_csv)(
            _after(start, lines), problems
        )
        for cluster, headline in rows:
            others = clusters.setdefault(cluster, {})
            earlier = others.setdefault(headline.key, headline)
            if earlier is not headline:
                message = f"The id {headline.key!r} stands on line {earlier.line} too, in the same cluster."
                problems.append(Problem(headline.line, None, message, "Give each headline its own."))
    if not clusters and not problems:
        problems.append(Problem(0, None, "There is no headline in it.", "Give at least one cluster."))
    if problems:
        raise TextFileError(path, sorted(problems, key=lambda problem: problem.line))
    return [HeadlineCluster(key, tuple(headlines.values())) for key, headlines in clusters.items()]


def _after(start: tuple[int, str], lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    yield start
    yield from lines


def _from_csv(lines: Iterator[tuple[int, str]], problems: list[Problem]) -> Iterator[tuple[str, Headline]]:
    columns: dict[str, int] | None = None
    for number, line in lines:
        try:
            fields = next(csv.reader([line], strict=True))
            if columns is None:
                columns = {name.strip().upper(): index for index, name in enumerate(fields)}
                missing = [name for name in _NEEDED if name not in columns]
                if missing:
                    problems.append(
                        Problem(
                            number,
                            None,
                            f"The first line is no header: there is no column {', '.join(missing)}.",
                            "Give a header with ID, TITLE and STORY, or JSON Lines.",
                        )
                    )
                    return
                continue
            if len(fields) != len(columns):
                raise Refusal(
                    f"{len(fields)} columns instead of {len(columns)}.", "Put fields with a comma in quotes."
                )
            key, title, story = (fields[columns[name]].strip() for name in _NEEDED)
            source = fields[columns["PUBLISHER"]].strip() if "PUBLISHER" in columns else ""
            if not key or not story:
                raise Refusal("ID or STORY is empty.", "Give both, or leave the line out.")
            yield story, _headline(key, title, "", source, number)
        except csv.Error as error:
            problems.append(
                Problem(number, None, f"The line is not valid CSV ({error}).", "Close and double the quotes.")
            )
        except Refusal as refusal:
            problems.append(refusal.on_line(number))


def _from_json(lines: Iterator[tuple[int, str]], problems: list[Problem]) -> Iterator[tuple[str, Headline]]:
    lines_of: dict[str, int] = {}
    for number, line in lines:
        try:
            row = parse_object(line)
            cluster = _text(row, "cluster_id", "event") or f"line-{number}"
            earlier = lines_of.setdefault(cluster, number)
            if earlier != number:
                raise Refusal(f"The cluster {cluster!r} stands on line {earlier} too.", "Put it on one line.")
            listed = row.get("headlines", row.get("articles"))
            if not isinstance(listed, list) or not listed:
                raise Refusal("There are no headlines.", 'Give "headlines": [{"title": ...}, ...].')
            found = []
            for index, entry in enumerate(listed):
                if not isinstance(entry, dict):
                    raise Refusal(f"Headline {index} is not an object.", 'Write {"title": ...}.')
                key = _text(entry, "id") or str(index)
                snippet = _text(entry, "snippet", "lead")
                found.append(_headline(key, _text(entry, "title"), snippet, _text(entry, "source"), number))
        except Refusal as refusal:
            problems.append(refusal.on_line(number))
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
            raise Refusal(f'"{name}" is not a string.', "Put it in double quotes.")
        if value.strip():
            return value.strip()
    return ""


def _headline(key: str, title: str, snippet: str, source: str, line: int) -> Headline:
    if not title:
        raise Refusal(f"The headline {key!r} has no title.", "Give one, or leave the headline out.")
    return Headline(key, title, snippet, source, line)
