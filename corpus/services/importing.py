"""Importing articles: all of a source, or nothing of it.

A source is checked first; what it holds then waits in a file of records until somebody says that it is to be
stored. Both are jobs; a command works on them in its own process (`run_here`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import CorpusImport, ImportState
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.running import reporting, run_here
from paragold.events.settings import EventSpec
from paragold.formats.publishing import sha256_of
from paragold.sources.archives import FolderMembers
from paragold.sources.article_sources import SourceOptions
from paragold.sources.main_text_model import load_main_text_model
from paragold.text.segmenters import RULES
from projects.errors import PublicError
from projects.models import Project

from .import_reading import FOUND, import_signature, read_source
from .import_storing import STAGING, begin_storing, discard_staging
from .uploads import Upload, fetch_upload, leftovers_before, new_token, remove_files

CHECK = "import-check"
# A source is read from its beginning to its end in one chunk, which reports its progress.
CHECK_SECONDS = 12 * 3600
WAITING = (ImportState.CHECKED, ImportState.REFUSED)
AS_IT_IS = SourceOptions()


@contextmanager
def _checked(
    path: Path, filename: str, options: SourceOptions, project: Project | None, by: User | None = None
) -> Iterator[CorpusImport]:
    """An import, not saved, with what was found in its source; its file of records is there in the block."""
    source = CorpusImport(
        project=project,
        token=new_token(),
        filename=filename[:255],
        options=options_json(options),
        signature=import_signature(options),
        imported_by=by,
    )
    try:
        read_source(source, path, options)
        yield source
    finally:
        remove_files(source.token)


def check_corpus(
    *, path: Path, filename: str, options: SourceOptions = AS_IT_IS, project: Project | None = None
) -> CorpusImport:
    """Read and validate a whole source. Nothing is written into the database: the import is not saved.

    `project` has the clusters that articles of a stream may join.
    """
    with _checked(path, filename, options, project) as source:
        return source


def import_corpus(
    *, project: Project, by: User | None, path: Path, filename: str, options: SourceOptions = AS_IT_IS
) -> CorpusImport:
    """Import a file, an archive or a folder of articles (docs/formats/sources.md), and wait for the end.

    Articles that are there already are left as they are, exact duplicates within a cluster are left out
    and counted. Any problem in the source, or an article whose text differs from the stored one of the
    same id, refuses the whole of it. Raises PublicError when storing it failed.
    """
    with _checked(path, filename, options, project, by) as source:
        if source.refused:
            return source
        source.sha256 = source_sha256(path)
        source.save()
        run_here(job=begin_storing(source=source, by=by))
        return ended(source)


def ended(source: CorpusImport) -> CorpusImport:
    """An import whose job has ended, as it is now; one that brought nothing is deleted.

    Raises PublicError when its job failed.
    """
    source = CorpusImport.objects.select_related("job").get(pk=source.pk)
    if source.state in (ImportState.CHECKING, ImportState.STORING):
        error = source.job.error if source.job else "its job was deleted"
        discard_import(source=source)
        raise PublicError(f"The import failed: {error}")
    if source.state not in (ImportState.IMPORTED, ImportState.CHECKED):
        remove_files(source.token)
        source.delete()
    return source


def discard_import(*, source: CorpusImport) -> None:
    """Delete an unfinished import, with its files and the rows stored so far."""
    if source.state == ImportState.IMPORTED:
        raise PublicError(f"{source.filename}: {source.get_state_display().lower()}; it cannot be discarded.")
    if source.job and source.job.active:
        ledger.cancel_job(job=source.job)
    staging = source.staging_id
    remove_files(source.token)
    source.delete()
    if staging:
        discard_staging(staging)


def sweep_imports() -> None:
    """Delete imports of UPLOADS_DAYS ago or more that brought nothing and that no job works on."""
    limit = datetime.fromtimestamp(leftovers_before(), UTC)
    for source in CorpusImport.objects.exclude(state=ImportState.IMPORTED).filter(imported_at__lt=limit):
        if not (source.job and source.job.active):
            discard_import(source=source)
    kept = CorpusImport.objects.filter(staging__isnull=False).values("staging")
    orphans = Project.everything.filter(staging=True, slug__startswith=STAGING, created_at__lt=limit)
    for orphan in orphans.exclude(pk__in=kept):
        discard_staging(orphan.pk)


@transaction.atomic
def launch_check(
    *, project: Project, by: User | None, upload: Upload, options: SourceOptions, then_store: bool = False
) -> CorpusImport:
    """Ask for an upload to be read and checked, and to be stored as well if nothing is wrong with it.

    An earlier check of the same upload, with other columns, is deleted. Raises PublicError while one runs.
    """
    earlier = project.imports.select_for_update(of=("self",)).filter(token=upload.token)
    if earlier.filter(state__in=(ImportState.CHECKING, ImportState.STORING)).exists():
        raise PublicError(f"{upload.filename} is already being processed. Wait for its job to end.")
    earlier.filter(state__in=WAITING).delete()
    size = max(1, upload.size >> 10)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=CHECK,
        title=f"Check {upload.filename}"[:200],
        parameters={"units": "KiB", "then_store": then_store, "chunk_seconds": CHECK_SECONDS},
        signature=import_signature(options),
        chunks=[ledger.ChunkPlan(units=size, payload={})],
        short=size <= ledger.SHORT_KIB,
    )
    source = CorpusImport.objects.create(
        project=project,
        state=ImportState.CHECKING,
        filename=upload.filename[:255],
        token=upload.token,
        options=options_json(options),
        signature=import_signature(options),
        job=job,
        imported_by=by,
    )
    ledger.hand_over(job)
    return source


def options_json(options: SourceOptions) -> dict[str, Any]:
    model = options.story_model
    return {
        "format": options.format,
        "encoding": options.encoding,
        "mapping": dict(options.mapping),
        "story_model": model.to_json() if model else None,
        **({"events": options.events.as_json()} if options.events else {}),
        **({"segmenter": options.segmenter} if options.segmenter != RULES.id else {}),
    }


def options_of(source: CorpusImport) -> SourceOptions:
    given = source.options
    model = load_main_text_model(given["story_model"]) if given["story_model"] else None
    events = EventSpec.from_json(given["events"]) if "events" in given else None
    segmenter = given.get("segmenter", RULES.id)
    return SourceOptions(given["format"], given["encoding"], given["mapping"], model, events, segmenter)


def source_sha256(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of a folder's files."""
    if not path.is_dir():
        return sha256_of(path)
    digest = hashlib.sha256()
    for name, data in FolderMembers(path):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    return digest.hexdigest()


def _check(job: Job, chunk: JobChunk) -> CorpusImport:
    source = job.corpus_import
    report_progress = reporting(chunk)
    path = fetch_upload(source.token)
    read_source(source, path, options_of(source), lambda share: report_progress(int(share * chunk.units)))
    source.sha256 = source_sha256(path)
    return source


def _keep_checked(job: Job, source: CorpusImport) -> dict[str, int]:
    source.save(update_fields=[*FOUND, "sha256"])
    return source.counts


def _after_check(job: Job) -> None:
    source = CorpusImport.objects.get(pk=job.corpus_import.pk)
    if source.state == ImportState.REFUSED:
        remove_files(source.token)
    elif job.parameters["then_store"]:
        ledger.hand_over(begin_storing(source=source, by=job.requested_by))


CHECK_RUNNER = Runner(compute=_check, store=_keep_checked, finish=_after_check)
