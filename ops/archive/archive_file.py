"""An archive's file, read by member: no name in it becomes a path."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from projects.errors import PublicError

DESCRIPTION = "archive.json"
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading a damaged zip file raises."""


class ArchiveFile:
    """An archive that is open; `name` is what errors call it.

    Making one raises PublicError for a file that is no archive of a project.
    """

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        try:
            self._zip = zipfile.ZipFile(path)
        except (*BROKEN, ValueError) as error:
            raise PublicError(f"{self.name} cannot be read as a project archive: {error}.") from error
        self.names = set(self._zip.namelist())
        if DESCRIPTION not in self.names:
            self.close()
            raise PublicError(f"{self.name} is not a project archive: it has no {DESCRIPTION}.")

    def __enter__(self) -> ArchiveFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._zip.close()

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """One of its files; raises PublicError when it turns out to be damaged while it is read."""
        try:
            with self._zip.open(name) as file:
                yield file
        except BROKEN as error:
            raise PublicError(f"{self.name} is damaged: {name} cannot be read ({error}).") from error

    def check_sha256(self, name: str, sha256: str) -> None:
        """Raise PublicError for a file that is missing or has another hash."""
        if name not in self.names:
            raise PublicError(f"{self.name} is damaged: {name} is missing.")
        with self.opened(name) as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # a ZipExtFile
        if found != sha256:
            raise PublicError(f"{self.name} is damaged: {name} has another sha256 than archive.json says.")

    def description(self) -> Any:
        """`archive.json`, parsed. Raises ValueError when it is no JSON."""
        with self.opened(DESCRIPTION) as file:
            return parsed(file.read())

    def lines(self, name: str) -> Generator[tuple[int, bytes], None, None]:
        """(number from 1, line) of a file of lines."""
        with self.opened(name) as file:
            yield from enumerate(file, start=1)


def parsed(line: bytes) -> Any:
    """A line of JSON. Raises ValueError."""
    try:
        return json.loads(line)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
