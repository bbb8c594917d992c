"""A child's log: written by the child itself, followed and rotated by the launcher."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

# Of Django, gunicorn and Celery alike: nothing but the time and brackets stands before the level.
ERROR = re.compile(r"^[^A-Za-z]{0,60}(?:ERROR|CRITICAL)\b")


class LogFile:
    """Up to `limit` bytes, and `keep` older files beside it (`web.log.1` is the youngest).

    The child holds the file open in append mode, so rotation copies and truncates: a line written in the
    moment between is lost, and in return the child needs no launcher to go on writing.
    """

    def __init__(self, path: Path, *, limit: int = 5 << 20, keep: int = 3) -> None:
        self.path = path
        self._limit = limit
        self._keep = keep
        self._seen = path.stat().st_size if path.exists() else 0

    def open(self) -> int:
        """A descriptor for the child; the caller closes it."""
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def new_errors(self) -> list[str]:
        """The lines of level ERROR and CRITICAL written in full since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(self._seen if self._seen <= size else 0)
            text = stream.read()
        end = text.rfind(b"\n") + 1
        self._seen = min(self._seen, size) + end if self._seen <= size else end
        return [line for line in text[:end].decode(errors="replace").split("\n") if ERROR.match(line)]

    def tail(self, lines: int = 15) -> str:
        if not self.path.exists():
            return ""
        with self.path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - 16_384))
            return "\n".join(stream.read().decode(errors="replace").rstrip().split("\n")[-lines:])

    def rotate(self) -> None:
        """Begin the file anew once it has reached its limit."""
        if not self.path.exists() or self.path.stat().st_size < self._limit:
            return
        for number in range(self._keep - 1, 0, -1):
            older = self._numbered(number)
            if older.exists():
                older.replace(self._numbered(number + 1))
        shutil.copy2(self.path, self._numbered(1))
        os.truncate(self.path, 0)
        self._seen = 0

    def _numbered(self, number: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{number}")
