"""A list of addresses that somebody sends: on disk for as long as it is read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from corpus.importers.address_lists import AddressList, read_address_list
from corpus.importers.records import Problem

# Five thousand addresses of the greatest length, and air.
LIST_BYTES = 16 << 20


def read_list(pieces: Iterable[bytes], *, filename: str, encoding: str) -> AddressList:
    """What a sent list holds, or its problems."""
    with tempfile.NamedTemporaryFile(dir=settings.UPLOADS_DIR, suffix=".list") as stored:
        for piece in pieces:
            stored.write(piece)
            if stored.tell() > LIST_BYTES:
                told = f"The list is larger than {LIST_BYTES >> 20} MB."
                return AddressList(problems=[Problem(0, None, told, "Fetch it in parts.")])
        stored.flush()
        return read_address_list(Path(stored.name), filename=filename, encoding=encoding)
