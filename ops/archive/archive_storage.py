"""Archives of projects: written by a job, kept for some days, then deleted."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from corpus.models import CandidatePair
from jobs.kinds import Runner
from jobs.models import ACTIVE, Job, JobChunk
from jobs.services import ledger
from jobs.services.running import reporting
from ops.models import DAYS_KEPT, ProjectArchive
from paragold.formats.manifest import sha256_of
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
    return _path(archive.project_id, archive.sha256)


def _path(project_id: int, sha256: str) -> Path:
    return folder() / f"{project_id}-{sha256}.zip"


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
        parameters={"units": "percent"},
        signature=f"archive {VERSION}",
        chunks=[ledger.ChunkPlan(units=100, payload={})],
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


@contextmanager
def _reporting_beside(chunk: JobChunk) -> Iterator[Callable[[float], None]]:
    """What takes the share that is done, 0 to 1, from within a transaction that only reads.

    As `reporting`, but by a thread with a connection of its own. In the tests, which are one transaction,
    nothing is written: another connection would wait for its end.
    """
    if connection.in_atomic_block:
        yield lambda share: None
        return
    report = reporting(chunk)

    def write(share: float) -> None:
        try:
            with suppress(DatabaseError):  # another process holds the database; the next time will do
                report(int(share * chunk.units))
        finally:
            connection.close()  # that of this thread

    with ThreadPoolExecutor(1, "progress") as pool:
        yield lambda share: pool.submit(write, share).result()


def _compute(job: Job, chunk: JobChunk) -> tuple[Path, str, dict[str, int]]:
    """The file, its sha256, and what it holds."""
    path = folder() / f"{MAKING}{job.pk}-{uuid4().hex}.zip"
    with _reporting_beside(chunk) as report:
        description = export_project(project=job.project, path=path, progress=report)
    rows = sum(table["rows"] for table in description["tables"].values())
    counts = {"rows": rows, "files": len(description["files"]), "bytes": path.stat().st_size}
    sha256 = sha256_of(path)
    storage.send(path, _path(job.project_id, sha256))
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
