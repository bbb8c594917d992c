"""Requests that wait for a locked database never take every thread of the web server."""

from __future__ import annotations

import threading
import urllib.request
from pathlib import Path

import pytest
from django.db import connection

from projects.middleware import lock_wait
from tests.processes import wait_until
from tests.projects.test_overload import locked_database
from tests.web_server import status, web_server

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that a request may wait for the lock: far more than the test takes.
LOCK_SECONDS = 120
PATIENCE = 60
THREADS = 3


def test_livez_is_answered_while_every_write_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[int] = []

    def log_in(address: str) -> None:
        body, kind = b'{"username": "mary", "password": "secret"}', {"Content-Type": "application/json"}
        answered.append(status(urllib.request.Request(f"{address}/api/v1/auth/login/", body, kind)))

    with web_server(tmp_path / "web.log", workers=1, threads=THREADS, lock_seconds=LOCK_SECONDS) as address:
        assert status(f"{address}/livez") == 200
        with locked_database(monkeypatch):
            # Twice as many as there are threads: some wait for the lock, the others get an answer at once.
            writes = [threading.Thread(target=log_in, args=[address]) for _ in range(2 * THREADS)]
            for write in writes:
                write.start()
            wait_until(lambda: len(answered) == THREADS + 1, PATIENCE, "the writes that need not wait")
            assert status(f"{address}/livez") == 200
            assert status(f"{address}/readyz") == 503
        for write in writes:
            write.join()
    assert answered[: THREADS + 1] == [503] * (THREADS + 1)


def test_the_wait_for_a_lock_is_bounded_and_then_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    show = "SHOW lock_timeout" if connection.vendor == "postgresql" else "PRAGMA busy_timeout"

    def waits() -> object:
        with connection.cursor() as cursor:
            cursor.execute(show)
            return cursor.fetchone()

    before = waits()
    with lock_wait(0.5):
        assert waits() != before
    assert waits() == before
