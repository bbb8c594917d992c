"""The finished output of a run in shards as one table: checked against its manifest, read by row or column.

The folder may be local or at an address that fsspec knows, such as `s3://bucket/pairs`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from itertools import groupby
from math import inf
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from paragold.problems import FileProblem
from paragold.shards.finished import MANIFEST
from paragold.shards.inputs import open_stored, readable

_MANIFEST_BYTES = 16 << 20
_AGAIN = "Run extract-pairs again with --resume, or attach the folder again as another dataset."


@dataclass(frozen=True, slots=True)
class Part:
    """A Parquet file of the folder: its size in bytes, its pairs, and the number of the first of them."""

    name: str
    size: int
    sha256: str
    pairs: int
    first: int


@dataclass(frozen=True, slots=True)
class PairsFolder:
    """Pairs in parts, numbered from 0 in the order of the manifest. Made by `open_folder`."""

    address: str
    manifest: Mapping[str, Any]
    manifest_sha256: str
    parts: tuple[Part, ...]

    @property
    def pairs(self) -> int:
        return sum(part.pairs for part in self.parts)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(self.manifest["details"]["columns"])

    def checked(self, part: Part) -> None:
        """Raise FileProblem where a part is missing or is not what the manifest says."""
        with readable(part.name), closing(_open(self.address, part.name)) as file:
            digest = file_digest(cast(Any, file), "sha256").hexdigest()
        if digest != part.sha256:
            raise FileProblem("Its sha256 is not that of the manifest.", _AGAIN, file=part.name)
        with self.parquet(part) as table:
            rows, names = table.metadata.num_rows, table.schema_arrow.names
        if rows != part.pairs or not set(self.columns) <= set(names):
            raise FileProblem("Its rows or columns are not those of the manifest.", _AGAIN, file=part.name)

    def changed(self) -> list[str]:
        """The names of the parts that are missing or have another size now."""
        return [part.name for part in self.parts if _size(self.address, part.name) != part.size]

    @contextmanager
    def parquet(self, part: Part) -> Iterator[Any]:
        """A part as a `pyarrow.parquet.ParquetFile`. Raises FileProblem where it is none."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with (
                readable(part.name),
                closing(_open(self.address, part.name)) as file,
                pq.ParquetFile(file) as table,
            ):
                yield table
        except pa.ArrowInvalid as error:
            raise FileProblem(f"It is not a Parquet file: {error}.", _AGAIN, file=part.name) from error

    def take(
        self, numbers: Sequence[int], *, report: Callable[[], object] = lambda: None
    ) -> list[tuple[Part, int, dict[str, Any]]]:
        """The pairs of these numbers, in this order: part, row in it from 0, and values by column.

        Only the row groups that hold them are read. `report` is called after each.
        """
        starts = np.array([part.first for part in self.parts])
        by_part = np.searchsorted(starts, np.array(numbers, dtype=np.int64), side="right") - 1
        places = sorted((int(part), number) for part, number in zip(by_part, numbers, strict=True))
        pairs: dict[int, tuple[Part, int, dict[str, Any]]] = {}
        for at, of_part in groupby(places, key=lambda place: place[0]):
            part = self.parts[at]
            rows = [number - part.first for _, number in of_part]
            with self.parquet(part) as table:
                for group, begin, within in _by_group(table.metadata, rows):
                    # Threads of its own take a small group longer.
                    rows_there = table.read_row_group(group, list(self.columns), use_threads=False)
                    values = rows_there.take(within).to_pylist()
                    for row, value in zip(within, values, strict=True):
                        pairs[part.first + begin + row] = part, begin + row, value
                    report()
        return [pairs[number] for number in numbers]

    def numbers(
        self, name: str, *, low: float = -inf, high: float = inf
    ) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """A column of numbers by row group: the number of its first pair, and the values, NaN for none.

        A group is passed over where its statistics tell that it has no value from `low` to `high`.
        """
        for part in self.parts:
            with self.parquet(part) as table:
                begin = part.first
                for group in range(table.metadata.num_row_groups):
                    rows = table.metadata.row_group(group)
                    if rows.num_rows and _may_hold(rows, name, low, high):
                        values = table.read_row_group(group, columns=[name])[name]
                        yield begin, values.cast("float64").to_numpy()
                    begin += rows.num_rows


def open_folder(address: str) -> PairsFolder:
    """A finished run by its manifest; parts are not read yet.

    Raises FileProblem where there is no manifest, or it is none of pairs, or names files elsewhere.
    """
    address = address.rstrip("/")
    with readable(f"{address}/{MANIFEST}"), closing(_open(address, MANIFEST)) as file:
        content = file.read(_MANIFEST_BYTES + 1)
    parts: list[Part] = []
    try:
        manifest = json.loads(content)
        for name, about in manifest["files"].items():
            if PurePosixPath(name).name != name or "\\" in name:
                raise ValueError(name)
            first = parts[-1].first + parts[-1].pairs if parts else 0
            parts.append(Part(name, int(about["bytes"]), str(about["sha256"]), int(about["pairs"]), first))
        columns = {str(name) for name in manifest["details"]["columns"]}
        if not columns >= {"cluster_id", "article_a", "article_b", "text_a", "text_b"} or not parts:
            raise ValueError(columns)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileProblem(
            "It is not a manifest of pairs in parts.",
            "Name the output folder of extract-pairs in shards.",
            file=f"{address}/{MANIFEST}",
        ) from error
    return PairsFolder(address, manifest, sha256(content).hexdigest(), tuple(parts))


def _open(address: str, name: str) -> BinaryIO:
    """A file of the folder; of a local one no symbolic link that leads out of it."""
    if "://" not in address and Path(address, name).resolve().parent != Path(address).resolve():
        raise FileProblem(
            "It is a link that leads out of its folder.", "Put the file itself there.", file=name
        )
    return open_stored(f"{address}/{name}")


def _size(address: str, name: str) -> int | None:
    try:
        with closing(_open(address, name)) as file:
            return file.seek(0, 2)
    except (OSError, FileProblem):
        return None


def _by_group(metadata: Any, rows: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
    """The row groups that hold these ascending rows: the group, its first row, and which of its rows."""
    ends = np.cumsum([metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)])
    groups = np.searchsorted(ends, rows, side="right")
    for group in np.unique(groups).tolist():
        begin = int(ends[group]) - metadata.row_group(group).num_rows
        yield group, begin, [row - begin for row, of in zip(rows, groups, strict=True) if of == group]


def _may_hold(rows: Any, name: str, low: float, high: float) -> bool:
    columns = (rows.column(number) for number in range(rows.num_columns))
    known = next((column.statistics for column in columns if column.path_in_schema == name), None)
    if known is None or not known.has_min_max or isinstance(known.max, str):
        return True
    return bool(low <= known.max and known.min <= high)
