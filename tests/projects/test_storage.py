import os
import time

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from ops.diagnosis import examine
from projects import storage
from projects.error_responses import STORE_AWAY, overload_of
from scripts import services
from tests.shared_store import share, store  # noqa: F401 - a fixture


@pytest.fixture(params=["folder", "s3"])
def var(request, settings, tmp_path, monkeypatch):
    """The data folder, with and without a shared store."""
    settings.VAR = tmp_path / "var"
    settings.VAR.mkdir()
    if request.param == "s3":
        share(monkeypatch, settings, request.getfixturevalue("store"))
    else:
        settings.SHARED_STORAGE = None
    return settings.VAR


def written(folder, data):
    path = folder / "made"
    path.write_bytes(data)
    return path


def test_a_file_is_put_fetched_listed_and_deleted(var):
    place = var / "exports" / "news" / "a.zip"
    assert not storage.exists(place)
    with pytest.raises(FileNotFoundError):
        storage.fetch(place)
    storage.put(source := written(var, b"one"), place)
    assert not source.exists()
    assert storage.fetch(place).read_bytes() == b"one"
    assert (storage.exists(place), storage.size(place)) == (True, 3)
    storage.put_bytes(b"other", place)
    assert storage.fetch(place).read_bytes() == b"other"
    [stored] = storage.list_files(var / "exports")
    assert (stored.place, stored.size) == (place, 5)
    assert abs(stored.modified - time.time()) < 60
    storage.delete(place)
    storage.delete(place)
    assert not storage.exists(place)
    assert not [path for path in var.rglob("*") if path.is_file()], "no file stays behind"


def test_a_folder_of_parts_is_put_fetched_and_deleted(var):
    made = var / "draft"
    made.mkdir()
    (made / "pairs.csv").write_text("a,b")
    place = var / "exports" / "making-1" / "0"
    storage.put_folder(made, place)
    assert not made.exists()
    assert (storage.fetch_folder(place) / "pairs.csv").read_text() == "a,b"
    storage.delete_folder(var / "exports" / "making-1")
    assert not storage.fetch_folder(place).exists()
    assert storage.list_files(var / "exports") == []


def test_another_host_reads_what_one_has_written(store, settings, tmp_path, monkeypatch):  # noqa: F811 - the fixture
    share(monkeypatch, settings, store)
    one, other = tmp_path / "one", tmp_path / "other"
    for host in (one, other):
        host.mkdir()
    settings.VAR = one
    storage.put(written(one, b"first"), one / "uploads" / "x.records")
    settings.VAR = other
    assert storage.fetch(other / "uploads" / "x.records").read_bytes() == b"first"
    settings.VAR = one
    storage.put(written(one, b"later"), one / "uploads" / "x.records")
    settings.VAR = other
    copy = other / "copies" / "uploads" / "x.records"
    os.utime(copy, (0, 0))  # as if the first one were written in another second
    assert storage.fetch(other / "uploads" / "x.records").read_bytes() == b"later"
    os.utime(copy, (time.time() - 90_000, copy.stat().st_mtime))
    storage.sweep_copies()
    assert not copy.exists()
    storage.delete(other / "uploads" / "x.records")


def test_a_store_that_does_not_answer_is_said_so(settings, tmp_path, monkeypatch):
    dead = {
        "PARAGOLD_STORAGE": "s3://paragold",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{services.free_port()}",
    }
    share(monkeypatch, settings, dead | {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"})
    settings.VAR = tmp_path
    with pytest.raises(storage.StoreAway) as caught:
        storage.exists(tmp_path / "a")
    assert overload_of(caught.value) is STORE_AWAY
    finding = examine("file store")
    assert not finding.ok
    assert "does not answer" in finding.found


@pytest.mark.parametrize("address", ["/data", "s3://", "gs://bucket", "s3://bucket?x=1"])
def test_another_address_is_refused(monkeypatch, address):
    monkeypatch.setenv("PARAGOLD_STORAGE", address)
    with pytest.raises(ImproperlyConfigured, match="s3://bucket/prefix"):
        environment.shared_storage()


def test_keys_may_be_in_files(monkeypatch, tmp_path):
    for name, text in (("AWS_ACCESS_KEY_ID", "public"), ("AWS_SECRET_ACCESS_KEY", "private")):
        monkeypatch.delenv(name, raising=False)
        (tmp_path / name).write_text(f"{text}\n")
        monkeypatch.setenv(f"{name}_FILE", str(tmp_path / name))
    monkeypatch.setenv("PARAGOLD_STORAGE", "s3://bucket/a/b/")
    made = environment.shared_storage()
    assert made is not None
    options = made["OPTIONS"]
    assert (options["bucket_name"], options["location"]) == ("bucket", "a/b")
    assert (options["access_key"], options["secret_key"]) == ("public", "private")


def test_doctor_writes_reads_and_deletes(var):
    finding = examine("file store")
    assert finding.ok, finding.found
    assert finding.found.startswith("s3://" if storage.shared() else "the data folder")
    assert not [path for path in var.rglob("*") if path.is_file()]
