"""A worker process's sign of life: a thread that renews its lease, says it is alive, and sweeps."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from corpus.models import JobChunk, WorkerHeartbeat
from corpus.services import dispatch, jobs

logger = logging.getLogger(__name__)

# What the threads of this process hold: chunk and fence.
_held: set[tuple[int, int]] = set()
_lock = threading.Lock()


def name() -> str:
    """This process, as the ledger knows it: host and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


@contextmanager
def holding(chunk: JobChunk) -> Iterator[None]:
    """Renew the lease of `chunk` for as long as the block runs."""
    with _lock:
        _held.add((chunk.pk, chunk.fence))
    try:
        yield
    finally:
        with _lock:
            _held.discard((chunk.pk, chunk.fence))


def beat() -> None:
    """One sign of life."""
    now = timezone.now()
    WorkerHeartbeat.objects.update_or_create(name=name(), defaults={"last_seen": now})
    WorkerHeartbeat.objects.filter(last_seen__lt=now - timedelta(hours=1)).delete()
    with _lock:
        held = list(_held)
    for chunk, fence in held:
        jobs.renew_lease(chunk_id=chunk, fence=fence)
    dispatch.sweep()


def _run(stop: threading.Event) -> None:
    while True:
        try:
            beat()
        except DatabaseError as error:
            logger.warning("No sign of life could be written (%s); trying again.", error)
        finally:
            connection.close()
        if stop.wait(settings.HEARTBEAT_SECONDS):
            return


def start() -> threading.Event:
    """Start the thread of this process. Setting the event that is returned ends it."""
    stop = threading.Event()
    threading.Thread(target=_run, args=(stop,), name="heartbeat", daemon=True).start()
    return stop
