"""The one task: work on a job for a few seconds, then pass it on. Running it twice is harmless."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from celery import shared_task
from django.conf import settings

from jobs import heartbeat
from jobs.models import ChunkState, Job
from jobs.services import dispatch, running

# What the rest of a message may take once its time is over, before its process is ended.
GRACE_SECONDS = 60.0


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
    with heartbeat.busy(seconds + GRACE_SECONDS):
        try:
            with time_limit(seconds):
                running.work_on(
                    job=job, worker=heartbeat.name(), hold=heartbeat.holding, seconds=running.SLICE_SECONDS
                )
        finally:
            # After an error too: the chunk may have tries left, and the job other chunks.
            if not running.finish_job(job=job) and job.chunks.filter(state=ChunkState.PENDING).exists():
                dispatch.send_message(job)
