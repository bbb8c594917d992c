"""Pairs as parts of files of several formats, written as they come: memory does not grow with their number.

The same pairs in the same order give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from paragold.formats.tables import CsvTable, parquet_schema
from paragold.registry import Registry, check_endings
from paragold.text.placeholders import placeholder_text


class PairRow(NamedTuple):
    """One pair. Sentence numbers count from 0 in their article; lengths are in tokens, the distance in words.

    `tokens_a` and `tokens_b` are the sentences' tokens, in the case they came in, separated by single spaces.
    """

    id: str
    cluster: str
    article_a: str
    sentence_a: int
    article_b: str
    sentence_b: int
    edit_distance: int
    length_a: int
    length_b: int
    shared_words: int
    text_a: str
    text_b: str
    tokens_a: str
    tokens_b: str


COLUMNS = PairRow._fields
NUMBERS = ("sentence_a", "sentence_b", "edit_distance", "length_a", "length_b", "shared_words")
TSV_COLUMNS = (
    *("cluster_id", "article_a", "sentence_a", "article_b", "sentence_b"),
    *("edit_distance", "text_a", "text_b"),
)
PLACEHOLDER_COLUMNS = (*TSV_COLUMNS, "placeholders_a", "placeholders_b")
"""The same with both texts as they are compared with placeholders beside the texts as printed."""

# A line of JSON, as json.dumps(..., ensure_ascii=False) has it, in a third of the time.
_JSON = "{" + ", ".join(f'"{name}": %{"d" if name in NUMBERS else "s"}' for name in COLUMNS) + "}\n"

# Characters that some reader takes for the end of a column or line.
_WHITE = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class PairWriter(Protocol):
    """Writes batches of rows; `close` ends its files."""

    def add(self, rows: Sequence[PairRow]) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class PairFormat:
    """A format in which candidate pairs are written.

    writer: given a folder, the stem of the file's name and whether it is the first part of the file.
    endings: those of the files that it makes, without the dot.
    """

    id: str
    label: str
    writer: Callable[[Path, str, bool], PairWriter]
    endings: tuple[str, ...]


class PairFiles:
    """A context in which rows are added to parts of files `<stem>.<format>` in a folder; see `archives`.

    Those that go on where others end (`first` false) have no header; that of Parquet is `<stem>.arrow`.
    """

    def __init__(self, folder: Path, stem: str, formats: Iterable[str], *, first: bool = True) -> None:
        self._writers = [PAIR_FORMATS.get(name).writer(folder, stem, first) for name in formats]
        self.rows = 0

    def add(self, rows: Sequence[PairRow]) -> None:
        for writer in self._writers:
            writer.add(rows)
        self.rows += len(rows)

    def __enter__(self) -> PairFiles:
        return self

    def __exit__(self, *error: object) -> None:
        for writer in self._writers:
            writer.close()


def one_line(text: str) -> str:
    """The text without anything that ends a column or line: each run of it is one space."""
    return _WHITE.sub(" ", text)


class _Lines:
    """A text file with a line for each row, below the header, if there is one."""

    def __init__(self, path: Path, line: Callable[[PairRow], str], header: Sequence[str] = ()) -> None:
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="")
        self._line = line
        if header:
            self._file.write("\t".join(header) + "\n")

    def add(self, rows: Sequence[PairRow]) -> None:
        self._file.writelines(map(self._line, rows))

    def close(self) -> None:
        self._file.close()


def _tsv_line(row: PairRow) -> str:
    keys = (row.cluster, row.article_a, str(row.sentence_a), row.article_b, str(row.sentence_b))
    texts = (str(row.edit_distance), one_line(row.tokens_a), one_line(row.tokens_b))
    return "\t".join((*keys, *texts)) + "\n"


def _placeholder_line(row: PairRow) -> str:
    replaced = (placeholder_text(text.split(" ")) for text in (row.tokens_a, row.tokens_b))
    return "\t".join((_tsv_line(row)[:-1], *map(one_line, replaced))) + "\n"


def _json_line(row: PairRow) -> str:
    return _JSON % tuple([_quoted(cell) if cell.__class__ is str else cell for cell in row])


class _Parallel:
    def __init__(self, folder: Path, stem: str, first: bool) -> None:
        self._sides = (
            _Lines(folder / f"{stem}.src", lambda row: f"{one_line(row.tokens_a)}\n"),
            _Lines(folder / f"{stem}.tgt", lambda row: f"{one_line(row.tokens_b)}\n"),
        )

    def add(self, rows: Sequence[PairRow]) -> None:
        for side in self._sides:
            side.add(rows)

    def close(self) -> None:
        for side in self._sides:
            side.close()


class _Columns:
    """An Arrow stream, for `archives.join_parquet`: whole numbers as int32, everything else as strings."""

    def __init__(self, folder: Path, stem: str, first: bool) -> None:
        import pyarrow as pa

        schema = parquet_schema({name: int if name in NUMBERS else str for name in COLUMNS})
        self._file = pa.OSFile(str(folder / f"{stem}.arrow"), "wb")
        self._stream = pa.ipc.new_stream(self._file, schema)
        self._batch: Any = lambda columns: pa.RecordBatch.from_arrays(columns, schema=schema)

    def add(self, rows: Sequence[PairRow]) -> None:
        if rows:
            columns = [list(cells) for cells in zip(*rows, strict=True)]
            self._stream.write_batch(self._batch(columns))

    def close(self) -> None:
        self._stream.close()
        self._file.close()


def _check_plugin(one: PairFormat) -> None:
    """Raises UnusableError for a format whose files of an export would have the names of others."""
    check_endings(one.endings, {ending for other in PAIR_FORMATS for ending in other.endings})


PAIR_FORMATS = Registry(
    "pair format",
    PairFormat,
    [
        PairFormat(
            "tsv",
            "TSV, as extract_pairs writes it",
            lambda folder, stem, first: _Lines(
                folder / f"{stem}.tsv", _tsv_line, TSV_COLUMNS if first else ()
            ),
            ("tsv",),
        ),
        PairFormat(
            "jsonl",
            "JSON Lines, with tokens",
            lambda folder, stem, first: _Lines(folder / f"{stem}.jsonl", _json_line),
            ("jsonl",),
        ),
        PairFormat("parquet", "Parquet, for datasets and pandas", _Columns, ("parquet",)),
        PairFormat(
            "csv",
            "CSV, safe to open in a spreadsheet",
            lambda folder, stem, first: CsvTable(folder / f"{stem}.csv", COLUMNS, header=first),
            ("csv",),
        ),
        PairFormat("parallel", "Parallel text, for word aligners", _Parallel, ("src", "tgt")),
        PairFormat(
            "placeholders",
            "TSV with numbers, days and money replaced, beside the words as printed",
            lambda folder, stem, first: _Lines(
                folder / f"{stem}.placeholders.tsv", _placeholder_line, PLACEHOLDER_COLUMNS if first else ()
            ),
            ("placeholders.tsv",),
        ),
    ],
    entry_points="paragold.pair_formats",
    check=_check_plugin,
)
