"""Pairs as parts of files of several formats, written as they come: memory does not grow with their number.

The same pairs in the same order give the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring as _quoted
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from paragold.formats.tables import CSV_START, csv_lines, parquet_schema

from .rows import COLUMNS, NUMBERS, PairRow

FORMATS = {
    "tsv": "TSV, as extract_pairs writes it",
    "jsonl": "JSON Lines, with tokens",
    "parquet": "Parquet, for datasets and pandas",
    "csv": "CSV, safe to open in a spreadsheet",
    "parallel": "Parallel text, for word aligners",
}
TSV_COLUMNS = (
    *("cluster_id", "article_a", "sentence_a", "article_b", "sentence_b"),
    *("edit_distance", "text_a", "text_b"),
)

# A line of JSON, as json.dumps(..., ensure_ascii=False) has it, in a third of the time.
_JSON = "{" + ", ".join(f'"{name}": %{"d" if name in NUMBERS else "s"}' for name in COLUMNS) + "}\n"

# What some reader takes for the end of a column or line.
_WHITE = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")


class PairWriter(Protocol):
    """Writes batches of rows; `close` ends its files."""

    def add(self, rows: Sequence[PairRow]) -> None: ...
    def close(self) -> None: ...


class PairFiles:
    """A context in which rows are added to parts of files `<stem>.<format>` in a folder; see `joining`.

    Those that go on where others end (`first` false) have no header; that of Parquet is `<stem>.arrow`.
    """

    def __init__(self, folder: Path, stem: str, formats: Iterable[str], *, first: bool = True) -> None:
        self._writers: list[PairWriter] = [_WRITERS[name](folder, stem, first) for name in formats]
        self.rows = 0

    def add(self, rows: Sequence[PairRow]) -> None:
        for writer in self._writers:
            writer.add(rows)
        self.rows += len(rows)

    def __enter__(self) -> PairFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for writer in self._writers:
            writer.close()


def one_line(text: str) -> str:
    """The text without anything that ends a column or line: each run of it is one space."""
    return _WHITE.sub(" ", text)


class _TextWriter:
    ending = ""

    def __init__(self, folder: Path, stem: str, first: bool) -> None:
        self._file: IO[str] = (folder / f"{stem}.{self.ending}").open("w", encoding="utf-8", newline="")
        if first:
            self._file.write(self.header())

    def header(self) -> str:
        return ""

    def add(self, rows: Sequence[PairRow]) -> None:
        self._file.writelines(self.line(row) for row in rows)

    def line(self, row: PairRow) -> str:
        raise NotImplementedError

    def close(self) -> None:
        self._file.close()


class _Tsv(_TextWriter):
    ending = "tsv"

    def header(self) -> str:
        return "\t".join(TSV_COLUMNS) + "\n"

    def line(self, row: PairRow) -> str:
        keys = (row.cluster, row.article_a, str(row.sentence_a), row.article_b, str(row.sentence_b))
        texts = (str(row.edit_distance), one_line(row.tokens_a), one_line(row.tokens_b))
        return "\t".join((*keys, *texts)) + "\n"


class _Jsonl(_TextWriter):
    ending = "jsonl"

    def line(self, row: PairRow) -> str:
        return _JSON % tuple([_quoted(cell) if cell.__class__ is str else cell for cell in row])


class _Csv(_TextWriter):
    ending = "csv"

    def header(self) -> str:
        return CSV_START + csv_lines([COLUMNS])

    def add(self, rows: Sequence[PairRow]) -> None:
        self._file.write(csv_lines(rows))


class _Parallel:
    def __init__(self, folder: Path, stem: str, first: bool) -> None:
        self._sides = [
            (folder / f"{stem}.{side}").open("w", encoding="utf-8", newline="") for side in ("src", "tgt")
        ]

    def add(self, rows: Sequence[PairRow]) -> None:
        self._sides[0].writelines(f"{one_line(row.tokens_a)}\n" for row in rows)
        self._sides[1].writelines(f"{one_line(row.tokens_b)}\n" for row in rows)

    def close(self) -> None:
        for side in self._sides:
            side.close()


class _Columns:
    """An Arrow stream, for `joining.join_parquet`: whole numbers as int32, everything else as strings."""

    def __init__(self, folder: Path, stem: str, first: bool) -> None:
        import pyarrow as pa

        schema = parquet_schema({name: int if name in NUMBERS else str for name in COLUMNS})
        self._file = pa.OSFile(str(folder / f"{stem}.arrow"), "wb")
        self._stream = pa.ipc.new_stream(self._file, schema)
        self._batch = lambda columns: pa.RecordBatch.from_arrays(columns, schema=schema)

    def add(self, rows: Sequence[PairRow]) -> None:
        if rows:
            columns = [list(cells) for cells in zip(*rows, strict=True)]
            self._stream.write_batch(self._batch(columns))

    def close(self) -> None:
        self._stream.close()
        self._file.close()


_WRITERS: dict[str, type[Any]] = {
    "tsv": _Tsv, "jsonl": _Jsonl, "parquet": _Columns, "csv": _Csv, "parallel": _Parallel,
}  # fmt: skip
