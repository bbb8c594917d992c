"""Deleting a project: hidden from everybody at once, restored within UNDO_DAYS, then removed by a job.

The job removes the files first, then the rows in pieces, each in a transaction of its own, so that it can be
interrupted anywhere and nobody waits for a lock (docs/adr/0030-projects-are-hidden-then-removed.md).
"""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DEFAULT_DB_ALIAS, connection, models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from alignment.models import Export
from alignment.services import export_store
from alignment.services.trained_aligners import stored
from corpus.models import CorpusImport, KeptNumbers
from corpus.services import importing, uploads
from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk, JobState
from jobs.services import ledger, removal, retention
from jobs.services.removal import delete_with_files
from jobs.services.running import run_here
from ops.archive import archive_storage
from ops.archive.tables import tables
from ops.models import ProjectArchive
from projects import submissions
from projects.errors import PublicError
from projects.models import Invitation, Project, Submission
from projects.services.audit import record

KIND = ledger.PROJECT_REMOVAL


@transaction.atomic
def delete_project(*, project: Project, by: User, confirmed: str) -> None:
    """Hide a project from everybody and stop its jobs; after UNDO_DAYS it is removed with its files.

    Raises PublicError unless `confirmed` is its name, and where it is deleted already.
    """
    if confirmed.strip() != project.name.strip():
        raise PublicError("To delete the project, type its name.", field="confirm")
    if not Project.objects.filter(pk=project.pk).update(deleted_at=timezone.now(), deleted_by=by):
        raise PublicError("The project is deleted already.")
    record("project-deleted", actor=by, project=project, target=project.name)
    transaction.on_commit(sweep_deleted_projects, robust=True)


@transaction.atomic
def restore_project(*, project: Project, by: User) -> None:
    """Show a deleted project again, with its members. Jobs that were stopped can be resumed by hand.

    Raises PublicError once its removal has begun.
    """
    row = Project.everything.select_for_update(of=("self",), no_key=True).filter(pk=project.pk).first()
    if row is None or row.jobs.filter(kind=KIND).exists():
        raise PublicError("This project cannot be restored: its files are being removed.")
    Project.everything.filter(pk=project.pk).update(deleted_at=None, deleted_by=None)
    record("project-restored", actor=by, project=project, target=project.name)


def deleted_projects(user: Any) -> QuerySet[Project]:
    """The deleted projects that a person may restore: their own deletions, of administrators all."""
    rows = Project.everything.exclude(deleted_at=None).exclude(jobs__kind=KIND)
    return rows if user.is_superuser else rows.filter(deleted_by=user.pk)


def sweep_deleted_projects() -> None:
    """Stop the jobs of deleted projects, and begin or go on with the removal of those that are due."""
    ledger.stop_jobs_of_deleted_projects()
    for pk in Project.everything.filter(deleted_at__lte=retention.due_before()).values_list("pk", flat=True):
        job = _removal(pk)
        if job is not None and job.state == JobState.DONE:
            _remove_project(job)


@transaction.atomic
def _removal(project_id: int) -> Job | None:
    """The job that removes a project, made or resumed where it has to be; None where the project is gone."""
    rows = Project.everything.select_for_update(of=("self",), no_key=True).exclude(deleted_at=None)
    project = rows.filter(pk=project_id).first()
    if project is None:
        return None
    job = project.jobs.filter(kind=KIND).first()
    if job is None:
        staging = project.imports.exclude(staging=None).values_list("staging", flat=True)
        job = ledger.request_job(
            project=project,
            by=None,
            kind=KIND,
            title=f"Remove {project.name}"[:200],
            parameters={"projects": [project.pk, *staging], "units": "steps"},
            signature=KIND,
            chunks=[ledger.ChunkPlan(units=1, payload={"table": 0})],
        )
        ledger.hand_over(job)
    elif job.state not in (*ACTIVE, JobState.DONE) and (
        job.finished_at is None or job.finished_at < timezone.now() - removal.RESUME_AFTER
    ):
        ledger.retry_job(job=job)
    return job


def remove_now(*, project: Project) -> None:
    """Remove a deleted project in this process, beside any workers. Raises PublicError where that fails."""
    job = _removal(project.pk)
    with suppress(Job.DoesNotExist):  # the project is gone, its jobs with it
        if job is not None:
            run_here(job=job)
            if job.state == JobState.FAILED:
                raise PublicError(job.error)
            _remove_project(job)


def _tables() -> list[tuple[type[models.Model], str]]:
    """Every table with rows of a project and the lookup that leads there, each before those it points at."""
    first = (KeptNumbers, Invitation, Submission, ProjectArchive)
    return [
        *((JobChunk, "job__project"), *((model, "project") for model in first)),
        *((table.model, table.to_project) for table in reversed(tables())),
    ]


def _rows(job: Job, table: int) -> QuerySet[Any]:
    """What there is to remove in a table; the job that removes it stays to the end."""
    model, to_project = _tables()[table]
    rows = model._base_manager.filter(**{f"{to_project}__in": job.parameters["projects"]})
    if model in (Job, JobChunk):
        rows = rows.exclude(pk=job.pk) if model is Job else rows.exclude(job=job)
    # Rows that point at others of their table come later; sorting what is left would slow the others down.
    own = any(field.related_model is model for field in model._meta.concrete_fields)
    return rows.order_by("-pk") if own else rows.order_by()


def _remove_files(job: Job, chunk: JobChunk) -> int:
    """Before the first rows go: they name the files. Returns the number of the table that is next."""
    if chunk.number == 0:
        project = job.project
        for source in CorpusImport.everything.filter(project=project):
            uploads.remove_files(source.token)
        uploads.remove_uploads(project)
        export_store.remove_files(project)
        stored.remove_files(project)
        archive_storage.remove_files(project)
    elif connection.vendor == "sqlite":
        time.sleep(removal.PAUSE_SECONDS)  # others get to write between the pieces
    table: int = chunk.payload["table"]
    return table


def _remove_rows(job: Job, table: int) -> dict[str, int]:
    """A piece of the table, or of the next that has rows, and a chunk for the rest."""
    for number in range(table, len(_tables())):
        rows = _rows(job, number)
        ids = list(rows.values_list("pk", flat=True)[: removal.ROWS_AT_ONCE])
        if ids:
            rows.model._base_manager.filter(pk__in=ids)._raw_delete(DEFAULT_DB_ALIAS)
            ledger.add_chunks(job=job, chunks=[ledger.ChunkPlan(units=1, payload={"table": number})])
            Job.objects.filter(pk=job.pk).update(total=models.F("total") + 1)
            return {"rows": len(ids)}
    return {}


def _remove_project(job: Job) -> None:
    """The last rows. Where something came in meanwhile, the next sweep begins again."""
    if any(_rows(job, table).exists() for table in range(len(_tables()))):
        job.delete()
        return
    for pk in reversed(job.parameters["projects"]):
        project = Project.everything.filter(pk=pk).filter(Q(staging=True) | ~Q(deleted_at=None)).first()
        if project is not None:
            submissions.forget(
                f'"{project.slug}"', f"/projects/{project.slug}/"
            )  # such as the one that made it
            project.delete()


RUNNER = Runner(
    compute=_remove_files,
    store=_remove_rows,
    finish=lambda job: transaction.on_commit(lambda: _remove_project(job)),
)


EXPORTS_AT_ONCE = 100


def sweep_files() -> None:
    """Remove what was kept long enough (UPLOADS_DAYS, EXPORTS_DAYS, and DAYS_KEPT of archives)."""
    importing.sweep_imports()
    uploads.sweep_leftovers()
    archive_storage.sweep_archives()
    if settings.EXPORTS_DAYS:
        until = timezone.now() - timedelta(days=settings.EXPORTS_DAYS)
        for export in Export.objects.filter(created_at__lt=until)[:EXPORTS_AT_ONCE]:
            with transaction.atomic():
                delete_with_files(export)
