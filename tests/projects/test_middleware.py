"""Requests that wait for a locked database never take every thread of the web server."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from alignment.forms import GOLD
from paragold.parsing import process
from projects.middleware import LARGE_BYTES, LargeRequests, lock_wait
from tests.config.test_upload_types import TEXT, UPLOADS
from tests.permissions.people import People, people
from tests.processes import wait_until
from tests.projects.test_overload import locked_database
from tests.worker_process import REPOSITORY, database_url

__all__ = ["people"]

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


def test_livez_is_answered_while_large_bodies_come_slowly(tmp_path: Path) -> None:
    """Twice as many as there are threads; each sender stops in the middle."""
    head = (
        "POST /api/v1/auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n"
        'Content-Type: application/json\r\n\r\n{"username": '
    )
    with web_server(tmp_path / "web.log") as address, ExitStack() as stack:
        assert status(f"{address}/livez") == 200
        host, _, port = address.removeprefix("http://").rpartition(":")
        senders = []
        for _ in range(2 * THREADS):
            sender = stack.enter_context(socket.create_connection((host, int(port)), timeout=PATIENCE))
            sender.sendall(head.encode())
            senders.append(sender)
        for _ in range(5):
            start = time.monotonic()
            assert status(f"{address}/livez") == 200
            assert time.monotonic() - start < 1
        ready, _, _ = select.select(senders, [], [], PATIENCE)
        answers = [sender.recv(4096).decode() for sender in ready]
    refused = [answer for answer in answers if answer.startswith("HTTP/1.1 503")]
    assert refused and all("retry-after: 5" in answer.lower() for answer in refused)


def blocking(settings: Any, threads: int) -> tuple[LargeRequests, threading.Event, threading.Semaphore]:
    """The middleware before a view that waits for the event; the semaphore counts who has come there."""
    settings.WEB_THREADS = threads
    end, arrived = threading.Event(), threading.Semaphore(0)

    def view(request: HttpRequest) -> HttpResponse:
        arrived.release()
        end.wait(PATIENCE)
        return HttpResponse("done")

    return LargeRequests(view), end, arrived


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=line", b"--line--"),
        ("application/x-ndjson", b"{}"),
        ("application/octet-stream", b"0"),
        ("application/json", b" " * (LARGE_BYTES + 1)),
        ("application/x-www-form-urlencoded", b"a" * (LARGE_BYTES + 1)),
    ],
)
@pytest.mark.parametrize("path", ["/api/v1/anything/", "/anything/"])
def test_half_of_the_threads_receive_files(
    settings: Any, monkeypatch: pytest.MonkeyPatch, kind: str, body: bytes, path: str
) -> None:
    monkeypatch.setattr(process._share, "free", None)
    middleware, end, arrived = blocking(settings, 4)
    requests = [RequestFactory().post(path, body, content_type=kind) for _ in range(8)]
    senders = [threading.Thread(target=middleware, args=[request]) for request in requests[:2]]
    for sender in senders:
        sender.start()
    for _ in senders:
        assert arrived.acquire(timeout=PATIENCE)
    for request in requests[2:]:
        answer = middleware(request)
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert b"Other files are being received. Try again in a few seconds." in answer.content
    end.set()
    for sender in senders:
        sender.join()
    assert middleware(requests[-1]).status_code == 200
    small = RequestFactory().post(path, b"{}", content_type="application/json")
    assert middleware(small).status_code == 200


@pytest.fixture
def no_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """All calls of the processes that parse are taken by others."""
    monkeypatch.setattr(process._share, "free", threading.BoundedSemaphore(1))
    process._share.free.acquire()


@pytest.mark.usefixtures("no_calls")
@pytest.mark.parametrize("address", UPLOADS)
def test_a_file_that_cannot_be_read_now(people: People, address: str) -> None:
    fields, files = UPLOADS[address]
    sent = {name: SimpleUploadedFile(f"{name}.tsv", content or TEXT) for name, content in files.items()}
    answer = people.client("manager").post(f"/api/v1/projects/dams/{address}/", fields | sent)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert answer.json() == {"detail": "Other files are being read. Try again in a few seconds."}


@pytest.mark.usefixtures("no_calls")
def test_a_page_with_a_file_that_cannot_be_read_now(people: People) -> None:
    client = people.client("manager")
    client.raise_request_exception = False
    sent = {"file": SimpleUploadedFile("links.txt", b"0-0"), "batch": "new", "whose": GOLD}
    answer = client.post("/projects/dams/link/import/", sent, follow=True)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert b"Other files are being read." in answer.content


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
