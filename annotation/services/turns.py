"""Writing transactions one after the other, in the order in which they come."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection, transaction


@contextmanager
def writing() -> Iterator[None]:
    """A transaction for which many people queue at once.

    A writer for whom SQLite is busy sleeps and tries again, up to 100 ms at a time, so that of many those
    who have waited longest are served last. Here they wait for a lock of the operating system, which wakes
    the next at once. PostgreSQL needs none of this.
    """
    name = connection.settings_dict["NAME"]
    if connection.vendor != "sqlite" or connection.in_atomic_block or not Path(name).is_file():
        with transaction.atomic():
            yield
        return
    with Path(f"{name}-turn").open("ab") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        with transaction.atomic():
            yield
