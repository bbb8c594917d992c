"""Long lists of numbers (the entry of every cell of a corpus) in memory or, where very long, in a file."""

from __future__ import annotations

import tempfile
import weakref

import numpy as np
from numpy.typing import NDArray

IN_MEMORY = 1 << 24
"""So many numbers are kept in memory (4 bytes each); more go to a temporary file."""
_BYTES = 4


class Cells:
    """Numbers of 32 bits, written once in order and read a stretch at a time."""

    def __init__(self, size: int) -> None:
        """Room for so many numbers; nothing else sees the file, which is gone when this is let go of."""
        self._size = size
        self._written = 0
        self._file = tempfile.TemporaryFile(prefix="paragold-") if size > IN_MEMORY else None  # noqa: SIM115 - open as long as this lives
        if self._file is not None:
            weakref.finalize(self, self._file.close)
        self._numbers = np.empty(size if self._file is None else 0, dtype=np.int32)

    def __len__(self) -> int:
        return self._size

    def append(self, numbers: NDArray[np.int32]) -> None:
        """Write the next numbers. Raises OSError when the disk is full."""
        if self._file is None:
            self._numbers[self._written : self._written + len(numbers)] = numbers
        else:
            self._file.write(numbers.data)
        self._written += len(numbers)

    def read(self, start: int, stop: int) -> NDArray[np.int32]:
        """The numbers start:stop; not from several threads at once."""
        if self._file is None:
            return self._numbers[start:stop]
        self._file.seek(start * _BYTES)
        return np.frombuffer(self._file.read((stop - start) * _BYTES), dtype=np.int32)
