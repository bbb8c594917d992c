"""The two jobs of an import: checking an upload, and storing what was found in it piece by piece."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import Article, Cluster, CorpusImport, Fetch, ImportState, Sentence
from corpus.services.table_statistics import refresh_statistics
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import dispatch, ledger
from jobs.services.running import LeaseLost, reporting
from paragold import limits
from paragold.events.settings import EventSettings
from paragold.formats.manifest import sha256_of
from paragold.problems import FileProblem
from paragold.sources.articles.members import FolderMembers
from paragold.sources.articles.opening import SourceOptions
from paragold.sources.pages.main_text_model import load_main_text_model
from paragold.text import segmentation, tokenisation
from projects.errors import PublicError
from projects.models import Project

from .event_standing import ProjectStanding, newest_article
from .fetched_archive import write_archive
from .import_pages import WAITING, count_pages, is_storyless, page_count
from .import_reading import Reading, read_records, read_source
from .import_staging import Piece, Stored, discard_staging, move_over, open_staging, stage
from .near_duplicates import near_report
from .uploads import Upload, records_path, remove_files, upload_path

CHECK, STORE = "import-check", "import-store"
SIGNATURE = f"{segmentation.SIGNATURE}|{tokenisation.SIGNATURE}"
# A source is read from its beginning to its end in one chunk, which tells how far it is.
CHECK_SECONDS = 12 * 3600


# Clusters that two imports found are named alike: theirs would be taken for one.
_MEANWHILE = FileProblem(
    message="Other articles have come into the project since the clusters of this file were found.",
    remedy="Import the file again: its articles may belong to the new clusters.",
)


class _Clash(Exception):
    """Rolls back what was moved over."""

    def __init__(self, problems: list[FileProblem]) -> None:
        super().__init__()
        self.problems = problems


@transaction.atomic
def launch_check(
    *, project: Project, by: User | None, upload: Upload, options: SourceOptions, then_store: bool = False
) -> CorpusImport:
    """Ask for an upload to be read and checked, and to be stored as well if nothing is wrong with it.

    An earlier check of the same upload, with other columns, is forgotten. Raises PublicError while one runs.
    """
    earlier = project.imports.select_for_update(of=("self",)).filter(token=upload.token)
    if earlier.filter(state__in=(ImportState.CHECKING, ImportState.STORING)).exists():
        raise PublicError(f"{upload.filename} is being worked on already.")
    earlier.filter(state__in=WAITING).delete()
    size = max(1, upload.size >> 10)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=CHECK,
        title=f"Check {upload.filename}"[:200],
        parameters={"units": "KiB", "then_store": then_store, "chunk_seconds": CHECK_SECONDS},
        signature=SIGNATURE,
        chunks=[ledger.ChunkPlan(units=size, payload={})],
        short=size <= ledger.SHORT_KIB,
    )
    source = CorpusImport.objects.create(
        project=project,
        state=ImportState.CHECKING,
        filename=upload.filename[:255],
        token=upload.token,
        options=options_json(options),
        signature=SIGNATURE,
        job=job,
        imported_by=by,
    )
    dispatch.hand_over(job)
    return source


def options_json(options: SourceOptions) -> dict[str, Any]:
    model = options.story_model
    return {
        "format": options.format,
        "encoding": options.encoding,
        "mapping": dict(options.mapping),
        "story_model": model.to_json() if model else None,
        **({"events": options.events.to_json()} if options.events else {}),
    }


def options_of(source: CorpusImport) -> SourceOptions:
    given = source.options
    model = load_main_text_model(given["story_model"]) if given["story_model"] else None
    events = EventSettings.from_json(given["events"]) if "events" in given else None
    return SourceOptions(given["format"], given["encoding"], given["mapping"], model, events)


@dataclass(frozen=True, slots=True)
class Checked:
    """`standing_until`: the project's newest article before clusters were found (see `_finish`).

    `pages`: how many HTML pages the source holds.
    """

    reading: Reading
    sha256: str
    standing_until: int
    pages: int


def _check(job: Job, chunk: JobChunk) -> Checked:
    source = job.corpus_import
    path = upload_path(source.token)
    tell = reporting(chunk)
    if not path.exists():
        fetch = Fetch.objects.filter(corpus_import=source).first()
        if fetch is None:
            raise PublicError("The uploaded file is gone. Upload it again.")
        write_archive(fetch, path)
    standing = ProjectStanding(source.project)
    reading = read_source(
        path,
        records_path(source.token),
        filename=source.filename,
        options=options_of(source),
        progress=lambda share: tell(int(share * chunk.units)),
        standing=standing,
        near=near_report(source.project),
    )
    return Checked(reading, source_sha256(path), standing.until, count_pages(source))


def _keep_checked(job: Job, checked: Checked) -> dict[str, int]:
    source = CorpusImport.objects.select_for_update().get(pk=job.corpus_import.pk)
    source.options |= {"pages": checked.pages}
    take_reading(source, checked.reading, checked.sha256, checked.standing_until)
    return checked.reading.counts


def take_reading(source: CorpusImport, reading: Reading, sha256: str, standing_until: int) -> None:
    """Write into an import's row what was found in its source."""
    if "events" in source.options:
        source.options |= {"standing_until": standing_until}
    if is_storyless(reading):
        source.options |= {"storyless": True}
    source.state = ImportState.REFUSED if reading.problems else ImportState.CHECKED
    source.sha256 = sha256
    source.counts, source.notes, source.sample = reading.counts, reading.notes, reading.sample
    source.near = reading.near
    source.problems = [problem.as_json() for problem in reading.problems]
    source.options = source.options | {"cuts": reading.cuts}
    source.save()


def _after_check(job: Job) -> None:
    source = CorpusImport.objects.get(pk=job.corpus_import.pk)
    if source.state == ImportState.REFUSED and not page_count(source):
        remove_files(source.token)
    elif job.parameters["then_store"]:
        dispatch.hand_over(begin_storing(source=source, by=job.requested_by))


@transaction.atomic
def begin_storing(*, source: CorpusImport, by: User | None) -> Job:
    """Write the job that stores a checked import; the caller hands it over, or works on it.

    Raises PublicError when the import is not waiting for that.
    """
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(pk=source.pk)
    if source.state != ImportState.CHECKED:
        raise PublicError(
            f"{source.filename}: {source.get_state_display().lower()}; it cannot be stored now."
        )
    cuts = source.options["cuts"]
    job = ledger.request_job(
        project=source.project,
        by=by,
        kind=STORE,
        title=f"Import {source.filename}"[:200],
        parameters={"units": "KiB"},
        signature=SIGNATURE,
        chunks=[_piece(cuts, 0)],
        total=sum(_piece(cuts, number).units for number in range(len(cuts) - 1)),
        short=cuts[-1] >> 10 <= ledger.SHORT_KIB,
    )
    source.state = ImportState.STORING
    source.job = job
    source.staging = open_staging(source)
    source.save(update_fields=["state", "job", "staging"])
    return job


def _piece(cuts: list[int], number: int) -> ledger.ChunkPlan:
    size = cuts[number + 1] - cuts[number]
    return ledger.ChunkPlan(units=-(-size // 1024), payload={"piece": number})


def _read_piece(job: Job, chunk: JobChunk) -> tuple[int, Piece]:
    source = job.corpus_import
    number: int = chunk.payload["piece"]
    start, end = source.options["cuts"][number : number + 2]
    records = records_path(source.token)
    if not records.exists():
        raise PublicError("The checked articles are gone from the server's disk. Upload the file again.")
    return number, list(read_records(records, start, end))


def _store_piece(job: Job, result: tuple[int, Piece]) -> dict[str, int]:
    """One piece after the other, so that articles stand in the order of the source."""
    number, piece = result
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(job=job)
    if source.staging_id is None:
        raise LeaseLost
    stored: Stored = stage(source, source.staging_id, piece)
    if stored.problems:
        told = source.problems + [problem.as_json() for problem in stored.problems]
        source.problems = told[: limits.PROBLEMS]
        source.save(update_fields=["problems"])
    elif number + 2 < len(source.options["cuts"]):
        ledger.add_chunks(job=job, chunks=[_piece(source.options["cuts"], number + 1)])
    return stored.counts


def _finish(job: Job) -> None:
    """Move everything over, or nothing."""
    source = CorpusImport.objects.select_for_update(of=("self",)).get(job=job)
    # Two imports into one project wait for each other: both look for what is there already.
    Project.objects.select_for_update().get(pk=source.project_id)
    counts = dict(job.counts)
    try:
        with transaction.atomic():
            if source.problems:
                raise _Clash([])
            if (
                "events" in source.options
                and newest_article(source.project) != source.options["standing_until"]
            ):
                raise _Clash([_MEANWHILE])
            clashes, dropped = move_over(source)
            if clashes:
                raise _Clash(clashes)
        counts["articles_added"] -= dropped
        counts["articles_already_there"] += dropped
        source.state = ImportState.IMPORTED if counts["articles_added"] else ImportState.UNCHANGED
    except _Clash as clash:
        source.state = ImportState.REFUSED
        source.problems = source.problems + [problem.as_json() for problem in clash.problems]
    for name, count in counts.items():
        source.counts[name] = source.counts.get(name, 0) + count
    staging = source.staging_id
    source.staging = None
    source.options = {
        name: value for name, value in source.options.items() if name not in ("cuts", "standing_until")
    }
    source.save()
    if source.state == ImportState.IMPORTED:
        refresh_statistics(Cluster, Article, Sentence)
    if staging is not None:
        discard_staging(staging)
    remove_files(source.token)


def source_sha256(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of a folder's files."""
    if not path.is_dir():
        return sha256_of(path)
    digest = hashlib.sha256()
    for member in FolderMembers(path):
        digest.update(f"{member.name}\0{hashlib.sha256(member.data).hexdigest()}\n".encode())
    return digest.hexdigest()


CHECK_RUNNER = Runner(compute=_check, store=_keep_checked, finish=_after_check)
STORE_RUNNER = Runner(compute=_read_piece, store=_store_piece, finish=_finish)
