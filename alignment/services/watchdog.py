"""Programs within jobs: how long a chunk may take then, and stopping what a job no longer waits for."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager

from django.db import DatabaseError, connection

from jobs.models import JobChunk
from jobs.services import ledger
from jobs.services.running import LeaseLost
from paragold.aligners import program_runs

logger = logging.getLogger(__name__)

PATIENCE = {"chunk_seconds": 24 * 3600}
"""A parameter of jobs that run programs, each run a single chunk; see `ledger.send_message`."""


def watched(chunk: JobChunk) -> AbstractContextManager[None]:
    """While programs run in this block, renew the chunk's lease about once a second.

    When the job was cancelled, or the chunk given to somebody else, the program is stopped: LeaseLost. A
    database that does not answer stops nothing: it is asked again.
    """

    def watch() -> None:
        try:
            ledger.renew_lease(chunk_id=chunk.pk, fence=chunk.fence)
            wanted = ledger.report_progress(chunk=chunk, units=chunk.progress)
        except DatabaseError as error:
            logger.warning("Whether job %s is still wanted is not known (%s).", chunk.job_id, error)
            if not connection.in_atomic_block:
                connection.close()
            return
        if not wanted:
            raise LeaseLost

    return program_runs.watched(watch)
