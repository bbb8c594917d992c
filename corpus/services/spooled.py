"""Rows of an upload that do not fit into memory together: kept in a file without a name, read a thousand at
a time as often as needed. The system removes the file with the process, however that ends.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Generic, Self, TypeVar

from django.conf import settings

T = TypeVar("T")


class Spooled(Generic[T]):
    """Rows in blocks, each as it was added, until the block of `with` ends; they are checked before."""

    def __init__(self) -> None:
        folder = Path(settings.UPLOADS_DIR)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __exit__
        self._ends: list[int] = []
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, rows: Sequence[T]) -> None:
        self._file.seek(0, 2)
        pickle.dump(list(rows), self._file)
        self._ends.append(self._file.tell())
        self._count += len(rows)

    def __len__(self) -> int:
        return self._count

    def blocks(self) -> Iterator[list[T]]:
        for start, _ in zip([0, *self._ends], self._ends, strict=False):
            self._file.seek(start)
            rows: list[T] = pickle.load(self._file)  # noqa: S301 - what `add` wrote, which nobody else can open
            yield rows

    def __iter__(self) -> Iterator[T]:
        for block in self.blocks():
            yield from block
