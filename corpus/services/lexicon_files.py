"""Paraphrase lexicons and word vectors from uploaded files: read and checked by a job, kept as files.

A paraphrase lexicon is kept as it was sent, vectors in the form from which single rows are read
(`word_vectors.store_vectors`). The web process reads neither.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import UPLOADED, Lexicon, LexiconKind
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.running import reporting
from paragold.aligners.evidence_sources import PARAPHRASES
from paragold.formats.manifest import sha256_of
from paragold.parsing.process import limited_rows
from paragold.problems import FileProblem
from projects import storage
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import next_version

from .importing import CHECK_SECONDS
from .matching_studies import naming
from .uploads import Upload, fetch_upload, remove_files

if TYPE_CHECKING:
    from paragold.aligners.word_evidence import WordEvidence

KIND = "import_lexicon"
ENDINGS = {LexiconKind.PARAPHRASES: "tsv", LexiconKind.VECTORS: "npy"}


class StoredFile(NamedTuple):
    """The result of reading a file, which is now stored."""

    sha256: str
    size: int
    dimensions: int


def folder() -> Path:
    """Where the files are."""
    return Path(settings.VAR) / "lexicons"


def file_name(lexicon: Lexicon) -> str:
    """The name of its file in an archive of its project."""
    return f"lexicon-{lexicon.sha256}.{ENDINGS[LexiconKind(lexicon.kind)]}"


def file_path(lexicon: Lexicon) -> Path:
    """The place of its file. Projects do not share files: one from an archive is only used in its project."""
    return folder() / f"{lexicon.project_id}-{file_name(lexicon)}"


@transaction.atomic
def launch_import(*, project: Project, by: User | None, kind: str, name: str, upload: Upload) -> Lexicon:
    """Ask for the next version of a lexicon, one of UPLOADED, to be read from an upload.

    Nothing but the job and its error is there afterwards if the file has a problem.
    Raises PublicError for another kind and an empty name.
    """
    name = name.strip()
    if kind not in UPLOADED:
        raise PublicError(f"Choose one of {', '.join(UPLOADED)}.", field="kind")
    if not name:
        raise PublicError("A lexicon needs a name.", field="name")
    version = next_version(project.lexicons, name)
    size = max(1, upload.size >> 10)
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Import {name} v{version}",
        parameters={"units": "KiB", "chunk_seconds": CHECK_SECONDS},
        signature=f"{KIND}|kind:{kind}",
        chunks=[ledger.ChunkPlan(units=size, payload={"token": upload.token})],
        short=size <= ledger.SHORT_KIB,
    )
    lexicon = Lexicon.objects.create(
        project=project,
        job=job,
        kind=kind,
        name=name,
        version=version,
        parameters={"filename": upload.filename[:255]},
    )
    ledger.hand_over(job)
    return lexicon


def _compute(job: Job, chunk: JobChunk) -> StoredFile:
    from paragold.aligners.word_evidence import count_phrase_pairs
    from paragold.aligners.word_vectors import store_vectors

    lexicon, report = job.lexicon, reporting(chunk)
    source = fetch_upload(chunk.payload["token"])
    lexicon.sha256 = sha256_of(source)
    place = file_path(lexicon)
    unfinished = storage.workspace(place) / f"{lexicon.project_id}-{uuid4().hex}.partial"
    try:
        with naming("file", (source, lexicon.parameters["filename"])):
            if lexicon.kind == LexiconKind.VECTORS:
                for figures in limited_rows(store_vectors, source, unfinished):
                    size, dimensions, share = figures
                    report(int(share * chunk.units))
            else:
                [size], dimensions = limited_rows(count_phrase_pairs, source), 0
                shutil.copyfile(source, unfinished)
        storage.put(unfinished, place, same=True)
    finally:
        unfinished.unlink(missing_ok=True)
    return StoredFile(lexicon.sha256, size, dimensions)


def _store(job: Job, read: StoredFile) -> dict[str, int]:
    lexicon = job.lexicon
    lexicon.sha256, lexicon.size = read.sha256, read.size
    signature = f"lexicon|kind:{lexicon.kind}|sha256:{read.sha256}|size:{read.size}"
    if lexicon.kind == LexiconKind.VECTORS:
        lexicon.figures = {"dimensions": read.dimensions}
        signature += f"|dimensions:{read.dimensions}"
    lexicon.signature = signature
    lexicon.save(update_fields=["sha256", "size", "figures", "signature"])
    return {"words" if lexicon.kind == LexiconKind.VECTORS else "pairs": read.size}


def _finish(job: Job) -> None:
    token = job.chunks.get().payload["token"]
    transaction.on_commit(lambda: remove_files(token))


RUNNER = Runner(compute=_compute, store=_store, finish=_finish)


def sweep_unfinished() -> None:
    """Remove what workers that were killed left of files that they were reading."""
    for path in storage.workspace(folder() / "any").glob("*.partial"):
        if path.stat().st_mtime < time.time() - storage.LEFTOVER_SECONDS:
            path.unlink(missing_ok=True)


def read_evidence(lexicon: Lexicon, words: Collection[str]) -> WordEvidence:
    """The entries of an uploaded lexicon; of vectors those of these words and of the first words of the file.

    Raises PublicError where its file is missing or damaged.
    """
    from paragold.aligners.word_evidence import read_phrase_pairs
    from paragold.aligners.word_vectors import stored_vectors

    try:
        place = storage.fetch(file_path(lexicon), same=True)
        evidence: WordEvidence = (
            stored_vectors(place, words)
            if lexicon.kind == LexiconKind.VECTORS
            else read_phrase_pairs(place, PARAPHRASES)
        )
    except FileNotFoundError as error:
        message = f"The file of {lexicon} is missing. Restore it from a backup, or upload it again."
        raise PublicError(message) from error
    except FileProblem as error:
        raise PublicError(f"{lexicon}: {error}") from error
    evidence.file = lexicon.sha256
    return evidence


def stored_files(project: Project) -> Iterator[tuple[str, Path]]:
    """(name in an archive, place) of the files of a project's lexicons, each once."""
    rows = project.lexicons.filter(kind__in=UPLOADED).exclude(sha256="").order_by("sha256", "kind")
    yield from {file_name(one): file_path(one) for one in rows}.items()


def own_file(lexicon: Lexicon) -> Iterator[Path]:
    """The file of a lexicon that was removed, unless another version is of the same file."""
    same = Lexicon.everything.filter(project=lexicon.project_id, kind=lexicon.kind, sha256=lexicon.sha256)
    if lexicon.uploaded and lexicon.sha256 and not same.exists():
        yield file_path(lexicon)


def remove_project_files(project: Project) -> None:
    """Remove the files of a project's lexicons."""
    for stored in storage.list_files(folder()):
        if stored.place.name.startswith(f"{project.pk}-"):
            storage.delete(stored.place)
