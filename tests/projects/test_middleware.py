"""Requests that wait for a locked database never take every thread of the web server."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from annotation.models import Answer
from projects.lock_wait import lock_wait, longest_lock_wait
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import PASSWORD, ProjectFactory, member
from tests.processes import wait_until
from tests.projects.test_overload import locked_database, needs_sqlite
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


@needs_sqlite
def test_pages_are_answered_while_fifty_saves_wait_and_refused_saves_are_stored_later(tmp_path: Path) -> None:
    """Another program writes all the while: no save waits longer than promised, and each is stored once."""
    saves, lock_seconds, held_seconds = 50, 4, 10
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
        assert max(seconds for _, seconds in read) < 2, sorted(read)[-5:]
        assert {code for code, _ in saved} == {200, 503} or {code for code, _ in saved} == {503}
        assert max(seconds for _, seconds in saved) < lock_seconds + 2
        # As the outbox of a browser does.
        for answer, (code, _) in zip(answers, saved, strict=True):
            if code == 503:
                assert status(answer) == 200
    assert Answer.objects.filter(assignment__item__batch=batch).count() == saves


def login(address: str, username: str) -> dict[str, str]:
    body = json.dumps({"username": username, "password": PASSWORD}).encode()
    request = urllib.request.Request(
        f"{address}/api/v1/auth/login/", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        return {"Authorization": f"Token {json.load(response)['token']}"}


def timed_status(request: str | urllib.request.Request) -> tuple[int, float]:
    began = time.monotonic()
    return status(request), time.monotonic() - began


def test_a_wait_inside_another_is_no_longer_than_it() -> None:
    with lock_wait(0.5):
        with lock_wait(3):
            assert longest_lock_wait() == 0.5
        with lock_wait(0.2):
            assert longest_lock_wait() == 0.2
        assert longest_lock_wait() == 0.5


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
