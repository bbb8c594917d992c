"""Statements that PostgreSQL plans once for each connection: what annotators' pages ask for all the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

SENT_BEFORE = 5
"""How often a connection has sent a statement before its plan is kept."""


@contextmanager
def kept_plans() -> Iterator[None]:
    """Inside the block PostgreSQL fills in the parameters of statements itself and keeps their plans.

    Not for lists, whose best plan depends on the project, nor for more than 65,535 parameters.
    """
    if connection.vendor != "postgresql":
        yield
        return
    from django.db.backends.postgresql.base import ServerBindingCursor

    connection.ensure_connection()
    raw = connection.connection
    before = raw.cursor_factory
    raw.cursor_factory, raw.prepare_threshold = ServerBindingCursor, SENT_BEFORE
    try:
        yield
    finally:
        raw.cursor_factory, raw.prepare_threshold = before, None
