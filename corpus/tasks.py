"""The one task: work on a job for a few seconds, then pass it on. Running it twice is harmless."""

from __future__ import annotations

from time import monotonic

from celery import shared_task

from corpus import heartbeat
from corpus.models import ChunkState, Job
from corpus.services import dispatch, running
from corpus.services import extraction as _extraction  # noqa: F401 - registers its runner
from corpus.services import fetching as _fetching  # noqa: F401 - registers its runner
from corpus.services import headline_matching as _headline_matching  # noqa: F401 - registers its runner
from corpus.services import import_jobs as _import_jobs  # noqa: F401 - registers its runners
from corpus.services import lexicons as _lexicons  # noqa: F401 - registers its runner
from corpus.services import matching as _matching  # noqa: F401 - registers its runner
from corpus.services import matching_studies as _matching_studies  # noqa: F401 - registers its runner

SLICE_SECONDS = 5.0


@shared_task(name="corpus.work")
def work(job_id: int) -> None:
    job = Job.objects.filter(pk=job_id).first()
    if job is None or not job.active:
        return
    until = monotonic() + SLICE_SECONDS
    try:
        while running.run_next_chunk(job=job, worker=heartbeat.name(), hold=heartbeat.holding):
            if monotonic() > until:
                break
    finally:
        # After an error too: the chunk may have tries left, and the job other chunks.
        if not running.finish_job(job=job) and job.chunks.filter(state=ChunkState.PENDING).exists():
            dispatch.send_message(job_id)
