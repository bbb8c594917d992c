"""Archives of projects: written by a job, kept for some days, then deleted."""

from __future__ import annotations

import shutil
import time
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from corpus.models import CandidatePair
from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk
from jobs.services import ledger
from ops.models import DAYS_KEPT, ProjectArchive
from paragold.formats.publishing import sha256_of
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record

from .tables import MAKE
from .writing import VERSION, check_quiet, export_project

MAKING = "making-"


def folder() -> Path:
    """Where the files are, for the owner of the installation alone."""
    path = Path(settings.VAR) / "archives"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def archive_path(archive: ProjectArchive) -> Path:
    return folder() / f"{archive.project_id}-{archive.sha256}.zip"


@transaction.atomic
def request_archive(*, project: Project, by: User | None) -> Job:
    """Ask for an archive of the project; the end of the job makes the `ProjectArchive`.

    An archive names people and holds their answers, so the request is logged. Raises
    PublicError while another job of the project is under way.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    check_quiet(project)
    if project.jobs.filter(kind=MAKE, state__in=ACTIVE).exists():
        raise PublicError("An archive of this project is already being written.")
    job = ledger.request_job(
        project=project,
        by=by,
        kind=MAKE,
        title="Archive of the project",
        parameters={"units": "archives"},
        signature=f"archive {VERSION}",
        chunks=[ledger.ChunkPlan(units=1, payload={})],
        short=not CandidatePair.objects.filter(project=project)[ledger.SHORT_PAIRS :].exists(),
    )
    record("archive-requested", actor=by, project=project, target=f"job {job.pk}: all answers, with names")
    ledger.hand_over(job)
    sweep_archives()
    return job


def archive_file(archive: ProjectArchive) -> Path:
    """The file of an archive. Raises PublicError when it is gone."""
    try:
        return storage.fetch(archive_path(archive), same=True)
    except FileNotFoundError as error:
        raise PublicError("The file of this archive is missing. Make a new one.") from error


@transaction.atomic
def delete_archive(*, archive: ProjectArchive, by: User | None = None) -> None:
    """Delete an archive and its file; `by` is None where its time is over."""
    path = archive_path(archive)
    record("object-deleted", actor=by, project=archive.project, target=f"archive {archive.filename}")
    archive.delete()
    transaction.on_commit(lambda: storage.delete(path))


def remove_files(project: Project) -> None:
    """Remove the files of a project's archives, unfinished ones too."""
    for stored in storage.list_files(folder()):
        if stored.place.name.startswith(f"{project.pk}-"):
            storage.delete(stored.place)
    for job in project.jobs.filter(kind=MAKE):
        for path in folder().glob(f"*{MAKING}{job.pk}-*"):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def sweep_archives() -> None:
    """Remove archives that were kept long enough, and what workers that died have left."""
    limit = timezone.now() - timedelta(days=DAYS_KEPT)
    for archive in ProjectArchive.objects.filter(written_at__lt=limit).select_related("project"):
        delete_archive(archive=archive)
    for path in folder().iterdir():
        unfinished = path.name.startswith((MAKING, f".{MAKING}"))
        if unfinished and path.stat().st_mtime < time.time() - storage.LEFTOVER_SECONDS:
            _remove(path)


def _compute(job: Job, chunk: JobChunk) -> tuple[Path, str, dict[str, int]]:
    """The file, its sha256, and what it holds."""
    path = folder() / f"{MAKING}{job.pk}-{uuid4().hex}.zip"
    description = export_project(project=job.project, path=path)
    rows = sum(table["rows"] for table in description["tables"].values())
    counts = {"rows": rows, "files": len(description["files"]), "bytes": path.stat().st_size}
    sha256 = sha256_of(path)
    storage.send(path, archive_path(ProjectArchive(project_id=job.project_id, sha256=sha256)))
    return path, sha256, counts


def _store(job: Job, written: tuple[Path, str, dict[str, int]]) -> dict[str, int]:
    """The same content gives the archive that exists, kept from now on."""
    path, sha256, counts = written
    archive, _ = ProjectArchive.objects.update_or_create(
        project=job.project,
        sha256=sha256,
        defaults={**counts, "created_by": job.requested_by, "written_at": timezone.now()},
    )
    storage.put(path, archive_path(archive), same=True)
    return counts


RUNNER = Runner(compute=_compute, store=_store)
