"""Programs within jobs: how long a chunk may take then, and stopping what a job no longer waits for."""

from __future__ import annotations

from contextlib import AbstractContextManager

from alignment.aligners import program_runs
from corpus.models import JobChunk
from corpus.services import jobs
from corpus.services.running import LeaseLost

PATIENCE = {"chunk_seconds": 24 * 3600}
"""A parameter of jobs that run programs, each run a single chunk; see `dispatch.send_message`."""


def watched(chunk: JobChunk) -> AbstractContextManager[None]:
    """While programs run in this block, renew the chunk's lease about once a second.

    When the job was cancelled, or the chunk given to somebody else, the program is stopped: LeaseLost.
    """

    def watch() -> None:
        jobs.renew_lease(chunk_id=chunk.pk, fence=chunk.fence)
        if not jobs.report_progress(chunk=chunk, units=chunk.progress):
            raise LeaseLost

    return program_runs.watched(watch)
