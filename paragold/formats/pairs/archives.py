"""Zip archives of exports: equal files give equal bytes, however their rows were divided into parts."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from paragold.formats.manifest import described_content
from paragold.formats.tables import ROWS_A_GROUP

BIT = 1 << 20
# Zip archives carry times; a fixed one keeps the bytes equal.
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def write_archive(folder: Path, path: Path) -> None:
    """Pack the files of a folder, by name, into a new archive at `path`."""
    with JoinedArchive(path) as archive:
        for source in sorted(folder.iterdir()):
            archive.add(source.name, [source])


class JoinedArchive:
    """A context that packs files into a new archive at `path`, in the order in which they are added.

    `files` has bytes and SHA-256 of each, as manifests have them. `report_progress` is called for every
    megabyte and may raise to stop.
    """

    def __init__(self, path: Path, report_progress: Callable[[], None] = lambda: None) -> None:
        self.files: dict[str, dict[str, Any]] = {}
        self._archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
        self._path = path
        self._report_progress = report_progress

    def add(self, name: str, parts: Sequence[Path]) -> None:
        """A file whose parts follow each other; of a Parquet file there may be Arrow streams instead."""
        if not name.endswith(".parquet"):
            self._add(name, parts, zipfile.ZIP_DEFLATED)
        elif parts[0].suffix != ".arrow":
            self._add(name, parts, zipfile.ZIP_STORED)
        else:
            whole = self._path.with_suffix(".parquet")
            try:
                join_parquet(parts, whole, self._report_progress)
                self._add(name, [whole], zipfile.ZIP_STORED)
            finally:
                whole.unlink(missing_ok=True)

    def _add(self, name: str, parts: Sequence[Path], compression: int) -> None:
        size = sum(part.stat().st_size for part in parts)
        digest = hashlib.sha256()
        with self._archive.open(_entry(name, size, compression), "w") as packed:
            for part in parts:
                with part.open("rb") as data:
                    while bit := data.read(BIT):
                        digest.update(bit)
                        packed.write(bit)
                        self._report_progress()
        self.files[name] = {"bytes": size, "sha256": digest.hexdigest()}

    def add_text(self, name: str, text: str) -> None:
        """A short file; what is in it may depend on `files`."""
        data = text.encode()
        add_entry(self._archive, name, data)
        self.files[name] = described_content(data)

    def __enter__(self) -> JoinedArchive:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        self._archive.close()
        if kind is not None:
            self._path.unlink(missing_ok=True)


def add_entry(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """Add a short file to an archive."""
    archive.writestr(_entry(name, len(data), zipfile.ZIP_DEFLATED), data)


def _entry(name: str, size: int, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, LONG_AGO)
    entry.compress_type = compression
    entry.external_attr = 0o644 << 16
    entry.file_size = size
    return entry


def join_parquet(
    streams: Sequence[Path], path: Path, report_progress: Callable[[], None] = lambda: None
) -> None:
    """The rows of Arrow streams as one Parquet file, in groups that do not depend on where those ended."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pa.OSFile(str(streams[0])) as file, pa.ipc.open_stream(file) as first:
        schema = first.schema
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        waiting = schema.empty_table()
        for stream in streams:
            with pa.OSFile(str(stream)) as file, pa.ipc.open_stream(file) as batches:
                for batch in batches:
                    waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch], schema)])
                    while waiting.num_rows >= ROWS_A_GROUP:
                        writer.write_table(waiting.slice(0, ROWS_A_GROUP).combine_chunks())
                        waiting = waiting.slice(ROWS_A_GROUP)
                    report_progress()
        if waiting.num_rows:
            writer.write_table(waiting.combine_chunks())
    pa.default_memory_pool().release_unused()
