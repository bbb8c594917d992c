"""The candidate pairs of a chunk on their way into the database, some 60 bytes each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragold.extraction.records import KEY_BYTES, PAIRS, ClusterSentences

# The columns of corpus_candidatepair after id and project_id, in the order in which they are written.
ROW = np.dtype(
    [
        ("cluster_id", "i8"),
        ("sentence_a_id", "i8"),
        ("sentence_b_id", "i8"),
        ("content_key", f"V{KEY_BYTES}"),
        ("edit_distance", "i4"),
        ("length_a", "i4"),
        ("length_b", "i4"),
        ("shared_words", "i4"),
        ("position_a", "i4"),
        ("position_b", "i4"),
    ]
)
# What a row takes over from a pair as it is.
KEPT = tuple(name for name in ROW.names or () if name in (PAIRS.names or ()))
COLUMNS: tuple[str, ...] = ("project_id", *(ROW.names or ()))
# So many rows at once become Python objects or bytes for the database.
ROWS_AT_ONCE = 20_000


def rows_of(cluster_id: int, sentences: ClusterSentences, pairs: NDArray[np.void]) -> NDArray[np.void]:
    """The rows of pairs (`PAIRS`) of a cluster, shape (len(pairs),)."""
    ids = np.array(sentences.ids, dtype=np.int64)
    rows = np.empty(len(pairs), dtype=ROW)
    rows["cluster_id"] = cluster_id
    rows["sentence_a_id"], rows["sentence_b_id"] = ids[pairs["first"]], ids[pairs["second"]]
    for name in KEPT:
        rows[name] = pairs[name]
    return rows


def in_order(blocks: Iterable[NDArray[np.void]]) -> NDArray[np.void]:
    """All blocks as one, by sentences: who writes the same pairs at the same time does so in one order."""
    rows = np.concatenate([np.empty(0, dtype=ROW), *blocks])
    return rows[np.lexsort((rows["sentence_b_id"], rows["sentence_a_id"]))]


def slices(rows: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The rows in their order, at most `ROWS_AT_ONCE` at a time."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[start : start + ROWS_AT_ONCE]


def as_tuples(rows: NDArray[np.void], project_id: int) -> list[tuple[Any, ...]]:
    """The rows as SQLite takes them, in the order of `COLUMNS`; the key as 32 hexadecimal digits."""
    return [
        (project_id, cluster, a, b, key.hex(), *numbers) for cluster, a, b, key, *numbers in rows.tolist()
    ]


def as_copy(columns: dict[str, NDArray[Any]]) -> bytes:
    """Columns of one length, by name, as records of PostgreSQL's binary COPY; numbers or 16-byte keys.

    https://www.postgresql.org/docs/current/sql-copy.html, "Binary Format": the number of fields, then each
    field's length and bytes, the highest first.
    """
    layout: list[tuple[str, Any]] = [("fields", ">i2")]
    for name, values in columns.items():
        kind = values.dtype
        layout += [(f"{name} length", ">i4"), (name, kind.newbyteorder(">") if kind.kind in "if" else kind)]
    records = np.empty(len(next(iter(columns.values()))), dtype=layout)
    records["fields"] = len(columns)
    for name, values in columns.items():
        records[f"{name} length"] = values.dtype.itemsize
        records[name] = values
    return records.tobytes()
