"""A folder as a zip archive with equal bytes for equal files, written file by file."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

# Zip archives carry times; a fixed one keeps the bytes equal.
LONG_AGO = (1980, 1, 1, 0, 0, 0)
# Packed already.
_STORED = (".parquet",)


def write_archive(folder: Path, path: Path) -> None:
    """Pack the files of a folder, by name, into a new archive at `path`."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for source in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(source.name, LONG_AGO)
            entry.compress_type = zipfile.ZIP_STORED if source.suffix in _STORED else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.file_size = source.stat().st_size
            with source.open("rb") as data, archive.open(entry, "w") as packed:
                shutil.copyfileobj(data, packed, 1 << 20)
