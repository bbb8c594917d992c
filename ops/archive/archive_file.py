"""An archive's file, read by member: no name in it becomes a path, and what was made to harm is refused."""

from __future__ import annotations

import hashlib
import json
import re
import stat
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from math import isinf
from pathlib import Path
from typing import IO, Any

from projects.errors import PublicError

DESCRIPTION = "archive.json"
DESCRIPTION_BYTES = 4 << 20
# The longest lines hold the model of a classifier, as text, or the blocks of a long page.
LINE_BYTES = 64 << 20
# Each value in a line takes some 50 bytes once it is read, however short it is written.
LINE_VALUES = 2_000_000
TOTAL_BYTES = 64 << 30
# Rows of numbers are packed 10 to 1; what is packed closer than this was made to harm.
RATIO = 200
RATIO_FROM_BYTES = 64 << 20

_ENCRYPTED = 0x1
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_NAME = re.compile(r"archive\.json|\w+\.\w+\.jsonl|(aligner-[0-9a-f]{64}\.npz|export-[0-9a-f]{64}\.zip)")
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading a damaged zip file raises."""


class ArchiveFile:
    """An archive that is open; `name` is what errors call it.

    Making one raises PublicError for a file that is no zip archive, and for one with names, links, packing or
    sizes that no archive of a project has. Nothing of it is unpacked by then.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.name = name or str(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (*BROKEN, ValueError) as error:
            raise PublicError(f"{self.name} cannot be read as a project archive: {error}.") from error
        entries = self._zip.infolist()
        self.sizes = {entry.filename: entry.file_size for entry in entries}
        try:
            self._check(entries, path.stat().st_size)
        except PublicError:
            self.close()
            raise

    def __enter__(self) -> ArchiveFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    def _check(self, entries: list[zipfile.ZipInfo], size: int) -> None:
        if len(self.sizes) != len(entries):
            raise PublicError(f"{self.name} is damaged: it has two files of one name.")
        for entry in entries:
            what = f"{self.name} is not a project archive: {entry.filename[:80]!r}"
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if not _NAME.fullmatch(entry.filename) or kind not in (0, stat.S_IFREG):
                raise PublicError(f"{what} does not belong to one.")
            if entry.flag_bits & _ENCRYPTED or entry.compress_type not in _PACKED:
                raise PublicError(f"{what} is encrypted or has an unknown compression.")
        total = sum(self.sizes.values())
        if total > TOTAL_BYTES or total > max(RATIO_FROM_BYTES, RATIO * size):
            raise PublicError(
                f"{self.name} would unpack to {total:,} bytes, which is more than {TOTAL_BYTES >> 30} GB or "
                f"more than {RATIO} times its size."
            )
        if DESCRIPTION not in self.sizes:
            raise PublicError(f"{self.name} is not a project archive: it has no {DESCRIPTION}.")
        if self.sizes[DESCRIPTION] > DESCRIPTION_BYTES:
            raise PublicError(f"{self.name} is damaged: its {DESCRIPTION} is too long.")

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """One of its files; raises PublicError when it turns out to be damaged while it is read."""
        try:
            with self._zip.open(name) as file:
                yield file
        except BROKEN as error:
            raise PublicError(f"{self.name} is damaged: {name} cannot be read ({error}).") from error

    def sha256(self, name: str) -> str:
        """The hash of a whole file."""
        with self.opened(name) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a ZipExtFile

    def changed(self, name: str) -> PublicError:
        return PublicError(f"{self.name} is damaged: {name} has another sha256 than archive.json says.")

    def description(self) -> Any:
        """`archive.json`, parsed. Raises ValueError when it is no JSON."""
        with self.opened(DESCRIPTION) as file:
            return parsed(file.read(DESCRIPTION_BYTES))

    def lines(self, name: str, start: int = 0) -> Generator[tuple[int, bytes], None, None]:
        """(number from 1, line) of a file of lines, `start` of them passed over."""
        with self.opened(name) as file:
            number = 0
            while line := file.readline(LINE_BYTES + 1):
                number += 1
                if len(line) > LINE_BYTES:
                    raise PublicError(
                        f"{self.name}: {name}, line {number} is longer than {LINE_BYTES >> 20} MB."
                    )
                if number > start:
                    yield number, line


def parsed(line: bytes) -> Any:
    """A line of JSON.

    Raises ValueError for more than LINE_VALUES values, before it is read, and for what no database can store
    as well: NaN, NUL, half characters.
    """
    if len(line) > LINE_VALUES and line.count(b",") + line.count(b"[") + line.count(b"{") > LINE_VALUES:
        raise ValueError(f"it has more than {LINE_VALUES:,} values")
    try:
        value = _decode(line.decode())
        if b"\\u" in line:
            _check_text(value)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return value


def _finite(number: str) -> float:
    value = float(number)
    if isinf(value):
        raise ValueError(f"{number[:40]} is too large a number")
    return value


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


_decode = json.JSONDecoder(parse_constant=_refused, parse_float=_finite).decode


def _check_text(value: Any) -> None:
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError("it has a NUL character")
        value.encode()
    elif isinstance(value, list):
        for item in value:
            _check_text(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            _check_text(name)
            _check_text(item)
