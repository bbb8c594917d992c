"""How long a connection to the database waits for a lock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection

SHORT_WAIT = 0.5
"""Seconds that a request on the last thread of the web server waits for a lock."""


@contextmanager
def lock_wait(seconds: float) -> Iterator[None]:
    """Inside the block the connection waits at most so many seconds for a lock, and no longer than before.

    Raises DatabaseError.
    """
    before = _get_wait()
    # 0 is "for ever" on PostgreSQL, and at once on SQLite.
    shorter = max(1, round(1000 * seconds))
    _set_wait(min(shorter, before) if before or connection.vendor == "sqlite" else shorter)
    try:
        yield
    finally:
        try:
            _set_wait(before)
        except DatabaseError:
            # It was lost meanwhile; the next connection has the usual wait.
            connection.close()


def longest_lock_wait() -> float:
    """Seconds that this connection waits for a lock; 0 is "for ever" on PostgreSQL."""
    return _get_wait() / 1000


def _get_wait() -> int:
    """In milliseconds."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'")
        else:
            cursor.execute("PRAGMA busy_timeout")
        return int(cursor.fetchone()[0])


def _set_wait(milliseconds: int) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{milliseconds}ms"])
        else:
            cursor.execute(f"PRAGMA busy_timeout = {milliseconds}")
