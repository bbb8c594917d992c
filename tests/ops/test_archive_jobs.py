from __future__ import annotations

import stat
import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from corpus.models import ProjectPreset
from jobs.models import JobState
from jobs.services.running import run_here
from ops.archive.archive_storage import archive_path, folder, request_archive, sweep_archives
from ops.archive.storing import import_project
from ops.archive.writing import export_project, snapshot
from ops.models import DAYS_KEPT, ProjectArchive
from paragold.extraction.presets import PRESETS
from projects.errors import PublicError
from projects.models import Project, Role
from tests.audit import entries, events
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import JobFactory, ProjectFactory, dataset_of, member

pytestmark = pytest.mark.django_db


@pytest.fixture
def installation(settings, tmp_path):
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR, settings.UPLOADS_DIR = settings.VAR / "exports", settings.VAR / "uploads"
    settings.UPLOADS_DIR.mkdir(parents=True)
    return tmp_path


@pytest.fixture
def project(installation):
    """Judged by two."""
    project: Project = ProjectFactory(slug="dams", name="Dams")
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    batch = judging_batch(project, people, size=2, dataset=dataset_of(project, 2))
    judge_all(batch, people[0], ["paraphrase", "not_paraphrase"])
    return project


@pytest.fixture
def manager(project, client):
    client.force_login(member(project, Role.MANAGER, "mia"))
    return client


@pytest.fixture
def archive(project, installation):
    """The project's archive, and the project out of its way."""
    path = installation / "dams.zip"
    export_project(project=project, path=path)
    Project.objects.filter(pk=project.pk).update(slug="old")
    return path


def worked(project):
    for job in project.jobs.filter(state=JobState.QUEUED):
        run_here(job=job)


def test_a_manager_has_an_archive_made_and_downloads_it(manager, project):
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


def test_archives_do_not_tell_of_their_own_making(project, manager):
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
def test_others_write_while_an_archive_is_written_from_one_moment(project):
    """And it comes in again, with nothing around it that a test would roll back."""
    criteria = PRESETS["L12"].criteria.as_json()

    def write():
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
    assert (job.state, job.done) == (JobState.DONE, 1)
    made = import_project(path=archive_path(ProjectArchive.objects.get()), slug="copy")
    assert made.project.presets.filter(name="meanwhile").exists()
    assert not entries(project_id=made.project.pk).exclude(event="archive-imported").exists()


def test_archives_are_swept_and_wait_for_other_jobs(project, django_capture_on_commit_callbacks):
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


def test_an_import_that_fails_leaves_nothing_behind(archive, monkeypatch):
    """Where the disk is full by the end."""
    User.objects.filter(username="ben").update(username="benedict")
    before = (User.objects.count(), Project.everything.count())

    def full(storing, *_):
        assert User.objects.filter(username="ben").exists()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ops.archive.storing.ArchiveImport._renumber_json", full)
    with pytest.raises(PublicError, match=r"dams\.zip: .*No space left"):
        import_project(path=archive)
    assert (User.objects.count(), Project.everything.count()) == before
