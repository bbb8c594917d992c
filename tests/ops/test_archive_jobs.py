"""Archives by page and API: asked for, kept, and brought in after a look at what they hold."""

from __future__ import annotations

import json
import stat
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpus.models import ProjectPreset
from jobs.models import JobState
from jobs.services.running import run_here
from ops.archive.archive_storage import archive_path, folder, request_archive, sweep_archives
from ops.archive.import_jobs import begin_storing, sweep_imports
from ops.archive.storing import STAGING, import_project
from ops.archive.writing import export_project, snapshot
from ops.models import DAYS_KEPT, ArchiveImport, ArchiveState, ProjectArchive
from paragold.extraction.presets import PRESETS
from projects.errors import PublicError
from projects.models import Project, Role
from tests.audit import entries, events
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import JobFactory, ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def installation(settings: Any, tmp_path: Path) -> Path:
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR, settings.UPLOADS_DIR = settings.VAR / "exports", settings.VAR / "uploads"
    settings.UPLOADS_DIR.mkdir(parents=True)
    return tmp_path


@pytest.fixture
def project(installation: Path) -> Project:
    """Judged by two."""
    project: Project = ProjectFactory(slug="dams", name="Dams")
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    batch = judging_batch(project, people, size=2, dataset=dataset_of(project, 2))
    judge_all(batch, people[0], ["paraphrase", "not_paraphrase"])
    return project


@pytest.fixture
def manager(project: Project, client: Client) -> Client:
    client.force_login(member(project, Role.MANAGER, "mia"))
    return client


@pytest.fixture
def admin(project: Project) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def archive(project: Project, installation: Path) -> Path:
    """The project's archive, and the project out of its way."""
    path = installation / "dams.zip"
    export_project(project=project, path=path)
    Project.objects.filter(pk=project.pk).update(slug="old")
    return path


def worked(project: Project) -> None:
    for job in project.jobs.filter(state=JobState.QUEUED):
        run_here(job=job)


def test_a_manager_has_an_archive_made_and_downloads_it(manager: Client, project: Project) -> None:
    page = reverse("archives", args=[project.slug])
    assert b"There is no archive yet" in manager.get(page).content
    manager.post(page)
    assert b"Archive of the project" in manager.get(page).content
    assert b"is already being written" in manager.post(page, follow=True).content
    worked(project)
    archive = ProjectArchive.objects.get()
    content = manager.get(page).content.decode()
    assert archive.sha256 in content
    assert archive.filename in content
    answer = manager.get(reverse("archive-download", args=[project.slug, archive.pk]))
    data = b"".join(answer.streaming_content)
    assert (len(data), archive.bytes) == (archive.bytes, archive_path(archive).stat().st_size)
    assert stat.S_IMODE(archive_path(archive).stat().st_mode) == 0o600
    assert events(actor="mia") == ["archive-requested", "file-downloaded"]
    manager.post(reverse("archive-delete", args=[project.slug, archive.pk]))
    assert entries(event="object-deleted", actor="mia").get().target == f"archive {archive.filename}"
    assert not ProjectArchive.objects.exists()


def test_archives_do_not_tell_of_their_own_making(project: Project, manager: Client) -> None:
    """So the same project gives the same archive, which then is kept longer."""
    for _ in range(2):
        request_archive(project=project, by=User.objects.get(username="mia"))
        worked(project)
        ProjectArchive.objects.update(written_at=timezone.now() - timedelta(days=2))
    request_archive(project=project, by=None)
    worked(project)
    archive = ProjectArchive.objects.get()
    assert timezone.now() - archive.written_at < timedelta(days=1)


@pytest.mark.django_db(transaction=True)
def test_others_write_while_an_archive_is_written_from_one_moment(project: Project) -> None:
    """And it comes in again, with nothing around it that a test would roll back."""
    criteria = PRESETS["L12"].criteria.settings()

    def write() -> None:
        try:
            ProjectPreset.objects.create(project=project, name="meanwhile", base="L12", criteria=criteria)
        finally:
            connection.close()

    with snapshot():
        before = ProjectPreset.objects.count()
        writer = threading.Thread(target=write)
        writer.start()
        writer.join(timeout=60)
        assert not writer.is_alive(), "whoever writes waits for the archive"
        assert ProjectPreset.objects.count() == before
    assert ProjectPreset.objects.count() == before + 1
    job = request_archive(project=project, by=None)
    run_here(job=job)
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, 100)
    made = import_project(path=archive_path(ProjectArchive.objects.get()), slug="copy")
    assert made.project.presets.filter(name="meanwhile").exists()
    assert not entries(project_id=made.project.pk).exclude(event="archive-imported").exists()


def test_archives_are_swept_and_wait_for_other_jobs(
    project: Project, django_capture_on_commit_callbacks: Any
) -> None:
    request_archive(project=project, by=None)
    worked(project)
    path = archive_path(ProjectArchive.objects.get())
    sweep_archives()
    assert path.exists()
    ProjectArchive.objects.update(written_at=timezone.now() - timedelta(days=DAYS_KEPT, hours=1))
    with django_capture_on_commit_callbacks(execute=True):
        sweep_archives()
    assert list(folder().iterdir()) == []
    JobFactory(project=project, state=JobState.RUNNING)
    with pytest.raises(PublicError, match="is running"):
        request_archive(project=project, by=None)


def uploaded(admin: Client, path: Path) -> ArchiveImport:
    file = SimpleUploadedFile("dams.zip", path.read_bytes())
    answer = admin.post(reverse("archive-imports"), {"file": file})
    source = ArchiveImport.objects.latest("pk")
    assert answer.headers["Location"] == reverse("archive-import", args=[source.pk])
    return source


def test_an_administrator_sees_what_comes_in_and_says_for_whom(
    admin: Client, archive: Path, installation: Path
) -> None:
    User.objects.filter(username="ann").update(username="anna")
    User.objects.filter(username="ben").update(username="benedict")
    source = uploaded(admin, archive)
    page = reverse("archive-import", args=[source.pk])
    content = admin.get(page).content.decode()
    assert "missing: a new account is made" in content
    assert "Dams" in content
    assert not Project.objects.filter(slug="dams").exists()
    names = source.users
    fields = {f"account-{number}": name for number, name in enumerate(names)}
    wrong = fields | {f"account-{names.index('ann')}": "nobody"}
    answer = admin.post(page, {"confirm": "", "slug": "dams", **wrong})
    assert answer.status_code == 422
    assert "no account &#x27;nobody&#x27; here" in answer.content.decode()
    taken = admin.post(page, {"confirm": "", "slug": "old", **fields})
    assert "A project called &#x27;old&#x27; exists" in taken.content.decode()
    right = fields | {f"account-{names.index('ann')}": "anna"}
    admin.post(page, {"confirm": "", "slug": "dams", **right})
    made = Project.objects.get(slug="dams")
    assert made.memberships.filter(user__username="anna", role=Role.ANNOTATOR).exists()
    assert not User.objects.get(username="ben").is_active
    content = admin.get(page).content.decode()
    assert "New accounts" in content
    assert list((installation / "var" / "uploads").iterdir()) == []
    assert json_of(admin, uploaded(admin, archive))["same_file"] == "dams"


def json_of(admin: Client, source: ArchiveImport) -> dict[str, Any]:
    answer: dict[str, Any] = admin.get(reverse("api-archive-import", args=[source.pk])).json()
    return answer


def test_the_same_by_api_with_a_copy_of_the_same_bytes(
    admin: Client, archive: Path, installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that many tables come in several pieces.
    monkeypatch.setattr("ops.archive.checking.ROWS_A_PIECE", 3)
    begun = admin.post(
        reverse("api-archive-uploads"),
        json.dumps({"filename": "dams.zip", "size": archive.stat().st_size}),
        content_type="application/json",
    ).json()
    data = archive.read_bytes()
    for offset in range(0, len(data), 10_000):
        url = reverse("api-archive-upload", args=[begun["token"]]) + f"?offset={offset}"
        sent = admin.put(url, data[offset : offset + 10_000], content_type="application/octet-stream")
        assert sent.status_code == 200
    answer = admin.post(reverse("api-archive-imports") + f"?upload={begun['token']}")
    assert answer.status_code == 202
    source = ArchiveImport.objects.get(pk=answer.json()["id"])
    assert source.job is not None
    run_here(job=source.job)
    shown = json_of(admin, source)
    assert (shown["state"], shown["preview"]["slug"]) == ("checked", "dams")
    assert {"user": "ann", "found": True} in shown["preview"]["users"]
    unknown = admin.post(
        reverse("api-archive-import-store", args=[source.pk]),
        json.dumps({"accounts": {"zoe": "ann"}}),
        content_type="application/json",
    )
    assert "names no user 'zoe'" in unknown.json()["detail"]
    both = admin.post(
        reverse("api-archive-import-store", args=[source.pk]),
        json.dumps({"accounts": {"ben": "ann"}}),
        content_type="application/json",
    )
    assert "would be used for both" in both.json()["detail"]
    stored = admin.post(
        reverse("api-archive-import-store", args=[source.pk]), "{}", content_type="application/json"
    )
    assert stored.status_code == 202
    source.refresh_from_db()
    assert not Project.objects.filter(slug="dams").exists()
    run_here(job=source.job)
    assert json_of(admin, source)["project"] == "dams"
    second = installation / "second.zip"
    export_project(project=Project.objects.get(slug="dams"), path=second)
    assert second.read_bytes() == archive.read_bytes()


def test_what_the_database_refuses_leaves_nothing_behind(
    admin: Client, archive: Path, installation: Path
) -> None:
    """A short name that is taken between the look and the last row."""
    User.objects.filter(username="ben").update(username="benedict")
    source = uploaded(admin, archive)
    before = User.objects.count()
    job = begin_storing(source=source, by=User.objects.get(username="root"))
    assert User.objects.filter(username="ben").exists()
    ProjectFactory(slug="dams")
    run_here(job=job)
    source.refresh_from_db()
    assert (source.state, source.made) == (ArchiveState.REFUSED, [])
    assert "A project called 'dams' exists" in source.problem
    assert User.objects.count() == before + 1  # who made the other project
    assert source.staging is not None
    assert not source.staging.clusters.exists()
    assert b"cannot be imported" in admin.get(reverse("archive-import", args=[source.pk])).content
    admin.post(reverse("archive-import", args=[source.pk]), {"discard": ""})
    assert not Project.everything.filter(slug__startswith=STAGING).exists()


def test_an_import_that_is_stopped_half_way_is_forgotten(
    admin: Client, archive: Path, installation: Path
) -> None:
    source = uploaded(admin, archive)
    begin_storing(source=source, by=User.objects.get(username="root"))
    ArchiveImport.objects.update(imported_at=timezone.now() - timedelta(days=2))
    sweep_imports()
    assert ArchiveImport.objects.exists(), "its job is still under way"
    admin.delete(reverse("api-archive-import", args=[source.pk]))
    assert not Project.everything.filter(staging=True).exists()
    assert list((installation / "var" / "uploads").iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 cut off", b"\x00" * 100])
def test_what_is_no_archive_is_refused_by_name(admin: Client, installation: Path, data: bytes) -> None:
    path = installation / "bad.zip"
    path.write_bytes(data)
    source = uploaded(admin, path)
    assert source.state == ArchiveState.REFUSED
    assert "dams.zip cannot be read as a project archive" in source.problem
    assert str(installation) not in source.problem
