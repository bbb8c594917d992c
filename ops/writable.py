"""Whether anything can be saved now: room on the disk, the write lock. `/readyz` bounds the wait."""

from __future__ import annotations

import shutil
import tempfile

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection, transaction

from annotation.models import Judgement
from config.overload import FULL, overload_of

FREE_BYTES = 16 << 20
BLOCK = b"\0" * 4096


def problem() -> str:
    """Why nothing can be saved, in a sentence, or "". Writes a block beside the data, and no row."""
    try:
        if shutil.disk_usage(settings.VAR).free < FREE_BYTES:
            return FULL.sentence
        with tempfile.TemporaryFile(dir=settings.VAR, buffering=0) as file:
            file.write(BLOCK)
        _take_write_lock()
    except (DatabaseError, OSError) as error:
        known = overload_of(error)
        return known.sentence if known else "Nothing can be saved; the server's log says why."
    return ""


def _take_write_lock() -> None:
    """Take the write lock and give it back. Raises DatabaseError."""
    with transaction.atomic(), connection.cursor() as cursor:
        # SQLite locks the database when the transaction begins.
        if connection.vendor == "postgresql":
            tables = ", ".join(f'"{model._meta.db_table}"' for model in (Session, Judgement))
            cursor.execute(f"LOCK TABLE {tables} IN ROW EXCLUSIVE MODE")
