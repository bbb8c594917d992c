from __future__ import annotations

import os
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from alignment.models import Export
from alignment.services.export_store import export_path
from corpus.services.uploads import keep_upload, kept_for, upload_path
from jobs import worker
from ops.deletion.projects import sweep_files
from projects.models import Project, Role
from tests.factories.annotation import gold_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_gold

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def var(settings, tmp_path):
    settings.VAR, settings.EXPORTS_DIR = tmp_path, tmp_path / "exports"
    settings.UPLOADS_DIR = tmp_path / "uploads"


@pytest.fixture
def project():
    project: Project = ProjectFactory(slug="dams", name="Dams")
    member(project, Role.MANAGER, "mira")
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    gold_set(project, people)
    return project


@pytest.fixture
def manager(project, client):
    client.force_login(User.objects.get(username="mira"))
    return client


def test_uploads_go_after_their_days(project, settings, manager):
    settings.UPLOADS_DAYS = 3.0
    user = User.objects.get(username="mira")
    upload = keep_upload(
        pieces=[b"123456789"], filename="a.jsonl", size=9, encoding="utf-8", project=project, user=user
    )
    path = upload_path(upload.token)
    kept = [path, path.with_suffix(".json")]
    for days, there in ((2.9, True), (3.1, False)):
        for path in kept:
            os.utime(path, (time.time() - days * 24 * 3600,) * 2)
        sweep_files()
        assert [path.exists() for path in kept] == [there, there]
    assert kept_for() == "3 days"
    assert "deleted after 3 days" in manager.get(reverse("corpus-import", args=["dams"])).content.decode()


def test_exports_go_after_their_days(project, settings, manager, django_capture_on_commit_callbacks):
    export = export_gold(project=project, by=None, gold_set=project.gold_sets.get())
    path = export_path(project, export.sha256)
    address = reverse("exports", args=["dams"])
    assert "Exports are deleted" not in manager.get(address).content.decode()
    for setting, days, there in ((0, 4000, True), (30, 29, True), (30, 31, False)):
        settings.EXPORTS_DAYS = setting
        Export.objects.update(created_at=timezone.now() - timedelta(days=days))
        with django_capture_on_commit_callbacks(execute=True):
            sweep_files()
        assert (path.exists(), Export.objects.exists()) == (there, there)
    export_gold(project=project, by=None, gold_set=project.gold_sets.get())
    assert "Exports are deleted 30 days after they were made" in manager.get(address).content.decode()


def test_workers_keep_house_and_go_on_when_that_fails(monkeypatch):
    done = []

    def fails():
        raise RuntimeError("no")

    monkeypatch.setattr("ops.deletion.projects.sweep_deleted_projects", fails)
    monkeypatch.setattr("ops.deletion.projects.sweep_files", lambda: done.append("files"))
    worker.housekeeping()
    assert done == ["files"]


def test_the_command(project, capsys):
    with pytest.raises(CommandError, match="type its name"):
        call_command("delete_project", project="dams", confirm="dam")
    call_command("delete_project", project="dams", confirm="Dams")
    assert "restored for 7 days" in capsys.readouterr().out
    assert Project.everything.get().deleted_by == project.created_by
    Project.everything.update(deleted_at=None)
    call_command("delete_project", project="dams", confirm="Dams", now=True)
    assert "Dams is removed." in capsys.readouterr().out
    assert not Project.everything.filter(slug="dams").exists()
