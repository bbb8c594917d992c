"""Health checks, the banner, and the headers that every answer carries."""

from __future__ import annotations

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone

from config import health
from corpus.models import WorkerHeartbeat
from tests.factories.corpus import ProjectFactory, member

pytestmark = pytest.mark.django_db


def test_alive_and_ready_without_a_login(client: Client) -> None:
    assert client.get("/livez").json() == {"alive": True}
    assert client.get("/readyz").json() == {"ready": True}


def test_not_ready_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(connection: object) -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr(health, "MigrationExecutor", broken)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert client.get("/livez").status_code == 200


def test_a_banner_when_no_worker_is_alive(client: Client) -> None:
    client.force_login(member(ProjectFactory(), "manager", "mary"))
    assert b"No worker is running" in client.get("/").content
    WorkerHeartbeat.objects.create(name="here:1", last_seen=timezone.now())
    assert b"No worker is running" not in client.get("/").content


def test_a_strict_content_security_policy(client: Client) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_strangers_get_the_login_page_only(client: Client) -> None:
    project = ProjectFactory()
    for address in ("/", "/projects/new/", f"/projects/{project.slug}/", f"/projects/{project.slug}/corpus/"):
        answer = client.get(address)
        assert (answer.status_code, answer.url.split("?")[0]) == (302, "/accounts/login/")
