from __future__ import annotations

import json
import select
import socket
import sqlite3
import threading
import time
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory

from annotation.models import Answer
from projects.lock_wait import lock_wait, longest_lock_wait
from projects.middleware import LARGE_BYTES, LargeRequests
from projects.parsing import process
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import PASSWORD, ProjectFactory, member
from tests.permissions.people import people
from tests.processes import wait_until
from tests.projects.test_overload import locked_database, needs_sqlite
from tests.web_server import status, web_server

__all__ = ["people"]

pytestmark = pytest.mark.django_db(transaction=True)

# Seconds that a request may wait for the lock: far more than the test takes.
LOCK_SECONDS = 120
PATIENCE = 60
THREADS = 3


def test_livez_is_answered_while_every_write_waits(tmp_path, monkeypatch):
    answered: list[int] = []

    def log_in(address):
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


@needs_sqlite
def test_pages_are_answered_while_fifty_saves_wait_and_refused_saves_are_stored_later(tmp_path):
    """Another program writes all the while: no save waits longer than promised, and each is stored once."""
    saves, lock_seconds, held_seconds = 50, 4, 6
    ada = member(ProjectFactory(), "annotator", "ada")
    batch = judging_batch(ada.memberships.get().project, [ada], size=saves)
    with web_server(tmp_path / "web.log", lock_seconds=lock_seconds) as address:
        token = login(address, "ada")
        answers = [
            urllib.request.Request(
                f"{address}/api/v1/assignments/{assignment.pk}/judgement/",
                json.dumps({"label": "paraphrase", "version": assignment.version}).encode(),
                {**token, "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())},
                method="PUT",
            )
            for assignment in assignments_of(batch, ada)
        ]
        pages = [f"{address}/livez", urllib.request.Request(f"{address}/api/v1/projects/", headers=token)]
        holder = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
        with closing(holder), ThreadPoolExecutor(saves) as pool:
            holder.execute("BEGIN IMMEDIATE")
            release_at = time.monotonic() + held_seconds
            saving = [pool.submit(timed_status, answer) for answer in answers]
            read = []
            while time.monotonic() < release_at:
                read += [timed_status(page) for page in pages]
                time.sleep(0.1)
            holder.execute("ROLLBACK")
            saved = [one.result() for one in saving]
        assert {code for code, _ in read} == {200} and len(read) > 2 * held_seconds
        # None waits for the lock; the first ones share the processor with fifty saves that begin.
        waits = sorted(seconds for _, seconds in read)
        assert waits[len(waits) * 9 // 10] < 1 and waits[-1] < lock_seconds - 1, waits[-5:]
        assert {code for code, _ in saved} == {200, 503} or {code for code, _ in saved} == {503}
        assert max(seconds for _, seconds in saved) < lock_seconds + 2
        # As the outbox of a browser does.
        for answer, (code, _) in zip(answers, saved, strict=True):
            if code == 503:
                assert status(answer) == 200
    assert Answer.objects.filter(assignment__item__batch=batch).count() == saves


def login(address, username):
    body = json.dumps({"username": username, "password": PASSWORD}).encode()
    request = urllib.request.Request(
        f"{address}/api/v1/auth/login/", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return {"Authorization": f"Token {json.load(response)['token']}"}


def timed_status(request):
    began = time.monotonic()
    return status(request), time.monotonic() - began


def test_livez_is_answered_while_large_bodies_come_slowly(tmp_path):
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


def blocking(settings, threads):
    """The middleware before a view that waits for the event; the semaphore counts who has come there."""
    settings.WEB_THREADS = threads
    end, arrived = threading.Event(), threading.Semaphore(0)

    def view(request):
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
def test_half_of_the_threads_receive_files(settings, monkeypatch, kind, body):
    monkeypatch.setattr(process._share, "free", None)
    middleware, end, arrived = blocking(settings, 4)
    requests = [RequestFactory().post("/anything/", body, content_type=kind) for _ in range(8)]
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
    small = RequestFactory().post("/anything/", b"{}", content_type="application/json")
    assert middleware(small).status_code == 200


@pytest.fixture
def no_calls(monkeypatch):
    """All calls of the processes that parse are taken by others."""
    monkeypatch.setattr(process._share, "free", threading.BoundedSemaphore(1))
    process._share.free.acquire()


@pytest.mark.usefixtures("no_calls")
def test_a_file_that_cannot_be_read_now(people):
    """That of a classifier's training: files to import are read by workers."""
    sent = {"name": "new", "file": SimpleUploadedFile("pairs.tsv", b"1\tA dam broke.\tA dam burst.\n")}
    answer = people.client("manager").post("/api/v1/projects/dams/classifiers/", sent)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert answer.json() == {"detail": "Other files are being read. Try again in a few seconds."}


def test_the_wait_for_a_lock_is_bounded_and_then_as_before(monkeypatch):
    show = "SHOW lock_timeout" if connection.vendor == "postgresql" else "PRAGMA busy_timeout"

    def waits():
        with connection.cursor() as cursor:
            cursor.execute(show)
            return cursor.fetchone()

    before = waits()
    with lock_wait(0.5):
        assert waits() != before
        with lock_wait(3):
            assert longest_lock_wait() == 0.5
        with lock_wait(0.2):
            assert longest_lock_wait() == 0.2
    assert waits() == before
