"""Fetching over the API."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import Article, CorpusImport, Fetch
from corpus.services import fetching
from jobs.models import Job
from jobs.services import running
from jobs.services.running import run_here
from tests.misbehaving_server import MisbehavingServer, page, serving
from tests.permissions.people import People

FETCHES = "/api/v1/projects/dams/fetches/"


@pytest.fixture
def server(settings) -> Iterator[MisbehavingServer]:
    settings.FETCH_LOOPBACK_FOR_TESTS = True
    settings.FETCH_DELAY_SECONDS = 0.0
    with serving() as server:
        server.answers["/a"] = page()
        yield server


def test_addresses_are_fetched_reported_and_imported(people: People, server: MisbehavingServer) -> None:
    client = people.client("manager")
    addresses = [{"cluster": "dam", "url": server.url(path)} for path in ("/a", "/gone", "/a")]
    made = client.post(FETCHES, {"addresses": addresses, "filename": "mine"}, format="json")
    assert (made.status_code, made.data["repeated"], made.data["job"]["total"]) == (201, 1, 2)
    one = f"{FETCHES}{made.data['id']}/"
    run_here(job=Fetch.objects.get().job)
    assert client.get(one).data["job"]["counts"]["pages"] == 1
    report = client.get(one + "addresses/").data["items"]
    assert [(row["state"], row["status"]) for row in report] == [("kept", 200), ("refused", 404)]
    assert [row["url"] for row in client.get(one + "addresses/?state=refused").data["items"]] == [
        server.url("/gone")
    ]
    checking = client.post(one + "import/")
    assert (checking.status_code, checking.data["state"]) == (202, "checking")
    fetch = Fetch.objects.get()
    run_here(job=fetch.corpus_import.job)
    imported = f"/api/v1/projects/dams/imports/{checking.data['id']}/"
    assert client.get(imported).data["state"] == "checked"
    assert client.post(imported + "store/").status_code == 202
    run_here(job=Fetch.objects.get().corpus_import.job)
    assert Article.objects.get().url == server.url("/a")
    assert [row["imported"] for row in client.get(FETCHES).data["items"]] == [checking.data["id"]]
    assert client.delete(one).status_code == 204
    assert Article.objects.exists() and not Fetch.objects.exists()


def test_a_file_of_addresses(people: People, server: MisbehavingServer) -> None:
    file = SimpleUploadedFile("dam.txt", server.url("/a").encode())
    made = people.client("manager").post(FETCHES, {"file": file}, format="multipart")
    assert (made.status_code, made.data["filename"]) == (201, "dam.txt")


def test_bad_addresses_are_told_and_nothing_is_fetched(people: People) -> None:
    client = people.client("manager")
    addresses = [{"cluster": "dam", "url": url} for url in ("http://a.example/", "http://me@a.example/")]
    answer = client.post(FETCHES, {"addresses": addresses}, format="json")
    assert answer.status_code == 422
    assert answer.data["problems"][0]["line"] == 2
    assert answer.data["detail"].startswith("Nothing is fetched. Line 2:")
    file = SimpleUploadedFile("list.csv", b"")
    assert client.post(FETCHES, {"file": file}, format="multipart").status_code == 422
    for body in ({}, {"addresses": []}, {"addresses": "x"}, {"addresses": [{"url": "x"}]}, {"urls": []}):
        assert client.post(FETCHES, body, format="json").status_code == 400
    assert not Fetch.objects.exists()


def test_where_fetching_is_off(people: People, settings) -> None:
    settings.FETCHING = False
    addresses = [{"cluster": "dam", "url": "http://a.example/"}]
    answer = people.client("manager").post(FETCHES, {"addresses": addresses}, format="json")
    assert answer.status_code == 400 and "PARAGOLD_FETCHING=1" in answer.data["detail"]


def test_a_list_is_read_by_a_worker_and_not_in_the_request(
    people: People, server: MisbehavingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no worker the request opens nothing, whatever is in the file, and answers 202."""
    monkeypatch.setattr(running, "wait_for", lambda job, seconds: False)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("dam.txt", server.url("/a"))
    client = people.client("manager")
    files = {"lists.zip": packed.getvalue(), "list.csv": b"cluster,url\ndam,ftp://x.example/\n"}
    jobs = []
    with monkeypatch.context() as patched:
        patched.setattr(
            fetching, "read_address_list", lambda *args, **kwargs: pytest.fail("read in the request")
        )
        for name, data in files.items():
            answer = client.post(FETCHES, {"file": SimpleUploadedFile(name, data)}, format="multipart")
            assert answer.status_code == 202
            jobs.append(Job.objects.get(pk=answer.data["id"]))
    for job in jobs:
        run_here(job=job)
    one, other = (client.get(f"/api/v1/jobs/{job.pk}/").data["parameters"] for job in jobs)
    assert one["fetch"] == Fetch.objects.get().pk
    assert [problem["line"] for problem in other["problems"]] == [2]


def test_the_archive_of_fetched_pages_is_written_by_the_worker(
    people: People, server: MisbehavingServer, settings
) -> None:
    client = people.client("manager")
    made = client.post(FETCHES, {"addresses": [{"cluster": "dam", "url": server.url("/a")}]}, format="json")
    run_here(job=Fetch.objects.get().job)
    before = set(Path(settings.UPLOADS_DIR).glob("*"))
    asked = client.post(f"{FETCHES}{made.data['id']}/import/")
    assert set(Path(settings.UPLOADS_DIR).glob("*")) == before
    run_here(job=CorpusImport.objects.get().job)
    checked = client.get(f"/api/v1/projects/dams/imports/{asked.data['id']}/").data
    assert (checked["state"], checked["counts"]["articles"]) == ("checked", 1)
