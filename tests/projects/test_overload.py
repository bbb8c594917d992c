"""A full disk and a locked database: 503 with Retry-After everywhere, and what was acknowledged is stored."""

import errno
import shutil
import sqlite3
import subprocess
import urllib.request
import uuid
from contextlib import closing, contextmanager
from unittest.mock import Mock

import psycopg
import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.urls import reverse
from prometheus_client.parser import text_string_to_metric_families

from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, UserFactory, member
from tests.permissions.bodies import content_of
from tests.permissions.matrix import ROUTES, WHO_MAY
from tests.permissions.objects import first_error, make_world
from tests.permissions.people import by_role, drained
from tests.permissions.test_matrix import url_of
from tests.signing_on import switch_on
from tests.web_server import status, web_server

SOON = 0.01
on_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
needs_sqlite = pytest.mark.skipif(not on_sqlite, reason="a limit of SQLite's own")


@contextmanager
def locked_database(monkeypatch):
    """Another connection holds the lock; this one hardly waits for it."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor, psycopg.connect(dbname=name, **server()) as holder:
            cursor.execute(f"SET lock_timeout = {round(1000 * SOON)}")
            tables = ", ".join(f'"{table}"' for table in connection.introspection.table_names(cursor))
            holder.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")  # type: ignore[arg-type]  # own names
            try:
                yield
            finally:
                holder.rollback()
                connection.close()
        return
    with closing(sqlite3.connect(name, isolation_level=None)) as holder:
        connection.close()
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", SOON)
        holder.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            holder.rollback()
            connection.close()


def server():
    given = connection.settings_dict
    return {
        "user": given["USER"],
        "password": given["PASSWORD"],
        "host": given["OPTIONS"].get("host") or given["HOST"],
        "port": given["PORT"] or None,
    }


def assert_try_later(response):
    assert response.status_code == 503, first_error(response)
    assert int(response.headers["Retry-After"]) > 0
    if response.headers["Content-Type"] == "application/json":
        assert "Try again" in response.json()["detail"]
    else:
        assert b"Try again" in response.content and b"<h1>" in response.content


@pytest.mark.django_db(transaction=True)
def test_every_address_while_the_database_is_locked(monkeypatch, settings, provider):
    world = make_world()
    requests = [
        (name, method, role, by_role(statuses)[role], *content_of(name, method, world.own))
        for name, route in ROUTES.items()
        for method, statuses in route.methods.items()
        for role in [role for role in WHO_MAY if by_role(statuses)[role] < 400][:1]
    ]
    answered = set()
    switch_on(settings, provider)
    with locked_database(monkeypatch):
        for name, method, role, ordinary, content, kind in requests:
            cache.clear()
            client = world.client(role)
            client.raise_request_exception = False
            url = url_of(name, world.own, world.own)
            headers = {"Idempotency-Key": str(uuid.uuid4())}
            response = drained(client.generic(method, url, content, content_type=kind, headers=headers))
            assert response.status_code in (503, ordinary), f"{method} {name}: {first_error(response)}"
            if response.status_code == 503 and name != "readyz":
                assert_try_later(response)
                answered.add((name, method))
    assert len(answered) > 60
    assert {("api-judgement", "PUT"), ("api-login", "POST"), ("api-projects", "POST")} <= answered


@needs_sqlite
@pytest.mark.django_db(transaction=True)
def test_what_was_acknowledged_before_the_disk_was_full_is_stored(client):
    client.force_login(UserFactory(is_superuser=True, is_staff=True))
    client.raise_request_exception = False
    with connection.cursor() as cursor:
        # Without it, pages that other tests left free would take in more than the space that is left.
        cursor.execute("VACUUM")
        (pages,) = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages + 8}")
    acknowledged = []
    for number in range(200):
        body = {"slug": f"p{number}", "name": "n" * 100, "guidelines": "x" * 5000}
        response = client.post(reverse("api-projects"), body, content_type="application/json")
        if response.status_code != 201:
            break
        acknowledged.append(body["slug"])
    connection.close()
    assert_try_later(response)
    assert "disk is full" in response.json()["detail"]
    assert acknowledged and sorted(Project.objects.values_list("slug", flat=True)) == sorted(acknowledged)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte, all of it taken."""
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small file system")
    try:
        fill(tmp_path)
        yield tmp_path
    finally:
        # Lazily: a server may be about to end that has a file open there.
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def fill(folder):
    """Take the last block of a file system."""
    with pytest.raises(OSError) as full, (folder / "rest").open("ab", buffering=0) as rest:
        while True:
            rest.write(bytes(4096))
    assert full.value.errno == errno.ENOSPC


@pytest.mark.django_db(transaction=True)
def test_requests_are_answered_and_counted_while_the_disk_is_full(small_disk):
    """With pages, methods and statuses that no process has counted before."""
    (small_disk / "rest").unlink()
    methods = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW")
    paths = ("livez", "readyz", "nowhere", "accounts/login/", "api/v1/projects/", "metrics")
    token = {"Authorization": "Bearer open sesame"}
    log = small_disk / "web.log"
    with web_server(log, PARAGOLD_METRICS_TOKEN="open sesame") as address:
        fill(small_disk)
        for method in methods:
            for path in paths:
                assert 200 <= status(urllib.request.Request(f"{address}/{path}", method=method)) <= 503
        with urllib.request.urlopen(urllib.request.Request(f"{address}/metrics", headers=token)) as response:
            text = response.read().decode()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    samples = families["paragold_request_seconds"].samples
    # Of both processes together. The request for the figures is counted after its answer.
    assert sum(one.value for one in samples if one.name.endswith("_count")) == len(methods) * len(paths)
    assert families["paragold_disk_free_bytes"].samples[0].value == 0
    assert "SIG" not in log.read_text()


@pytest.mark.django_db
def test_a_full_data_folder(client, small_disk, settings):
    project = ProjectFactory()
    client.force_login(member(project, Role.MANAGER, "mary"))
    settings.VAR, settings.UPLOADS_DIR = small_disk, small_disk
    ready = client.get("/readyz")
    assert ready.status_code == 503 and "disk is full" in ready.json()["problem"]
    file = SimpleUploadedFile("a.txt", b"A dam broke.")
    for name in ("api-imports", "corpus-import"):
        assert client.get(reverse(name, args=[project.slug])).status_code == 200
        sent = client.post(reverse(name, args=[project.slug]), {"file": file}, HTTP_ACCEPT="application/json")
        assert sent.status_code == 507 and "too little space" in sent.json()["detail"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["api-imports", "corpus-import"])
def test_a_file_that_does_not_fit(client, monkeypatch, name):
    project = ProjectFactory()
    client.force_login(member(project, Role.MANAGER, "mary"))
    client.raise_request_exception = False
    writing = "django.core.files.uploadhandler.TemporaryFileUploadHandler.receive_data_chunk"
    monkeypatch.setattr(writing, Mock(side_effect=OSError(errno.ENOSPC, "full")))
    file = SimpleUploadedFile("a.txt", b"A dam broke. " * 200_000)
    sent = client.post(reverse(name, args=[project.slug]), {"file": file})
    assert sent.status_code == 507 and b"disk is full" in sent.content, first_error(sent)


@pytest.mark.django_db
def test_ready_says_that_the_disk_is_full(client, monkeypatch):
    monkeypatch.setattr("ops.health.tempfile.TemporaryFile", Mock(side_effect=OSError(errno.EDQUOT, "")))
    ready = client.get("/readyz")
    assert ready.status_code == 503 and "disk is full" in ready.json()["problem"]
