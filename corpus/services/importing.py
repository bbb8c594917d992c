"""Importing articles: all of a source, or nothing of it.

A source is checked first; what it holds then waits in a file of records until somebody says that it is to be
stored. Both are jobs; whoever asks may work on them at once (`run_here`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from corpus.models import CorpusImport, ImportState
from jobs.services.ledger import cancel_job
from jobs.services.running import run_here
from paragold.problems import FileProblem
from paragold.sources.articles.opening import SourceOptions
from projects.errors import PublicError
from projects.models import Project

from .event_standing import ProjectStanding
from .import_jobs import SIGNATURE, begin_storing, options_json, source_sha256, take_reading
from .import_reading import Reading, read_source
from .import_staging import STAGING, discard_staging
from .near_duplicates import near_report
from .near_report import near_note
from .uploads import LEFTOVER_SECONDS, new_token, records_path, remove_files

AS_IT_IS = SourceOptions()


@dataclass(slots=True)
class ImportReport:
    """What a source holds and what became of it.

    `status` is "imported", "checked" (valid, nothing written), "unchanged" (all of it is there already)
    or "refused" (see `problems`; nothing was written).
    """

    filename: str
    status: str = "refused"
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[FileProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sample: list[dict[str, Any]] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return self.status == "refused"


def report_of(source: CorpusImport) -> ImportReport:
    """The report of an import that has ended, or has been checked."""
    return ImportReport(
        source.filename,
        source.state,
        source.counts,
        [FileProblem(**problem) for problem in source.problems],
        [*source.notes, *near_note(source.near)],
        source.sample,
    )


def check_corpus(
    *, path: Path, filename: str, options: SourceOptions = AS_IT_IS, project: Project | None = None
) -> ImportReport:
    """Read and validate a whole source without writing anything into the database.

    `project` has the clusters that articles of a stream may join.
    """
    token = new_token()
    standing = ProjectStanding(project) if project else None
    try:
        reading = read_source(
            path,
            records_path(token),
            filename=filename,
            options=options,
            standing=standing,
            near=near_report(project) if project else None,
        )
    finally:
        remove_files(token)
    return _report(filename, reading)


def import_corpus(
    *, project: Project, by: User | None, path: Path, filename: str, options: SourceOptions = AS_IT_IS
) -> ImportReport:
    """Import a file, an archive or a folder of articles (docs/formats/sources.md), and wait for the end.

    Articles that are there already are left as they are, exact duplicates within a cluster are left out
    and counted. Any problem in the source, or an article whose text differs from the stored one of the
    same id, refuses the whole of it. Raises PublicError when storing it failed.
    """
    token = new_token()
    standing = ProjectStanding(project)
    try:
        reading = read_source(
            path,
            records_path(token),
            filename=filename,
            options=options,
            standing=standing,
            near=near_report(project),
        )
        if reading.problems:
            return _report(filename, reading)
        source = CorpusImport(
            project=project,
            token=token,
            filename=filename[:255],
            options=options_json(options),
            signature=SIGNATURE,
            imported_by=by,
        )
        take_reading(source, reading, source_sha256(path), standing.until)
        run_here(job=begin_storing(source=source, by=by))
        return ended(source)
    finally:
        remove_files(token)


def ended(source: CorpusImport) -> ImportReport:
    """The report of an import that has been worked on; it is only kept when it brought something.

    Raises PublicError when its job failed.
    """
    source = CorpusImport.objects.select_related("job").get(pk=source.pk)
    if source.state in (ImportState.CHECKING, ImportState.STORING):
        error = source.job.error if source.job else "its job is gone"
        discard_import(source=source)
        raise PublicError(f"The import failed: {error}")
    if source.state not in (ImportState.IMPORTED, ImportState.CHECKED):
        remove_files(source.token)
        source.delete()
    return report_of(source)


def discard_import(*, source: CorpusImport) -> None:
    """Forget an import that has not ended, with its files and what was stored of it so far."""
    if source.state == ImportState.IMPORTED:
        raise PublicError(f"{source.filename}: {source.get_state_display().lower()}; it cannot be discarded.")
    if source.job and source.job.active:
        cancel_job(job=source.job)
    staging = source.staging_id
    remove_files(source.token)
    source.delete()
    if staging:
        discard_staging(staging)


def sweep_imports() -> None:
    """Forget imports of a day ago or more that brought nothing and that nobody works on."""
    limit = timezone.now() - timedelta(seconds=LEFTOVER_SECONDS)
    for source in CorpusImport.objects.exclude(state=ImportState.IMPORTED).filter(imported_at__lt=limit):
        if not (source.job and source.job.active):
            discard_import(source=source)
    kept = CorpusImport.objects.filter(staging__isnull=False).values("staging")
    orphans = Project.everything.filter(staging=True, slug__startswith=STAGING, created_at__lt=limit)
    for orphan in orphans.exclude(pk__in=kept):
        discard_staging(orphan.pk)


def _report(filename: str, reading: Reading) -> ImportReport:
    status = "refused" if reading.problems else "checked"
    notes = [*reading.notes, *near_note(reading.near)]
    return ImportReport(filename, status, reading.counts, reading.problems, notes, reading.sample)
