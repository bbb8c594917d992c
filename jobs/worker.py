"""A worker process: its one task, how long that may take, and what the process says about itself.

The task works on a job for a few seconds, then passes it on; running it twice is harmless. A thread writes to
the database every few seconds that the process lives, whether it moves and which chunks it holds, and sweeps.
Whether it moves is measured where messages are taken: each turn of that loop calls `note_poll`, and work on a
message is done inside `busy`.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from types import FrameType

from celery import shared_task
from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone
from django.utils.module_loading import import_string

from jobs.models import ChunkState, Job, JobChunk, WorkerHeartbeat
from jobs.services import ledger, removal, running
from projects import storage
from projects.services import audit

logger = logging.getLogger(__name__)

# What the rest of a message may take once its time is over, before its process is ended.
GRACE_SECONDS = 60.0
HOUSEKEEPING_SECONDS = 60.0
# What the threads of this process hold: chunk and fence.
_held: set[tuple[int, int]] = set()
_lock = threading.Lock()


class _Movement:
    """When this process last took or asked for a message, and until when it may work on the present one."""

    def __init__(self) -> None:
        self.moved_at: datetime | None = None
        self.busy_until: datetime | None = None


_movement = _Movement()


def name() -> str:
    """This process, as the ledger knows it: host and process id."""
    return f"{socket.gethostname()}:{os.getpid()}"


def note_poll() -> None:
    """Note that this process has asked the queue for a message."""
    _movement.moved_at, _movement.busy_until = timezone.now(), None


@contextmanager
def busy(seconds: float) -> Iterator[None]:
    """Work on a message for so many seconds at most; after that this process counts as stuck."""
    _movement.moved_at = timezone.now()
    _movement.busy_until = _movement.moved_at + timedelta(seconds=seconds)
    try:
        yield
    finally:
        note_poll()


def is_busy() -> bool:
    return _movement.busy_until is not None


def seconds_stuck() -> float:
    """Seconds since this process should have moved; negative while it has time left. 0 before its start."""
    due = _movement.busy_until or _movement.moved_at
    return (timezone.now() - due).total_seconds() if due else 0.0


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
    sign = {
        "last_seen": timezone.now(),
        "moved_at": _movement.moved_at,
        "busy_until": _movement.busy_until,
        "short_only": short_only,
    }
    if not WorkerHeartbeat.objects.filter(name=name()).update(**sign):
        WorkerHeartbeat.objects.create(name=name(), **sign)
    with _lock:
        held = list(_held)
    for chunk, fence in held:
        ledger.renew_lease(chunk_id=chunk, fence=fence)
    removal.resume_deletions()
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
    """The thread that writes the signs of life of this process."""

    def __init__(self, *, short_only: bool = False) -> None:
        self._short_only = short_only
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def start(self) -> None:
        note_poll()
        self._thread.start()

    def stop(self) -> None:
        """Once the sign of life under way is written, which may have to wait for a lock."""
        self._stop.set()
        self._thread.join(timeout=15)

    def _run(self) -> None:
        begun = False
        housekeeping_due = time.monotonic()
        while True:
            begun = begun or _succeeds(begin)
            _succeeds(lambda: beat(short_only=self._short_only))
            if time.monotonic() >= housekeeping_due:
                housekeeping()
                housekeeping_due = time.monotonic() + HOUSEKEEPING_SECONDS
            if self._stop.wait(settings.HEARTBEAT_SECONDS):
                break
        _succeeds(end)


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


class TimeLimitExceeded(Exception):
    """The work took longer than it may."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitExceeded in the block after so many seconds; in the main thread only, as signals are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def give_up(number: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"it took longer than {seconds:,.0f} s")

    previous = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@shared_task(name="jobs.work")
def work(job_id: int) -> None:
    """A job whose chunks may take longer than others has its parameter `chunk_seconds`."""
    job = Job.objects.filter(pk=job_id).first()
    if job is None or not job.active:
        return
    seconds = float(job.parameters.get("chunk_seconds") or settings.CHUNK_SECONDS)
    with busy(seconds + GRACE_SECONDS):
        try:
            with time_limit(seconds):
                running.work_on(job=job, worker=name(), hold=holding, seconds=running.SLICE_SECONDS)
        finally:
            # After an error too: the chunk may have tries left, and the job other chunks.
            if not running.finish_job(job=job) and job.chunks.filter(state=ChunkState.PENDING).exists():
                ledger.send_message(job)
