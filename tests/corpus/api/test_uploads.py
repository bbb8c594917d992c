import errno
from pathlib import Path

import pytest
from django.conf import settings
from django.http import UnreadablePostError

from corpus.api import imports
from corpus.models import Article, CorpusImport
from corpus.services import uploads
from jobs.services.running import run_here
from projects.errors import TooLittleRoom

from .test_imports import FILE, IMPORTS

SIZE = len(FILE)


def kept(people, pieces, size=SIZE):
    return uploads.keep_upload(
        pieces=pieces, size=size, filename="dams.jsonl", encoding="utf-8", project=people.project,
        user=people["manager"],
    )  # fmt: skip


def test_the_bytes_are_kept_as_they_came(people, tmp_path):
    token = kept(people, [FILE[:30], FILE[30:]]).token
    assert uploads.fetch_upload(token).read_bytes() == FILE
    written = tmp_path / "written"
    written.write_bytes(FILE)
    assert uploads.fetch_upload(kept(people, written).token).read_bytes() == FILE
    assert not written.exists()


@pytest.mark.parametrize("error", [UnreadablePostError("connection reset"), OSError(errno.ENOSPC, "full")])
def test_a_lost_connection_and_a_full_disk_leave_nothing(people, error):
    before = set(Path(settings.UPLOADS_DIR).iterdir())

    def lost():
        yield FILE[:30]
        raise error

    with pytest.raises((UnreadablePostError, TooLittleRoom)):
        kept(people, lost())
    assert set(Path(settings.UPLOADS_DIR).iterdir()) == before


def announced(client, megabytes):
    return client.generic(
        "POST", IMPORTS, b"", content_type="application/x-ndjson", CONTENT_LENGTH=str(megabytes << 20)
    )


def test_limits(people, monkeypatch):
    client = people.client("manager")
    too_large = announced(client, 5000)
    assert too_large.status_code == 413 and "4,096 MB" in str(too_large.data)
    assert announced(people.client("annotator"), 200).status_code == 413
    monkeypatch.setattr(uploads, "FREE_BYTES_KEPT", 1 << 60)
    full = announced(client, 1)
    assert full.status_code == 507 and "disk" in str(full.data)


@pytest.fixture
def large(monkeypatch):
    """Every file counts as a large one, which a worker does."""
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 0)


def send(people, query="", body=FILE):
    answer = people.client("manager").generic(
        "POST", IMPORTS + query, body, content_type="application/x-ndjson"
    )
    assert answer.status_code == 202
    return answer.data


def work(pk):
    """What a worker would do, until nothing is left to do."""
    for _ in range(2):
        job = CorpusImport.objects.get(pk=pk).job
        assert job is not None
        run_here(job=job)
    return CorpusImport.objects.get(pk=pk).state


def test_a_large_file_is_only_checked_then_stored(people, large):
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
