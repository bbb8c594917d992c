"""Several hosts on one database: one brings it up to date, the others wait."""

from __future__ import annotations

import logging
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

logger = logging.getLogger(__name__)

# PostgreSQL's advisory lock of that purpose: any number, the same on all hosts.
LOCK = 1_885_434_471
LOOK_SECONDS = 1.0
WAITING = "Another host is bringing the database up to date; this one waits for it."


@contextmanager
def one_host() -> Iterator[None]:
    """Only one host is in the block at a time. The lock ends with its connection, and so with its holder."""
    if connection.vendor != "postgresql":
        yield
        return
    # A connection of its own: what is done in the block may close the other.
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            if not _taken(cursor):
                logger.warning(WAITING)
                while not _taken(cursor):
                    time.sleep(LOOK_SECONDS)
        yield
    finally:
        own.close()


def _taken(cursor: Any) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [LOCK])
    return bool(cursor.fetchone()[0])


def is_under_way() -> bool:
    """Whether a host is in `one_host`."""
    if connection.vendor != "postgresql":
        return False
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = %s "
            "AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
            [LOCK],
        )
        return bool(cursor.fetchone()[0])


def pending() -> list[str]:
    """The migrations that this version has and the database has not. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return [str(step) for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def wait() -> None:
    """Return when the database is up to date, or does not answer: whoever needs it goes on trying.

    The migrations take 10 MB, which go with the process that looks at them.
    """
    look = multiprocessing.get_context("fork").Process(target=_wait)
    look.start()
    look.join()


def _wait() -> None:
    try:
        if pending():
            logger.warning("Waiting until the database is up to date; `manage.py doctor` says more.")
        while pending():
            time.sleep(LOOK_SECONDS)
    except DatabaseError as error:
        logger.warning("The database does not answer: %s", error)
    finally:
        connection.close()
