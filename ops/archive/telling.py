"""Saying how far a piece of a job is from within a transaction: by a thread with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection

from jobs.models import JobChunk
from jobs.services import ledger
from jobs.services.running import LeaseLost

SECONDS_BETWEEN = 0.5


@contextmanager
def telling(chunk: JobChunk) -> Iterator[Callable[[float], None]]:
    """What is told the share that is done, 0 to 1; it raises LeaseLost once the job has stopped.

    Within a transaction nothing is told: another connection would wait for its end.
    """
    share = 0.0
    lost, stop = threading.Event(), threading.Event()

    def tell(done: float) -> None:
        nonlocal share
        share = done
        if lost.is_set():
            raise LeaseLost

    def run() -> None:
        try:
            while not stop.wait(SECONDS_BETWEEN):
                try:
                    if not ledger.report_progress(chunk=chunk, units=int(share * chunk.units)):
                        lost.set()
                except DatabaseError:
                    continue  # somebody holds the database; the next time will do
        finally:
            connection.close()

    if connection.in_atomic_block:
        yield tell
        return
    thread = threading.Thread(target=run, name="telling", daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        stop.set()
        thread.join()
