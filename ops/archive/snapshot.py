"""Reading many tables as they were at one moment, while others go on writing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that only reads, and whose queries all see the moment of the first of them.

    On SQLite it takes no lock that a writer would wait for. Within another transaction it is part of that
    one, with what that one sees.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        own: Any = connection
        kept, own.transaction_mode = own.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            own.transaction_mode = kept
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
