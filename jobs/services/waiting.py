"""Waiting within a request for a short job that a worker does.

A web server parses nothing that strangers wrote: small files too are left to a worker. Their answer waits a
moment for the result, in a bounded number of threads, so that the others go on answering.
"""

from __future__ import annotations

import threading
import time

from jobs.models import Job

# Of each process of the web server, which has four threads by default.
REQUESTS_AT_MOST = 2
PAGE_SECONDS = 2.0
API_SECONDS = 20.0
LOOK_SECONDS = 0.1

_waiting = threading.BoundedSemaphore(REQUESTS_AT_MOST)


def wait_for(job: Job, *, seconds: float) -> bool:
    """Wait for a worker to end a job that was handed over; returns whether it has ended.

    Does not wait when as many requests as may wait are waiting already. Call it outside of transactions.
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
