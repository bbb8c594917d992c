"""One thread of each web process never waits long for a lock, so that health checks are answered.

While the database is locked, every request that saves something waits for the lock, for up to
PARAGOLD_LOCK_SECONDS. All threads but one may wait so long; on the last one a request gets 503 soon.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponseBase

SHORT_WAIT = 0.5
"""Seconds that a request on the last thread waits for a lock."""
PAUSE = 1.0
"""After one of them gave up, those that follow within so many seconds do not wait at all."""
# They do not wait for a lock, or bound their wait themselves.
EXEMPT = ("/livez", "/readyz")


@contextmanager
def lock_wait(seconds: float) -> Iterator[None]:
    """Inside the block the connection waits at most so many seconds for a lock. Raises DatabaseError."""
    # PostgreSQL takes 0 as "for ever".
    milliseconds = max(1, round(1000 * seconds))
    postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout" if postgresql else "PRAGMA busy_timeout")
        (before,) = cursor.fetchone()
        _set_wait(f"{milliseconds}ms" if postgresql else milliseconds)
    try:
        yield
    finally:
        try:
            _set_wait(before)
        except DatabaseError:
            # It was lost meanwhile; the next connection has the usual wait.
            connection.close()


def _set_wait(wait: str | int) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [wait])
        else:
            cursor.execute(f"PRAGMA busy_timeout = {wait}")


class SpareThread:
    """Lets WEB_THREADS - 1 requests of this process wait for a lock as long as the settings say."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.WEB_THREADS:
            raise MiddlewareNotUsed
        self._get_response = get_response
        self._patient = threading.BoundedSemaphore(settings.WEB_THREADS - 1)
        self._paused_until = 0.0

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path in EXEMPT:
            return self._get_response(request)
        if self._patient.acquire(blocking=False):
            try:
                return self._get_response(request)
            finally:
                self._patient.release()
        seconds = 0 if time.monotonic() < self._paused_until else SHORT_WAIT
        with lock_wait(seconds):
            response = self._get_response(request)
        if response.status_code == 503:
            self._paused_until = time.monotonic() + PAUSE
        return response
