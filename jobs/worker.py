"""A process that works on jobs: a child of a Celery worker, its one task, and what it says about itself.

The task works on a job for a few seconds, then passes it on; running it twice is harmless. A thread writes to
the database every few seconds that the process lives, until when its present work may take, and which chunks
it holds; and it sweeps. Celery ends a process whose work takes longer than it may.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from celery import current_app, shared_task
from celery.signals import worker_process_init, worker_process_shutdown
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.models import ChunkState, Job, JobChunk, WorkerHeartbeat
from jobs.services import ledger, running
from projects import storage
from projects.services import audit

logger = logging.getLogger(__name__)

HOUSEKEEPING_SECONDS = 60.0
SILENT_SECONDS = 45.0
# What the threads of this process hold: chunk and fence.
_held: set[tuple[int, int]] = set()
_lock = threading.Lock()


class _Work:
    """Until when this process may work on its present message; None while it waits for one."""

    until: datetime | None = None


def name() -> str:
    """This process, as the ledger knows it: host and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


@contextmanager
def busy(seconds: float) -> Iterator[None]:
    """Work on a message for so many seconds at most; after that this process counts as stuck."""
    _Work.until = timezone.now() + timedelta(seconds=seconds)
    try:
        yield
    finally:
        _Work.until = None


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


def beat(*, short_only: bool = False) -> None:
    """One sign of life; then a sweep."""
    sign = {"last_seen": timezone.now(), "busy_until": _Work.until, "short_only": short_only}
    if not WorkerHeartbeat.objects.filter(name=name()).update(**sign):
        WorkerHeartbeat.objects.create(name=name(), **sign)
    with _lock:
        held = list(_held)
    for chunk, fence in held:
        ledger.renew_lease(chunk_id=chunk, fence=fence)
    ledger.sweep()
    audit.prune()


def begin() -> None:
    """Take over at once what processes of this machine left that are no longer there, and forget the rest.

    Jobs whose rows are no longer kept are removed, and copies of files that nobody reads.
    """
    host, _, own = name().rpartition(":")
    for worker in WorkerHeartbeat.objects.filter(name__startswith=f"{host}:").values_list("name", flat=True):
        pid = worker.removeprefix(f"{host}:")
        # Under its own name it can only be a process before this one.
        if pid == own or not _is_running(int(pid)):
            ledger.take_over(worker)
            WorkerHeartbeat.objects.filter(name=worker).delete()
    WorkerHeartbeat.objects.filter(last_seen__lt=timezone.now() - timedelta(hours=1)).delete()
    ledger.remove_old_jobs()
    storage.sweep_copies()


def end_silent() -> None:
    """Kill processes beside this one that have given no sign of life for long, such as a stopped one.

    Their parent starts others. Only those of this process's own group: any other number may be a stranger's.
    """
    host = name().rpartition(":")[0]
    silent = WorkerHeartbeat.objects.filter(
        name__startswith=f"{host}:", last_seen__lt=timezone.now() - timedelta(seconds=SILENT_SECONDS)
    )
    for pid in (int(worker.removeprefix(f"{host}:")) for worker in silent.values_list("name", flat=True)):
        with suppress(ProcessLookupError):
            if os.getpgid(pid) == os.getpgrp():
                logger.error("Worker process %s does not move; it is killed.", pid)
                os.kill(pid, signal.SIGKILL)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def end() -> None:
    """This process stops, and is no longer counted."""
    WorkerHeartbeat.objects.filter(name=name()).delete()


def housekeeping() -> None:
    """What the installation does from time to time (`settings.HOUSEKEEPING`): short, and safe to repeat."""
    for path in settings.HOUSEKEEPING:
        try:
            import_string(path)()
        except Exception:
            logger.exception("%s failed; it is tried again in a minute.", path)


class Heart:
    """The thread that writes the signs of life of this process, and ends it once its parent is gone."""

    def __init__(self) -> None:
        self._short_only = False
        self._parent = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, *, short_only: bool) -> None:
        self._short_only, self._parent = short_only, os.getppid()
        # Only now: Python 3.13 starts no thread that was made before the fork.
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Once the sign of life under way is written, which may have to wait for a lock."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=15)

    def _run(self) -> None:
        begun = False
        housekeeping_due = time.monotonic()
        steady_since = last = time.time()
        while not (self._is_orphan() and _Work.until is None):
            begun = begun or _succeeds(begin)
            _succeeds(lambda: beat(short_only=self._short_only))
            # After the machine was asleep, or this process stopped, the others have been silent as long.
            if time.time() - last > SILENT_SECONDS / 2:
                steady_since = time.time()
            last = time.time()
            if last - steady_since > SILENT_SECONDS / 2:
                _succeeds(end_silent)
            if time.monotonic() >= housekeeping_due:
                housekeeping()
                housekeeping_due = time.monotonic() + HOUSEKEEPING_SECONDS
            if self._stop.wait(settings.HEARTBEAT_SECONDS):
                break
        _succeeds(end)
        if self._is_orphan():
            os._exit(os.EX_UNAVAILABLE)

    def _is_orphan(self) -> bool:
        return os.getppid() != self._parent


_heart = Heart()


@worker_process_init.connect
def start_heart(**_: object) -> None:
    """Called by Celery in a child that it has started."""
    _heart.start(short_only=set(current_app.amqp.queues.consume_from) == {ledger.SHORT_QUEUE})


@worker_process_shutdown.connect
def stop_heart(**_: object) -> None:
    """Called by Celery in a child that ends."""
    _heart.stop()


def _succeeds(step: Callable[[], None]) -> bool:
    try:
        step()
    except DatabaseError as error:
        logger.warning("No sign of life could be written (%s); trying again.", error)
    except Exception:
        # Whatever it was, the thread goes on: without it nobody renews the leases of this process.
        logger.exception("No sign of life could be written; trying again.")
    else:
        return True
    finally:
        connection.close()
    return False


@shared_task(name="jobs.work")
def work(job_id: int) -> None:
    """A job whose chunks may take longer than others has its parameter `chunk_seconds`."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None or not job.active:
        return
    with busy(ledger.message_seconds(job) + ledger.GRACE_SECONDS):
        try:
            running.work_on(job=job, worker=name(), hold=holding, seconds=running.SLICE_SECONDS)
        finally:
            # After an error too: the chunk may have tries left, and the job other chunks.
            if not running.finish_job(job=job) and job.chunks.filter(state=ChunkState.PENDING).exists():
                ledger.send_message(job)
