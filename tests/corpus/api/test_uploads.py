"""Large files in pieces: continued after a lost connection, bounded, then imported by their token."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.http import UnreadablePostError
from rest_framework.test import APIClient

from corpus.api import imports
from corpus.models import Article, CorpusImport
from corpus.services import uploads
from jobs.services.running import run_here
from tests.permissions.people import People

from .test_imports import FILE, IMPORTS

UPLOADS = IMPORTS.replace("imports", "uploads")


def begin(client: APIClient, size: int = len(FILE), filename: str = "dams.jsonl") -> str:
    answer = client.post(UPLOADS, {"filename": filename, "size": size}, format="json")
    assert answer.status_code == 201
    assert (answer.data["received"], answer.data["piece_bytes"]) == (0, 8 << 20)
    return answer.data["token"]


def add(client: APIClient, token: str, offset: int, piece: bytes) -> Any:
    return client.generic(
        "PUT", f"{UPLOADS}{token}/?offset={offset}", piece, content_type="application/octet-stream"
    )


def test_a_file_in_pieces_with_a_lost_answer(people: People) -> None:
    client = people.client("manager")
    token = begin(client)
    assert add(client, token, 0, FILE[:50]).data["received"] == 50
    again = add(client, token, 0, FILE[:50])
    assert (again.status_code, again.data["current"]) == (409, {"received": 50})
    assert client.get(f"{UPLOADS}{token}/").data["received"] == 50
    early = client.post(f"{IMPORTS}?upload={token}")
    assert early.status_code == 400 and "send the rest first" in str(early.data)
    assert add(client, token, 50, FILE[50:]).data["received"] == len(FILE)
    done = client.post(f"{IMPORTS}?upload={token}")
    assert (done.status_code, done.data["status"]) == (201, "imported")
    assert client.get(f"{UPLOADS}{token}/").status_code == 404


def test_more_than_was_announced_is_refused_and_not_kept(people: People) -> None:
    client = people.client("manager")
    token = begin(client, size=10)
    assert add(client, token, 0, b"12345").status_code == 200
    answer = add(client, token, 5, b"678901")
    assert answer.status_code == 400 and "were announced" in str(answer.data)
    assert client.get(f"{UPLOADS}{token}/").data["received"] == 5


def test_a_connection_that_is_lost_in_the_middle_of_a_piece(people: People) -> None:
    """What came of the piece is kept, or not; the server says where to go on."""
    client = people.client("manager")
    token = begin(client)
    upload = uploads.Upload(token, "dams.jsonl", "utf-8", 0, 0, len(FILE))

    def lost() -> Iterator[bytes]:
        yield FILE[:30]
        raise UnreadablePostError("connection reset")

    with pytest.raises(UnreadablePostError):
        uploads.add_piece(upload=upload, offset=0, pieces=lost())
    assert upload.received == 0
    assert uploads.add_piece(upload=upload, offset=0, pieces=[FILE[:30]]) == 30

    def lost_late() -> Iterator[bytes]:
        yield FILE[30:40]
        # The browser has come back and sent the rest before the server noticed.
        assert add(client, token, 40, FILE[40:]).status_code == 200
        raise UnreadablePostError("connection reset")

    with pytest.raises(UnreadablePostError):
        uploads.add_piece(upload=upload, offset=30, pieces=lost_late())
    assert upload.path.read_bytes() == FILE


def test_a_full_disk_is_said_and_the_upload_goes_on_later(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = people.client("manager")
    token = begin(client)
    assert add(client, token, 0, FILE[:20]).data["received"] == 20
    with monkeypatch.context() as patched:
        patched.setattr(uploads, "memoryview", Mock(side_effect=OSError(errno.ENOSPC, "full")), raising=False)
        answer = add(client, token, 20, FILE[20:])
    assert answer.status_code == 507 and "disk" in str(answer.data)
    assert client.get(f"{UPLOADS}{token}/").data["received"] == 20
    assert add(client, token, 20, FILE[20:]).data["received"] == len(FILE)


def test_limits(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    client = people.client("manager")
    too_large = client.post(UPLOADS, {"filename": "a", "size": 5000 << 20}, format="json")
    assert too_large.status_code == 400 and "4,096 MB" in str(too_large.data)
    token = begin(client)
    piece = client.generic(
        "PUT", f"{UPLOADS}{token}/?offset=0", b"", content_type="application/octet-stream",
        CONTENT_LENGTH=str(9 << 20),
    )  # fmt: skip
    assert piece.status_code == 400 and "at most 8 MB" in str(piece.data)
    monkeypatch.setattr(uploads, "FREE_BYTES_KEPT", 1 << 60)
    full = client.post(UPLOADS, {"filename": "a", "size": 1}, format="json")
    assert full.status_code == 507 and "disk" in str(full.data)


def test_an_upload_is_its_owners_alone(people: People) -> None:
    token = begin(people.client("manager"))
    admin = people.client("admin")
    assert admin.get(f"{UPLOADS}{token}/").status_code == 404
    assert add(admin, token, 0, b"x").status_code == 404
    assert admin.post(f"{IMPORTS}?upload={token}").status_code == 400


def test_discarded(people: People) -> None:
    client = people.client("manager")
    before = set(Path(settings.UPLOADS_DIR).iterdir())
    token = begin(client)
    assert client.delete(f"{UPLOADS}{token}/").status_code == 204
    assert set(Path(settings.UPLOADS_DIR).iterdir()) == before


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file counts as a large one, which a worker does."""
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 0)


def send(people: People, query: str = "", body: bytes = FILE) -> dict[str, Any]:
    answer = people.client("manager").generic(
        "POST", IMPORTS + query, body, content_type="application/x-ndjson"
    )
    assert answer.status_code == 202
    return answer.data


def work(pk: int) -> str:
    """What a worker would do, until nothing is left to do."""
    for _ in range(2):
        job = CorpusImport.objects.get(pk=pk).job
        assert job is not None
        run_here(job=job)
    return CorpusImport.objects.get(pk=pk).state


def test_a_large_file_is_left_to_a_worker(people: People, large: None) -> None:
    begun = send(people)
    assert (begun["state"], begun["job"]) == ("checking", CorpusImport.objects.get().job_id)
    assert work(begun["id"]) == "imported"
    told = people.client("manager").get(f"{IMPORTS}{begun['id']}/").data
    assert (told["state"], told["counts"]["articles_added"]) == ("imported", 4)


def test_a_large_file_is_only_checked_then_stored(people: People, large: None) -> None:
    client = people.client("manager")
    begun = send(people, "?check=1")
    assert work(begun["id"]) == "checked"
    assert not Article.objects.exists()
    stored = client.post(f"{IMPORTS}{begun['id']}/store/")
    assert (stored.status_code, stored.data["state"]) == (202, "storing")
    assert client.post(f"{IMPORTS}{begun['id']}/store/").status_code == 400
    assert work(begun["id"]) == "imported"
    assert Article.objects.count() == 4
    assert client.delete(f"{IMPORTS}{begun['id']}/").status_code == 204


def test_a_large_file_with_a_problem_is_refused(people: People, large: None) -> None:
    begun = send(people, body=FILE + b"{broken\n")
    assert work(begun["id"]) == "refused"
    told = people.client("manager").get(f"{IMPORTS}{begun['id']}/").data
    assert told["problems"][0]["line"] == 3
    assert not Article.objects.exists()


def test_a_large_import_is_discarded(people: People, large: None) -> None:
    begun = send(people, "?check=1")
    work(begun["id"])
    before = len(list(Path(settings.UPLOADS_DIR).iterdir()))
    assert people.client("manager").delete(f"{IMPORTS}{begun['id']}/").status_code == 204
    assert not CorpusImport.objects.exists()
    assert len(list(Path(settings.UPLOADS_DIR).iterdir())) == before - 3
