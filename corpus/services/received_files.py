"""Files of a form or request on the disk, for as long as a service reads them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile


@contextmanager
def on_disk(file: UploadedFile) -> Iterator[tuple[Path, str]]:
    """The path of an uploaded file and what it is called; its own name is never used as a path."""
    folder = Path(settings.UPLOADS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".sent") as stored:
        for piece in file.chunks():
            stored.write(piece)
        stored.flush()
        yield Path(stored.name), file.name or "file"


def lines_of(file: UploadedFile) -> int:
    """The lines of an uploaded file, the last one counted whether or not it ends; nothing is parsed."""
    ends, last = 0, b"\n"
    for piece in file.chunks():
        ends += piece.count(b"\n")
        last = piece[-1:] or last
    return ends + (last != b"\n")
