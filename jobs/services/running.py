"""What a worker does with a job: chunk after chunk, then the end. A request may wait a moment for that."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone, translation

from jobs.kinds import job_kind
from jobs.models import Job, JobChunk, JobState
from jobs.services import ledger
from paragold.aligners import programs
from projects import request_ids

logger = logging.getLogger(__name__)

# PostgreSQL's code for lock_timeout.
LOCK_NOT_AVAILABLE = "55P03"

# After that a worker gives its place to other jobs.
SLICE_SECONDS = 5.0

# How often a chunk that takes long says how far it is, and looks whether its job still runs.
REPORT_AFTER_SECONDS = 0.5
LATE_SECONDS = 60.0

# Requests that wait for a job, of each process of the web server, which has four threads by default.
MAX_WAITING_REQUESTS = 1
PAGE_SECONDS = 2.0
API_SECONDS = 20.0
LOOK_SECONDS = 0.1

_waiting = threading.BoundedSemaphore(MAX_WAITING_REQUESTS)

LONG_CHUNKS = {"chunk_seconds": 24 * 3600}
"""A parameter of jobs that run programs, each run a single chunk; see `ledger.send_message`."""

Hold = Callable[[JobChunk], AbstractContextManager[None]]


class LeaseLost(Exception):
    """The chunk was given to somebody else, or its job stopped: this result must not be stored."""


def reporting(chunk: JobChunk) -> Callable[[int], None]:
    """What takes, as often as one likes, how many units of a long chunk are done.

    It writes that down every half second, and then raises LeaseLost once the job has stopped.
    """
    reported_at = time.monotonic()

    def report(units: int) -> None:
        nonlocal reported_at
        if time.monotonic() - reported_at > REPORT_AFTER_SECONDS:
            reported_at = time.monotonic()
            if not ledger.report_progress(chunk=chunk, units=units):
                raise LeaseLost

    return report


def watched(chunk: JobChunk) -> AbstractContextManager[None]:
    """While programs run in this block, renew the chunk's lease about once a second.

    When the job was cancelled, or the chunk given to somebody else, the program is stopped: LeaseLost. A
    database that does not answer does not stop the program: the next call asks again.
    """

    def watch() -> None:
        try:
            ledger.renew_lease(chunk_id=chunk.pk, fence=chunk.fence)
            needed = ledger.report_progress(chunk=chunk, units=chunk.progress)
        except DatabaseError as error:
            logger.warning("Whether job %s is still needed is not known (%s).", chunk.job_id, error)
            if not connection.in_atomic_block:
                connection.close()
            return
        if not needed:
            raise LeaseLost

    return programs.watched(watch)


def stop_check(job: Job) -> Callable[[], None]:
    """What raises LeaseLost once the job has stopped; called often, it looks every half second."""
    looked_at = time.monotonic()

    def check() -> None:
        nonlocal looked_at
        if time.monotonic() - looked_at > REPORT_AFTER_SECONDS:
            looked_at = time.monotonic()
            if not Job.objects.filter(pk=job.pk, state=JobState.RUNNING).exists():
                raise LeaseLost

    return check


def run_next_chunk(*, job: Job, worker: str, hold: Hold) -> bool:
    """Lease a chunk and do it. Returns False when there was none to take.

    `hold` keeps the lease alive while the chunk is computed. An error is recorded and raised again.
    """
    try:
        chunk = ledger.lease_chunk(job=job, worker=worker)
    except OperationalError as error:
        if not held_by_another(error):
            raise
        chunk = None
    if chunk is None:
        return False
    runner = job_kind(job.kind).runner
    try:
        with request_ids.working_for(job.request_id), hold(chunk):
            result = runner.compute(job, chunk)
            with transaction.atomic():
                counts = runner.store(job, result)
                if not ledger.complete_chunk(chunk=chunk, counts=counts):
                    raise LeaseLost
    except LeaseLost:
        logger.info("Job %s chunk %s was taken away; its result is discarded.", job.pk, chunk.number)
    except Exception as error:
        ledger.fail_chunk(chunk=chunk, error=error)
        raise
    return True


def work_on(*, job: Job, worker: str, hold: Hold, seconds: float) -> bool:
    """Do chunk after chunk for about so many seconds, in as many lanes as the job's kind has.

    Returns False when there was none to take. Errors are recorded, and the first is raised at the end.
    """
    until = time.monotonic() + seconds
    lanes = job_kind(job.kind).runner.lanes
    # Within a transaction nobody else sees the job.
    if lanes == 1 or connection.in_atomic_block:
        taken = False
        while run_next_chunk(job=job, worker=worker, hold=hold):
            taken = True
            if time.monotonic() > until:
                break
        return taken
    in_time: set[int] = set()
    lock = threading.Lock()

    def goes_on() -> bool:
        """Once the time is over, only while another lane is at a chunk from before, and a minute at most.

        So a chunk that takes long does not hold up the rest, and the end comes.
        """
        with lock:
            in_time.discard(threading.get_ident())
            if time.monotonic() < until:
                in_time.add(threading.get_ident())
                return True
            return bool(in_time) and time.monotonic() < until + LATE_SECONDS

    def lane() -> bool:
        taken = False
        try:
            own = Job.objects.get(pk=job.pk)
            while goes_on() and run_next_chunk(job=own, worker=worker, hold=hold):
                taken = True
            return taken
        finally:
            with lock:
                in_time.discard(threading.get_ident())
            connection.close()

    with ThreadPoolExecutor(lanes, "lane") as pool:
        results = [pool.submit(lane) for _ in range(lanes)]
    # The result of every lane is read, so that an error in any of them is raised.
    taken_by_lane = [result.result() for result in results]
    return any(taken_by_lane)


def finish_job(*, job: Job) -> bool:
    """End a job whose chunks are all done. Safe to call at any time and from any number of workers."""
    try:
        with transaction.atomic():
            job = Job.objects.select_for_update().get(pk=job.pk)
            if job.state != JobState.RUNNING or not ledger.all_chunks_done(job):
                return False
            job_kind(job.kind).runner.finish(job)
            return ledger.move(job, JobState.DONE, finished_at=timezone.now())
    except OperationalError as error:
        if not held_by_another(error):
            raise
        return False


def held_by_another(error: OperationalError) -> bool:
    """Whether PostgreSQL gave up waiting for a lock.

    The end of a job with millions of pairs holds the job's row for longer than that.
    """
    return getattr(error.__cause__, "sqlstate", None) == LOCK_NOT_AVAILABLE


def run_here(*, job: Job, patience: float = 0.2) -> None:
    """Work on a job in this process, beside any workers, until it has ended.

    Chunks that a worker holds are waited for. Errors are recorded in the ledger as a worker would, in
    English.
    """
    name = f"{socket.gethostname()}:{os.getpid()}:here"
    with translation.override(settings.LANGUAGE_CODE):
        while job.active:
            try:
                seconds = SLICE_SECONDS if job_kind(job.kind).runner.lanes > 1 else 0.0
                worked = work_on(job=job, worker=name, hold=lambda chunk: nullcontext(), seconds=seconds)
            except Exception as error:
                logger.warning("Job %s: %s", job.pk, error)
                worked = True
            if not finish_job(job=job) and not worked:
                ledger.release_expired()
                time.sleep(patience)
            job.refresh_from_db()


def wait_for(job: Job, *, seconds: float) -> bool:
    """Wait within a request for a worker to end a job that was handed over; returns whether it has ended.

    A web server parses nothing that strangers wrote: small files too are left to a worker. Does not wait when
    as many requests as may wait are waiting already, so that the other threads go on answering. Call it
    outside of transactions.
    """
    job.refresh_from_db()
    if not job.active or not _waiting.acquire(blocking=False):
        return not job.active
    try:
        until = time.monotonic() + seconds
        while job.active and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            job.refresh_from_db()
        return not job.active
    finally:
        _waiting.release()
