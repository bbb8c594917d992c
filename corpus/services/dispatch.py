"""Handing jobs to the queue, and sweeping up what was never handed over or fell silent."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from corpus.models import ChunkState, Job

from . import jobs

logger = logging.getLogger(__name__)

# More messages than any one machine has workers do no harm: one that finds no free chunk ends at once.
MESSAGES_AT_MOST = 8


def send_message(job_id: int) -> None:
    """Put one `work(job_id)` into the queue, by the task's name: the task module stands above this one.

    A job whose chunks may take longer than any other says how many seconds: its parameter `chunk_seconds`.
    """
    parameters = Job.objects.filter(pk=job_id).values_list("parameters", flat=True).first() or {}
    seconds = parameters.get("chunk_seconds")
    limits = {"soft_time_limit": seconds, "time_limit": seconds + 60} if seconds else {}
    current_app.send_task("corpus.work", args=(job_id,), retry=False, **limits)


def hand_over(job: Job) -> None:
    """Tell the queue about a job once the present transaction is committed.

    When the broker is down the job stands in the database all the same; `sweep` hands it over later.
    """
    transaction.on_commit(lambda: _send(job.pk))


def _send(job_id: int) -> bool:
    job = Job.objects.get(pk=job_id)
    if not job.active:
        return False
    pending = job.chunks.filter(state=ChunkState.PENDING).count()
    try:
        for _ in range(max(1, min(pending, MESSAGES_AT_MOST))):
            send_message(job_id)
    except (OperationalError, OSError) as error:
        logger.warning("The broker did not take job %s (%s); it waits in the database.", job_id, error)
        return False
    Job.objects.filter(pk=job_id).update(handed_over_at=timezone.now())
    return True


def sweep() -> int:
    """Free expired leases and hand over every job that waits unheard. Returns how many were handed over."""
    jobs.release_expired()
    return sum(_send(job.pk) for job in jobs.waiting_jobs())
