"""Rows as Parquet with typed columns, and as CSV that a spreadsheet may open.

The same rows give the same bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# A spreadsheet takes UTF-8 for what it is when the file begins with a byte order mark.
CSV_START = "\ufeff"
# What makes a spreadsheet take a cell for a formula (OWASP, "CSV injection").
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Lines of CSV; a text that a spreadsheet would take for a formula gets an apostrophe before it."""
    lines = io.StringIO(newline="")
    csv.writer(lines, lineterminator="\r\n").writerows(
        [harmless(value) if isinstance(value, str) else value for value in row] for row in rows
    )
    return lines.getvalue()


def harmless(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def parquet_schema(columns: Mapping[str, type]) -> Any:
    """The schema of columns of `str`, `int` (32 bits) and `bool`, none of which may be empty."""
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int32(), bool: pa.bool_()}
    return pa.schema([pa.field(name, kinds[kind], nullable=False) for name, kind in columns.items()])


def parquet_bytes(columns: Mapping[str, type], rows: Sequence[Sequence[Any]]) -> bytes:
    """A whole Parquet file of rows that fit into memory; `columns` as for `parquet_schema`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = parquet_schema(columns)
    cells = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(cells, schema=schema), sink, compression="zstd")
    return sink.getvalue()
