from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from alignment.models import TrainedAligner
from alignment.services.trained_aligners.stored import model_path
from jobs.models import Job, JobState
from jobs.services import ledger, removal
from ops.deletion.projects import (
    KIND,
    delete_project,
    deleted_projects,
    remove_now,
    restore_project,
    sweep_deleted_projects,
)
from projects.errors import PublicError
from projects.models import AuditEntry, Project
from tests.factories.corpus import JobFactory

from .world import files, make_world, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made(module_database, tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("everything"))


@pytest.fixture
def world(made):
    """Each test has the files again, as it has the rows."""
    contents = {path: path.read_bytes() for path in (Path(settings.VAR) / name for name in files())}
    yield made
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def deleted(world, days_ago=0):
    delete_project(project=world.people.project, by=world.people["manager"], confirmed="Dams")
    Project.everything.filter(slug="dams").update(deleted_at=timezone.now() - timedelta(days=days_ago))
    return world.project


def test_it_needs_its_name(world):
    for wrong in ("", "dams", "Bridges"):
        with pytest.raises(PublicError, match="type its name"):
            delete_project(project=world.people.project, by=world.people["manager"], confirmed=wrong)
    assert Project.objects.filter(slug="dams").exists()
    deleted(world)
    with pytest.raises(PublicError, match="deleted already"):
        delete_project(project=world.people.project, by=world.people["admin"], confirmed="Dams")


def test_its_jobs_stop_and_none_begins(world):
    running = JobFactory(project=world.project, state=JobState.RUNNING)
    running.chunks.create(number=0, units=1, payload={})
    deletion = JobFactory(project=world.project, state=JobState.RUNNING, kind=removal.JOB)
    project = deleted(world)
    sweep_deleted_projects()
    for job in (running, deletion):
        job.refresh_from_db()
        assert job.state == JobState.CANCELLED
    assert ledger.lease_chunk(job=running, worker="w") is None
    with pytest.raises(PublicError, match="deleted"):
        ledger.retry_job(job=running)
    wish: dict[str, Any] = {"title": "t", "parameters": {}, "signature": "", "chunks": []}
    with pytest.raises(PublicError, match="deleted"):
        ledger.request_job(project=project, by=None, kind="extract", **wish)


def test_it_is_restored_as_it_was(world):
    before = rows()
    project = deleted(world, days_ago=6.9)
    sweep_deleted_projects()
    assert list(deleted_projects(world.people["admin"])) == [project]
    assert list(deleted_projects(world.people["manager"])) == [project]
    assert not deleted_projects(world.people["stranger"]).exists()
    restore_project(project=project, by=world.people["manager"])
    assert Project.objects.visible_to(world.people["viewer"]).get() == project
    assert rows() == before
    log = AuditEntry.objects.order_by("pk").values_list("event", "project")
    assert list(log)[-2:] == [("project-deleted", "dams"), ("project-restored", "dams")]


def test_after_some_days_nothing_is_left(world):
    """But for a file that another project has too."""
    shared = TrainedAligner.objects.filter(project=world.project).exclude(sha256="").first()
    assert shared is not None
    job = JobFactory(project=world.people.foreign)
    shared.pk, shared.project, shared.job = None, world.people.foreign, job
    shared.gold_set = shared.dataset = None
    shared.save()
    project = deleted(world, days_ago=7.1)
    sweep_deleted_projects()
    job = Job.objects.get(kind=KIND)
    with pytest.raises(PublicError, match="cannot be restored"):
        restore_project(project=project, by=world.people["admin"])
    sweep_deleted_projects()
    assert Job.objects.get(kind=KIND) == job
    remove_now(project=project)
    of_other = {shared._meta.label: 1, job._meta.label: 1}
    assert rows() == {name: count + of_other.get(name, 0) for name, count in world.rows_without.items()}
    # Other tests of the session may have left some before.
    assert files() - world.files_without == {str(model_path(shared.sha256).relative_to(settings.VAR))}


def test_what_came_in_meanwhile_is_removed_by_the_next_sweep(world):
    project = deleted(world, days_ago=8)
    sweep_deleted_projects()
    ledger.move(Job.objects.get(kind=KIND), JobState.RUNNING)
    ledger.move(Job.objects.get(kind=KIND), JobState.DONE)
    sweep_deleted_projects()
    assert Project.everything.filter(pk=project.pk).exists() and not Job.objects.filter(kind=KIND).exists()
    sweep_deleted_projects()
    assert Job.objects.get(kind=KIND).state == JobState.QUEUED
