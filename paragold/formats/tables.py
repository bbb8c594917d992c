"""Rows as Parquet with typed columns, and as CSV: the only place that writes CSV.

The same rows give the same bytes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

# A spreadsheet takes UTF-8 for what it is when the file begins with a byte order mark.
CSV_START = "\ufeff"
ROWS_A_GROUP = 20_000
# What makes a spreadsheet take a cell for a formula (OWASP, "CSV injection").
_SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_CONTROLS = ("\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?", re.ASCII)


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def latex_text(text: str) -> str:
    """The text with what TeX reads as a command in plain text escaped."""
    return re.sub(r"[\\~^&%$#_{}]", lambda found: _TEX.get(found[0], f"\\{found[0]}"), text)


def csv_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A whole CSV file for spreadsheets; see `csv_lines`."""
    return CSV_START + csv_lines([head, *rows])


def exact_lines(rows: Iterable[Sequence[Any]], *, separator: str = ",") -> str:
    """Lines of CSV, or TSV, for programs that read them back: every text as it is. Not for spreadsheets."""
    lines = io.StringIO(newline="")
    plain = csv.writer(lines, delimiter=separator, lineterminator="\n")
    # A carriage return within a text would end the line for whoever reads it; `csv` does not quote it here.
    quoting = csv.writer(lines, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        returns = any("\r" in cell for cell in row if isinstance(cell, str))
        (quoting if returns else plain).writerow(row)
    return lines.getvalue()


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Lines of CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it.

    Numbers stay numbers, negative ones too; None is an empty cell.
    """
    lines = io.StringIO(newline="")
    csv.writer(lines, lineterminator="\r\n").writerows(
        [harmless(value) if isinstance(value, str) else value for value in row] for row in rows
    )
    return lines.getvalue()


def harmless(text: str) -> str:
    """The text, or with an apostrophe before it where a spreadsheet would take it for a formula.

    Spreadsheets pass white space over, and take a number with a sign for the number that it is.
    """
    if not text.lstrip().startswith(_SIGNS) and not text.startswith(_CONTROLS):
        return text
    return text if _NUMBER.fullmatch(text) else f"'{text}"


def parquet_schema(columns: Mapping[str, type]) -> Any:
    """The schema of columns of `str`, `int` (32 bits) and `bool`, none of which may be empty."""
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int32(), bool: pa.bool_()}
    return pa.schema([pa.field(name, kinds[kind], nullable=False) for name, kind in columns.items()])


class ParquetTable:
    """A Parquet file to which rows are added, written in groups; `columns` as for `parquet_schema`."""

    def __init__(self, path: Path, columns: Mapping[str, type]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self._schema = parquet_schema(columns)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[Sequence[Any]] = []
        self._table = pa.Table

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        self._waiting.extend(rows)
        while len(self._waiting) >= ROWS_A_GROUP:
            self._write(self._waiting[:ROWS_A_GROUP])
            del self._waiting[:ROWS_A_GROUP]

    def close(self) -> None:
        if self._waiting:
            self._write(self._waiting)
        self._writer.close()

    def _write(self, rows: list[Sequence[Any]]) -> None:
        columns = [list(cells) for cells in zip(*rows, strict=True)]
        self._writer.write_table(self._table.from_arrays(columns, schema=self._schema))


class CsvTable:
    """A CSV file that a spreadsheet may open, to which rows are added."""

    def __init__(self, path: Path, columns: Mapping[str, type]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._file.write(CSV_START + csv_lines([tuple(columns)]))

    def add(self, rows: Sequence[Sequence[Any]]) -> None:
        self._file.write(csv_lines(rows))

    def close(self) -> None:
        self._file.close()
