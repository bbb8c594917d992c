"""An uploaded archive on its way in: checked by a job, shown, then stored by another, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from corpus.services.uploads import Upload, fetch_upload, leftovers_before, remove_files
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.ledger import cancel_job
from jobs.services.running import LeaseLost, reporting
from ops.models import ArchiveImport, ArchiveState
from paragold.formats.manifest import sha256_of
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record
from projects.services.projects import check_free

from .archive_file import ArchiveFile
from .checking import Checked, check_archive
from .storing import (
    STAGING,
    Lines,
    Piece,
    Storing,
    accounts_for,
    discard,
    empty,
    forget_accounts,
    open_staging,
    pieces,
)
from .tables import CHECK, STORE
from .writing import VERSION


@transaction.atomic
def launch_check(*, upload: Upload, by: User) -> ArchiveImport:
    """Ask for an uploaded archive to be read and checked; nothing of it is written by that."""
    if not upload.complete:
        raise PublicError(f"{upload.received:,} of {upload.size:,} bytes are here; send the rest first.")
    if ArchiveImport.objects.filter(token=upload.token).exists():
        raise PublicError(f"{upload.filename} is already being processed.")
    staging = open_staging(by)
    job = ledger.request_job(
        project=staging,
        by=by,
        kind=CHECK,
        title=f"Check {upload.filename}"[:200],
        parameters={"units": "KiB"},
        signature=f"archive {VERSION}",
        chunks=[ledger.ChunkPlan(units=max(1, upload.size >> 10), payload={})],
        short=upload.size >> 10 <= ledger.SHORT_KIB,
    )
    source = ArchiveImport.objects.create(
        filename=upload.filename[:255], token=upload.token, job=job, staging=staging, imported_by=by
    )
    ledger.hand_over(job)
    return source


def earlier_import(source: ArchiveImport) -> ArchiveImport | None:
    """An import of the same file whose project is still there."""
    same = ArchiveImport.objects.filter(state=ArchiveState.IMPORTED, sha256=source.sha256)
    return same.exclude(pk=source.pk).exclude(project=None).select_related("project").first()


@transaction.atomic
def begin_storing(
    *, source: ArchiveImport, by: User, slug: str = "", accounts: Mapping[str, str] | None = None
) -> Job:
    """Launch the job that stores a checked archive as a new project.

    `slug` is the project's short name, by default that in the archive; `accounts` as in `accounts_for`.
    Raises PublicError when the import does not wait for that, the name is taken, or an account is not there.
    """
    source = ArchiveImport.objects.select_for_update(of=("self",)).get(pk=source.pk)
    if source.state != ArchiveState.CHECKED or source.staging is None:
        raise PublicError(
            f"{source.filename}: {source.get_state_display().lower()}; it cannot be stored now."
        )
    slug = slug or source.description["project"]["slug"]
    check_free(slug)
    if unknown := sorted(set(accounts or {}) - set(source.users)):
        raise PublicError(f"The archive names no user {unknown[0]!r}.", field="accounts")
    source.accounts, source.made = accounts_for(users=source.users, chosen=accounts or {})
    planned = pieces(source.description)
    rows = sum(piece.rows for piece in planned)
    source.job = job = ledger.request_job(
        project=source.staging,
        by=by,
        kind=STORE,
        title=f"Import {source.filename}"[:200],
        parameters={"units": "rows"},
        signature=f"archive {VERSION}",
        chunks=[_plan(planned, 0)],
        total=rows,
        short=rows <= ledger.SHORT_PAIRS,
    )
    source.state, source.slug = ArchiveState.STORING, slug
    source.save()
    ledger.hand_over(job)
    return job


def _plan(planned: list[Piece], number: int) -> ledger.ChunkPlan:
    """The archive of a project without rows has no piece; its job ends with the first chunk."""
    return ledger.ChunkPlan(units=planned[number].rows if planned else 0, payload={"piece": number})


def discard_import(*, source: ArchiveImport) -> None:
    """Forget an import that has not ended, with its file, the accounts it made and what was stored so far."""
    if source.state == ArchiveState.IMPORTED:
        raise PublicError(f"{source.filename} is imported; it cannot be discarded.")
    if source.job and source.job.active:
        cancel_job(job=source.job)
    staging, made = source.staging_id, source.made
    remove_files(source.token)
    source.delete()
    if staging:
        discard(staging)
    forget_accounts(made)


def sweep_imports() -> None:
    """Forget imports of UPLOADS_DAYS ago or more that brought nothing and that nobody works on."""
    limit = datetime.fromtimestamp(leftovers_before(), UTC)
    left = ArchiveImport.objects.exclude(state=ArchiveState.IMPORTED).filter(imported_at__lt=limit)
    for source in left.select_related("job"):
        if not (source.job and source.job.active):
            discard_import(source=source)
    kept = ArchiveImport.objects.filter(staging__isnull=False).values("staging")
    orphans = Project.everything.filter(staging=True, slug__startswith=STAGING, created_at__lt=limit)
    for orphan in orphans.exclude(pk__in=kept):
        discard(orphan.pk)


def _source(job: Job) -> ArchiveImport:
    return ArchiveImport.objects.select_related("staging").get(job=job)


def _check(job: Job, chunk: JobChunk) -> tuple[Checked | PublicError, str]:
    report = reporting(chunk)
    source = _source(job)
    path = fetch_upload(source.token)
    try:
        with ArchiveFile(path, source.filename) as archive:
            return check_archive(archive, lambda share: report(int(share * chunk.units))), sha256_of(path)
    except PublicError as error:
        return error, sha256_of(path)


def _store_checked(job: Job, checked: tuple[Checked | PublicError, str]) -> dict[str, int]:
    result, sha256 = checked
    source = ArchiveImport.objects.select_for_update(of=("self",)).get(job=job)
    source.sha256 = sha256
    counts = {}
    if isinstance(result, PublicError):
        source.state, source.problem = ArchiveState.REFUSED, str(result)
    else:
        source.state, source.users = ArchiveState.CHECKED, result.users
        source.description = result.description
        counts = {"rows": sum(table["rows"] for table in result.description["tables"].values())}
    source.save()
    return counts


def _after_check(job: Job) -> None:
    source = _source(job)
    if source.state == ArchiveState.REFUSED:
        remove_files(source.token)


def _read_piece(job: Job, chunk: JobChunk) -> tuple[int, Lines]:
    source, number = _source(job), int(chunk.payload["piece"])
    planned = pieces(source.description)
    return number, _storing(source.token).read(planned[number]) if planned else []


def _store_piece(job: Job, read: tuple[int, Lines]) -> dict[str, int]:
    """One piece after the other: rows only point at earlier ones."""
    number, lines = read
    source = ArchiveImport.objects.select_for_update(of=("self",)).get(job=job)
    planned = pieces(source.description)
    if not lines:
        return {}
    try:
        with transaction.atomic():
            _storing(source.token).store(planned[number], lines)
    except PublicError as error:
        source.problem = str(error)
        source.save(update_fields=["problem"])
        return {}
    if number + 1 < len(planned):
        ledger.add_chunks(job=job, chunks=[_plan(planned, number + 1)])
    return {"rows": len(lines)}


# The import that this process worked on last, by its token, with its place in the file and known ids.
_opened: dict[str, Storing] = {}


def _storing(token: str) -> Storing:
    if token not in _opened:
        _close()
        source = ArchiveImport.objects.select_related("staging").get(token=token)
        if source.staging is None:
            raise LeaseLost
        archive = ArchiveFile(fetch_upload(source.token), source.filename)
        _opened[token] = Storing(archive, source.staging, source.accounts)
    return _opened[token]


def _close() -> None:
    while _opened:
        _opened.popitem()[1].close()


def _finish(job: Job) -> None:
    """The project is there as a whole, or nothing of it."""
    source = ArchiveImport.objects.select_for_update(of=("self",)).get(job=job)
    if source.staging is None:
        return
    try:
        if source.problem:
            raise PublicError(source.problem)
        with transaction.atomic():
            _storing(source.token).finish(source.description, source.slug)
    except PublicError as error:
        source.state, source.problem = ArchiveState.REFUSED, str(error)
        empty(source.staging)
        made, source.made, source.accounts = source.made, [], {}
        forget_accounts(made)
    else:
        source.state, source.project, source.staging = ArchiveState.IMPORTED, source.staging, None
        source.imported_at = timezone.now()
        record(
            "archive-imported",
            actor=source.imported_by,
            project=source.project,
            target=source.filename,
            sha256=source.sha256,
        )
    _close()
    source.save()
    remove_files(source.token)


def preview(source: ArchiveImport) -> dict[str, Any]:
    """What a checked archive holds, as people and programs are shown it before they confirm the import.

    `users` are those it names, and whether there is an account of the same name here.
    """
    here = set(User.objects.filter(username__in=source.users).values_list("username", flat=True))
    own = source.description["project"]
    return {
        "name": own.get("name", ""),
        "slug": own["slug"],
        "language": own.get("language", ""),
        "rows": {name: table["rows"] for name, table in source.description["tables"].items()},
        "files": len(source.description["files"]),
        "users": [{"user": name, "found": name in here} for name in source.users],
    }


CHECK_RUNNER = Runner(compute=_check, store=_store_checked, finish=_after_check)
STORE_RUNNER = Runner(compute=_read_piece, store=_store_piece, finish=_finish)
