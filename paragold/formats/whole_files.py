"""Files that others see complete or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that gets its name when it is complete and on the disk; never where the block fails.

    Several processes may write the same file at a time. Raises OSError where it cannot be written.
    """
    partial = path.with_name(f".{path.name}.{uuid4().hex}.partial")
    file = partial.open("xb")
    try:
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        partial.replace(path)
    finally:
        # After a failed write, closing tries to write once more.
        with suppress(OSError):
            file.close()
        partial.unlink(missing_ok=True)


def write_whole(path: Path, text: str) -> None:
    """Write the text in UTF-8 as a `whole_file`."""
    with whole_file(path) as file:
        file.write(text.encode())
