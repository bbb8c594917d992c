"""The one task: work on a job for a few seconds, then pass it on. Running it twice is harmless."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from jobs import heartbeat
from jobs.models import ChunkState, Job
from jobs.services import dispatch, running
from jobs.time_limit import time_limit

# What the rest of a message may take once its time is over, before its process is ended.
GRACE_SECONDS = 60.0


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
