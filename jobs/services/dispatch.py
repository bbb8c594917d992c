"""Handing jobs to the queue, and sweeping up what was never handed over or fell silent."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from jobs.models import ChunkState, Job
from jobs.services import ledger

logger = logging.getLogger(__name__)

# More messages than any one machine has workers do no harm: one that finds no free chunk ends at once.
MAX_MESSAGES = 8

LONG_QUEUE = "long"
SHORT_QUEUE = "short"


def send_message(job: Job) -> None:
    """Put one `work(job)` into its queue, by the task's name: the task module imports this one."""
    queue = SHORT_QUEUE if job.short else LONG_QUEUE
    current_app.send_task("jobs.work", args=(job.pk,), queue=queue, retry=False)


def hand_over(job: Job) -> None:
    """Send messages about a job once the present transaction is committed.

    When the broker is down the job is in the database all the same; `sweep` hands it over later.
    """
    transaction.on_commit(lambda: _send(job.pk))


def _send(job_id: int) -> bool:
    """Hand a job over, unless another process has just done so."""
    job = Job.objects.get(pk=job_id)
    if not job.active:
        return False
    before = job.handed_over_at
    mine = Job.objects.filter(pk=job_id, handed_over_at=before)
    if not mine.update(handed_over_at=timezone.now()):
        return False
    pending = job.chunks.filter(state=ChunkState.PENDING).count()
    # Where somebody works on it already, one more is enough: it may be a message that was lost.
    held = job.chunks.filter(state=ChunkState.LEASED).exists()
    try:
        for _ in range(1 if held else max(1, min(pending, MAX_MESSAGES))):
            send_message(job)
    except (OperationalError, OSError) as error:
        logger.warning("The broker did not take job %s (%s); it waits in the database.", job_id, error)
        Job.objects.filter(pk=job_id).update(handed_over_at=None)
        return False
    return True


def sweep() -> int:
    """Free expired leases and hand over every job that waits unheard. Returns how many were handed over."""
    ledger.release_expired()
    return sum(_send(job.pk) for job in ledger.waiting_jobs())


def take_over(worker: str) -> int:
    """Free what a dead worker held, and hand it over at once. Returns how many jobs were handed over."""
    held = set(
        Job.objects.filter(chunks__worker=worker, chunks__state=ChunkState.LEASED).values_list(
            "pk", flat=True
        )
    )
    ledger.release_worker(worker)
    return sum(_send(job) for job in held)
