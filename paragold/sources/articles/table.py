"""Articles as CSV or TSV, a row each, with a header; which column is what is chosen by the user."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from paragold import limits
from paragold.formats.text_files import HEAD_BYTES, prepared, text_head
from paragold.problems import FileProblem
from paragold.text.quoting import quoted, shortened

from .given import GivenArticle, Place

FIELDS = ("cluster_id", "id", "text", "title", "source", "url", "published")
NEEDED = ("cluster_id", "text")
# Of a stream whose clusters are found.
NEEDED_OF_A_STREAM = ("id", "text", "published")
COLUMNS = 500
FIELD_CHARACTERS = limits.CLUSTER_BYTES
ROWS_SHOWN = 5
# The module's own limit (128 KiB) is that of the whole process; nothing else here reads CSV that has one.
csv.field_size_limit(FIELD_CHARACTERS)
_USUAL_NAMES = {
    "cluster_id": ("cluster_id", "cluster", "event_id", "event", "story_id", "story", "topic", "group"),
    "id": ("id", "article_id", "doc_id", "document_id", "key"),
    "text": ("text", "body", "content", "article", "story_text", "fulltext", "full_text"),
    "title": ("title", "headline"),
    "source": ("source", "outlet", "publisher", "newspaper", "site", "feed"),
    "url": ("url", "link", "address"),
    "published": ("published", "date", "published_at", "publish_date", "timestamp", "time"),
}


@dataclass(frozen=True, slots=True)
class TableHead:
    """A table's separator ("," or a tab or ";"), its column names and its first rows."""

    separator: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_head(path: Path, *, encoding: str = "utf-8") -> TableHead:
    """What a mapping is chosen by: a header and the first rows, from a bounded beginning of the file.

    Raises FileProblem when there is no header that can be used.
    """
    text, whole = text_head(path, encoding)
    if not text:
        raise FileProblem("The file is empty.", "Give a header and a row for each article.")
    header = _FIRST_LINE.match(text)
    if not whole:
        # The last line may be cut off.
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
        if not text:
            raise FileProblem(
                f"The first line is longer than {HEAD_BYTES >> 10} KB.",
                "Give a CSV or TSV with a line of column names.",
            )
    separator = _separator(header[0] if header else "")
    rows: list[list[str]] = []
    try:
        for _, row in _rows(io.StringIO(text, newline=""), separator):
            rows.append(row)
            if len(rows) > ROWS_SHOWN:
                break
    except csv.Error as error:
        # A later row is told with its line when the table is read.
        if not rows:
            raise FileProblem(f"The header cannot be read: {error}.", _QUOTES) from error
    if not rows:
        raise FileProblem("The file holds blank lines only.", "Give a header and a row for each article.")
    columns = tuple(rows[0])
    _check_columns(columns)
    return TableHead(separator, columns, tuple(tuple(row) for row in rows[1:]))


def usual_mapping(columns: tuple[str, ...]) -> dict[str, str]:
    """Field -> column, for the fields whose column has one of the usual names."""
    by_name = {column.strip().lower().replace(" ", "_"): column for column in reversed(columns)}
    return {
        field: by_name[name]
        for field, names in _USUAL_NAMES.items()
        for name in [next((name for name in names if name in by_name), None)]
        if name
    }


def read_cells(path: Path, *, encoding: str = "utf-8") -> Iterator[tuple[int, list[str]]]:
    """(the line that a row begins on, its cells) of a table whose header was read, the header left out.

    Raises FileProblem at the first row that has more or fewer cells than the header, or cannot be read.
    """
    head = read_head(path, encoding=encoding)
    with path.open("rb") as opened, prepared(opened, encoding) as (stream, known):
        lines = io.TextIOWrapper(stream, known, newline="")
        try:
            rows = _rows(lines, head.separator)
            next(rows)
            for line, row in rows:
                if len(row) != len(head.columns):
                    ragged = _ragged(line, len(row), len(head.columns))
                    raise FileProblem(f"Line {line}: {ragged.message}", ragged.remedy)
                yield line, row
        except csv.Error as error:
            raise FileProblem(
                f"Line {getattr(error, 'line', 0)}: it cannot be read: {error}.", _QUOTES
            ) from error
        except UnicodeDecodeError as error:
            raise FileProblem(_undecodable(error, known), _DECLARE) from error
        finally:
            lines.detach()


class ArticleTable:
    """The articles of a table by a mapping of FIELDS to columns; those of `needed` must be in it.

    Without `id` an article is called by the number of its row's line. Empty cells are as if not there.
    Raises FileProblem when the mapping names a column that is not there, or lacks what is needed.
    """

    def __init__(
        self,
        path: Path,
        mapping: Mapping[str, str],
        *,
        encoding: str = "utf-8",
        needed: tuple[str, ...] = NEEDED,
    ) -> None:
        self.problems: list[FileProblem] = []
        self.notes: list[str] = []
        self.share = 0.0
        self._path = path
        self._encoding = encoding
        head = read_head(path, encoding=encoding)
        self._separator = head.separator
        self._width = len(head.columns)
        for field, column in mapping.items():
            if field not in FIELDS:
                raise FileProblem(
                    f"{quoted(field)} is no field of an article.", f"Choose from {', '.join(FIELDS)}."
                )
            if column not in head.columns:
                raise FileProblem(
                    f"There is no column {quoted(column)}.", f"The columns are: {_names(head.columns)}."
                )
        if missing := [field for field in needed if field not in mapping]:
            raise FileProblem(f"No column is chosen for {' and '.join(missing)}.", "Choose one.")
        self._fields = {field: head.columns.index(column) for field, column in mapping.items()}
        if unused := [column for column in head.columns if column not in mapping.values()]:
            self.notes.append(f"Columns that are not used: {_names(unused)}.")

    def __iter__(self) -> Iterator[GivenArticle]:
        with self._path.open("rb") as opened, prepared(opened, self._encoding) as (stream, known):
            size = max(1, self._path.stat().st_size)
            lines = io.TextIOWrapper(stream, known, newline="")
            try:
                rows = _rows(lines, self._separator)
                next(rows)
                for line, row in rows:
                    self.share = min(1.0, stream.tell() / size)
                    if len(self.problems) >= limits.PROBLEMS:
                        break
                    if len(row) != self._width:
                        self.problems.append(_ragged(line, len(row), self._width))
                        continue
                    value = {field: row[at] for field, at in self._fields.items() if row[at].strip()}
                    value.setdefault("text", "")
                    value.setdefault("id", f"row {line}")
                    yield GivenArticle(Place("", line), dict(value))
            except csv.Error as error:
                self.problems.append(
                    FileProblem(f"The row cannot be read: {error}.", _QUOTES, line=getattr(error, "line", 0))
                )
            except UnicodeDecodeError as error:
                self.problems.append(FileProblem(_undecodable(error, known), _DECLARE))
            finally:
                lines.detach()


_FIRST_LINE = re.compile(r"[^\r\n]*")
_QUOTES = "Look for a quotation mark that is not closed."
_DECLARE = "Declare the encoding that the file has."


def _rows(lines: TextIO, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(the line that a row begins on, its cells); blank lines are passed over."""
    reader = csv.reader(lines, delimiter=separator, strict=True)
    begins = 1
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            error.line = begins  # type: ignore[attr-defined]  # told with the row's first line
            raise
        if begins == 1 and row:
            row[0] = row[0].removeprefix("\ufeff")
        if row:
            yield begins, row
        begins = reader.line_num + 1


def _separator(header: str) -> str:
    counts = {separator: header.count(separator) for separator in ("\t", ",", ";")}
    best = max(counts, key=counts.__getitem__)
    if not counts[best]:
        raise FileProblem(
            "The first line has no tab, comma or semicolon: it is no header of a table.",
            "Give a CSV or TSV with a line of column names.",
        )
    return best


def _check_columns(columns: tuple[str, ...]) -> None:
    if len(columns) > COLUMNS:
        raise FileProblem(
            f"The table has more than {COLUMNS} columns.", "Take out those that are not needed."
        )
    if "" in (name.strip() for name in columns):
        raise FileProblem("A column has no name.", "Give each column a name in the first line.")
    if len(set(columns)) != len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise FileProblem(f"Two columns are called {quoted(twice)}.", "Give each a name of its own.")


def _names(columns: Iterable[str]) -> str:
    return shortened(", ".join(shortened(column) for column in columns), 1_000)


def _undecodable(error: UnicodeDecodeError, encoding: str) -> str:
    return f"A byte (0x{error.object[error.start]:02x}) is not {encoding}."


def _ragged(line: int, found: int, wanted: int) -> FileProblem:
    return FileProblem(
        f"The row has {found} cells; the header has {wanted}.",
        "Put cells that hold the separator or a line end in quotation marks, or add the missing ones.",
        line=line,
    )
