"""Requests that wait for a locked database never take every thread of the web server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db import connection

from projects.middleware import lock_wait
from tests.processes import wait_until
from tests.projects.test_overload import locked_database
from tests.worker_process import REPOSITORY, database_url

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that a request may wait for the lock: far more than the test takes.
LOCK_SECONDS = 120
PATIENCE = 60
THREADS = 3


@contextmanager
def web_server(log: Path) -> Iterator[str]:
    """Gunicorn with one process of THREADS threads, on the test's database; gives its address."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings_test",
        "DATABASE_URL": database_url(),
        "PARAGOLD_TEST_VAR": str(log.parent),
        "PARAGOLD_WEB_WORKERS": "1",
        "PARAGOLD_WEB_THREADS": str(THREADS),
        "PARAGOLD_LOCK_SECONDS": str(LOCK_SECONDS),
    }
    file = REPOSITORY / "ops" / "launcher" / "gunicorn_settings.py"
    command = [sys.executable, "-m", "gunicorn", "config.wsgi:application", "--config", str(file)]
    with closing(socket.create_server(("127.0.0.1", 0))) as listener, log.open("wb") as output:
        process = subprocess.Popen(
            [*command, "--bind", f"fd://{listener.fileno()}"],
            cwd=REPOSITORY,
            env=environment,
            pass_fds=[listener.fileno()],
            stdout=output,
            stderr=output,
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.kill()
            process.wait(timeout=PATIENCE)


def status(request: str | urllib.request.Request) -> int:
    """Raises OSError when there is no answer in time."""
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_livez_is_answered_while_every_write_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answered: list[int] = []

    def log_in(address: str) -> None:
        body, kind = b'{"username": "mary", "password": "secret"}', {"Content-Type": "application/json"}
        answered.append(status(urllib.request.Request(f"{address}/api/v1/auth/login/", body, kind)))

    with web_server(tmp_path / "web.log") as address:
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
