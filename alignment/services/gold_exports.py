"""Gold sets as downloads: a job writes them, small ones while the one who asks waits."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from alignment.models import Export, GoldAlignmentSet
from alignment.services.export_cards import stated, with_licence
from alignment.specs import GoldExportSpec
from annotation.models import GoldSet, SecondPass
from jobs.kinds import Runner
from jobs.models import Job, JobChunk, JobState
from jobs.services import ledger
from jobs.services.removal import check_own
from jobs.services.running import reporting, run_here
from paragold.formats.pair_files import JoinedArchive
from paragold.formats.publishing import Manifest, sha256_of
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.audit import record

from .export_store import (
    ARCHIVE,
    CHUNK_SECONDS,
    export_path,
    fresh_folder,
    keep_export,
    made_already,
    send_archive,
    signature_of,
)
from .exporting import ALL, check_files, title_of, write_gold

KIND = "export-gold"
VERSION = 7
# Up to so many pairs are written while the page or caller waits: about a second.
PAIRS_AT_ONCE = 2_000


def request_gold_export(
    *,
    project: Project,
    by: User | None,
    gold_set: GoldSet | None = None,
    gold_links: GoldAlignmentSet | None = None,
    spec: GoldExportSpec = ALL,
) -> Job:
    """Ask for gold to be written out; the end of the job makes the `Export`. Small gold is written at once.

    A job with equal inputs that is under way, or whose export is there, is given back instead of a new one.
    Raises PublicError for another project's gold and options that do not fit, and when nothing would be in
    a small export; then no job is left.
    """
    chosen = [gold for gold in (gold_set, gold_links) if gold is not None]
    check_own(project, *chosen)
    check_files(gold_set, gold_links, spec)
    spec = with_licence(spec, project)
    parameters = {
        "units": "pairs",
        "gold_set": gold_set.pk if gold_set else None,
        "gold_links": gold_links.pk if gold_links else None,
        "spec": spec.as_json(),
    }
    pairs = sum(gold.counts["pairs"] for gold in chosen)
    with transaction.atomic():
        signature = signature_of(KIND, VERSION, parameters | _stated(project, gold_set, gold_links))
        job = made_already(project, signature)
        if job is None:
            job = ledger.request_job(
                project=project,
                by=by,
                kind=KIND,
                title=f"Export {title_of(gold_set, gold_links, ' + ')}"[:200],
                parameters=parameters | {"chunk_seconds": CHUNK_SECONDS},
                signature=signature,
                chunks=[ledger.ChunkPlan(pairs, {})],
                short=pairs <= ledger.SHORT_PAIRS,
            )
            record("export-requested", actor=by, project=project, target=f"job {job.pk}: {job.title}")
            if pairs > PAIRS_AT_ONCE:
                ledger.hand_over(job)
    if job.active and pairs <= PAIRS_AT_ONCE:
        _write_here(job)
    return job


def _stated(
    project: Project, gold_set: GoldSet | None, gold_links: GoldAlignmentSet | None
) -> dict[str, Any]:
    """What data card and manifest state that may be changed, and what the gold was decided from."""
    batches = gold_set.batches.order_by("pk") if gold_set else []
    passes = SecondPass.objects.filter(batch__in=batches, ended_at__isnull=False).order_by("pk")
    named = [*batches, *([gold_links.batch] if gold_links else [])]
    return {
        "program": settings.VERSION,
        "project": stated(project),
        "gold": [(str(gold), gold.signature) for gold in (gold_set, gold_links) if gold is not None],
        "batches": [(batch.name, batch.dataset.name if batch.dataset else "") for batch in named],
        "passes": [(pass_.before, pass_.after) for pass_ in passes],
    }


def _write_here(job: Job) -> None:
    """Raises PublicError, and leaves no job, when it cannot be written."""
    run_here(job=job)
    if job.state == JobState.FAILED:
        error = job.error
        job.delete()
        raise PublicError(error)


def _compute(job: Job, chunk: JobChunk) -> tuple[Path, Manifest]:
    """An archive that waits to be kept, and its manifest."""
    project, parameters = job.project, job.parameters
    report = reporting(chunk)
    with fresh_folder(project, str(job.pk)) as folder:
        files = folder / "files"
        files.mkdir()
        description = write_gold(
            files,
            gold_set=_gold(project.gold_sets.all(), parameters["gold_set"]),
            gold_links=_gold(project.gold_alignment_sets.all(), parameters["gold_links"]),
            spec=GoldExportSpec.from_json(parameters["spec"]),
            report=report,
        )
        archive = folder / ARCHIVE
        pack(files, archive, lambda: report(chunk.units))
        shutil.rmtree(files)
        send_archive(project, archive)
    return archive, description


def _gold(sets: Any, pk: int | None) -> Any:
    if pk is None:
        return None
    gold = sets.filter(pk=pk).first()
    if gold is None:
        raise PublicError("The gold of this export was deleted from the project.")
    return gold


def pack(files: Path, archive: Path, report: Any = lambda: None) -> None:
    """The files of a folder as an archive, equal bytes for equal files."""
    with JoinedArchive(archive, report) as packed:
        for path in sorted(path for path in files.rglob("*") if path.is_file()):
            packed.add(path.relative_to(files).as_posix(), [path])


def _store(job: Job, made: tuple[Path, Manifest]) -> dict[str, int]:
    archive, manifest = made
    spec = GoldExportSpec.from_json(job.parameters["spec"])
    how = [
        spec.format,
        *(["all sure"] if spec.strengths == "all_sure" else []),
        *(["approved"] if spec.approved_only else []),
        *(["in splits"] if spec.shares else []),
        *(["to publish"] if spec.publish else []),
    ]
    name = f"{job.title.removeprefix('Export ')} ({', '.join(how)})"
    export = keep_export(job=job, archive=archive, name=name, manifest=manifest)
    return {"pairs": export.manifest["counts"]["pairs"]}


RUNNER = Runner(compute=_compute, store=_store)


def export_file(*, export: Export) -> Path:
    """The file of an export; when it is gone, it is made again from the same gold.

    Raises PublicError when it cannot be made, or has another sha256 than the export had.
    """
    path = export_path(export.project, export.sha256)
    if storage.exists(path):
        return storage.fetch(path, same=True)
    with fresh_folder(export.project, f"again-{export.pk}") as folder:
        try:
            archive = _made_again(export, folder)
        except PublicError as error:
            raise PublicError(
                "The file of %(export)s is missing and cannot be made again. %(error)s",
                export=export.name,
                error=error,
            ) from error
        storage.put(archive, path)
        shutil.rmtree(folder)
    return storage.fetch(path)


def _made_again(export: Export, folder: Path) -> Path:
    """The archive of an export of gold with the options that its manifest names."""
    details, project = export.manifest.get("details", {}), export.project
    if "dataset" in details:
        raise PublicError("Export the dataset again.")
    try:
        gold_set = _called(project.gold_sets.all(), details.get("judgements"))
        gold_links = _called(project.gold_alignment_sets.all(), details.get("links"))
        spec = GoldExportSpec.from_json(details["export"])
    except (KeyError, TypeError, ValueError) as error:
        raise PublicError("Its manifest does not say how it was made. Make a new export.") from error
    files, archive = folder / "files", folder / ARCHIVE
    files.mkdir()
    try:
        write_gold(files, gold_set=gold_set, gold_links=gold_links, spec=spec)
    except PublicError as error:
        raise PublicError("%(error)s Make a new export.", error=error) from error
    pack(files, archive)
    if sha256_of(archive) != export.sha256:
        raise PublicError(
            "This version of Paragold writes another file (sha256 %(digest)s... expected). Make a new "
            "export.",
            digest=export.sha256[:8],
        )
    return archive


def _called(sets: Any, described: dict[str, str] | None) -> Any:
    """The gold set that a manifest describes, None for none."""
    if described is None:
        return None
    return next((gold for gold in sets if str(gold) == described["gold_set"]), None)
