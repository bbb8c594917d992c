"""Importing files: articles, judgements and links are received, checked, shown and stored in the same way.

A file is checked first; it is stored, all of it or nothing, when somebody has seen what it holds. Both are
jobs; a command works in its own process (`import_here`). An `ImportKind` is what differs between the kinds.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from pydantic import field_validator

from corpus.models import CorpusImport, ImportState
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.running import LeaseLost, reporting
from paragold.formats.answers import Unknown, unknown_in_words
from paragold.formats.judgement_files import columns_of
from paragold.formats.publishing import sha256_of
from paragold.problems import FileProblem, shortened
from paragold.registry import Registry
from paragold.sources.archives import FolderMembers
from paragold.spec import Spec, param
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.parsing.process import limited

from .import_storing import STAGING, discard_staging
from .uploads import MEGABYTES_AT_MOST, Upload, fetch_upload, leftovers_before, new_token, remove_files

CHECK, STORE = "import-check", "import-store"
# A file is read from its beginning to its end in one chunk, which reports its progress.
CHECK_SECONDS = 12 * 3600
WAITING = (ImportState.CHECKED, ImportState.REFUSED)
# What a check sets.
CHECKED = ("state", "options", "counts", "notes", "sample", "problems", "signature", "sha256")
AUTO = "auto"
Paths = Mapping[str, Path]
"""The files of an import by the names of its parts."""
Result = tuple[str, Callable[[Project], Any]]
"""What an import becomes: the name of the address of its page, and those of its kind in a project."""


class ImportSpec(Spec):
    """How files are read, and what they become."""

    formats: ClassVar[Registry[Any]]

    file_format: str = param(AUTO, "Format", "auto: recognised from the content.", max_length=40)
    encoding: str = param(
        "utf-8", "Encoding", "Only a byte order mark is recognised by itself.", max_length=40
    )

    @field_validator("file_format")
    @classmethod
    def _is_known(cls, value: str) -> str:
        if value not in (AUTO, *cls.formats.ids()):
            raise ValueError(f"Format must be one of {', '.join((AUTO, *cls.formats.ids()))}; it is {value}.")
        return value


class ImportKind(ABC):
    """A kind of file that is imported.

    noun: what a file holds many of; `counts` has their number under its plural. lede: what importing means.
    page, stage: names of the addresses of the page that begins an import and of the one above it.
    leave_out: parameters of `spec` that nobody is asked for; `on_page`: those that the page asks for first;
    `not_on_page`: those that it leaves out; `several`: texts with names, separated by commas. columns: field
    of a record -> label. parts: the files of an import, `file` and others that may be missing, each with
    label and help, of `megabytes` at most. grows_corpus: candidate pairs are extracted from what is stored.
    results: what it becomes, by name. example, layout: what the page shows: the name of an example file, and
    a few lines of a format.
    """

    id: ClassVar[str]
    noun: ClassVar[str]
    lede: ClassVar[str]
    page: ClassVar[str]
    stage: ClassVar[tuple[str, str]]
    spec: ClassVar[type[ImportSpec]]
    leave_out: ClassVar[Sequence[str]] = ()
    on_page: ClassVar[Sequence[str]] = ()
    several: ClassVar[Sequence[str]] = ()
    not_on_page: ClassVar[Sequence[str]] = ()
    columns: ClassVar[Mapping[str, str]]
    parts: ClassVar[Mapping[str, tuple[str, str]]]
    megabytes: ClassVar[int] = MEGABYTES_AT_MOST
    grows_corpus: ClassVar[bool] = False
    results: ClassVar[Mapping[str, Result]] = {}
    example: ClassVar[str]
    layout: ClassVar[str] = ""
    formats_help: ClassVar[str]

    @property
    def too_large(self) -> str:
        """What is said of a file that is too large."""
        text = _(
            "This file is larger than %(limit)s MB. Split it and import the parts, or use "
            "`manage.py import %(kind)s` on the server, which has no limit."
        )
        return text % {"limit": grouped(self.megabytes), "kind": self.id}

    @abstractmethod
    def format_rows(self) -> Iterable[tuple[str, str, str]]:
        """The formats: name, content, and what is said about it."""

    def choices(self, project: Project | None) -> dict[str, list[tuple[str, str]]]:
        """The choices that the page offers for parameters that are texts."""
        return {"file_format": [(AUTO, "Recognised"), *self.spec.formats.choices()]}

    def known_names(self, project: Project) -> dict[str, list[str]]:
        """Names that are in use already, by the parameters that take one."""
        return {}

    def options(self, spec: Any, columns: Mapping[str, str], project: Project | None) -> dict[str, Any]:
        """How a file is read, as an import stores it; `columns`: field -> column, "" for none."""
        return {"kind": self.id, "mapping": dict(columns), **spec.as_json()}

    def spec_of(self, source: CorpusImport) -> Any:
        """The Spec of a stored import."""
        return self.spec(**{p.name: source.options[p.name] for p in self.spec.parameters()})

    def head(self, source: CorpusImport, path: Path) -> tuple[list[str], list[str]]:
        """The names of the columns of a table, or keys of JSON Lines, and the cells of its first line.

        Both are empty for other files."""
        return limited(columns_of, path, encoding=source.options["encoding"])

    def samples_of(self, source: CorpusImport) -> Any:
        """The first records as the page of an import shows them."""
        return source.sample

    def made(self, source: CorpusImport) -> dict[str, Any]:
        """What a stored import became, by name, apart from itself; the first is shown."""
        made = source.options.get("made", {})
        rows = {
            name: self.results[name][1](source.project).filter(**lookup).first()
            for name, lookup in made.items()
        }
        return {name: row for name, row in rows.items() if row is not None}

    def address(self, source: CorpusImport) -> tuple[Any, ...]:
        """The page of what a stored import became, as arguments of `redirect`."""
        for name, row in self.made(source).items():
            return (self.results[name][0], source.project.slug, row.pk)
        return ("import", source.project.slug, source.pk)

    @abstractmethod
    def check(self, source: CorpusImport, paths: Paths, progress: Callable[[float], None]) -> Any:
        """Read all of the files, set `counts`, `notes`, `sample` and, for what is wrong, `problems`.

        Returns what `store_here` takes. The import need not be saved, nor have a project. progress: called
        with the share that is read, 0 to 1; it may raise to stop. Raises FileProblem and PublicError too.
        """

    @abstractmethod
    def store_here(self, source: CorpusImport, contents: Any) -> None:
        """Store what `check` has returned, and set the state; the import is saved."""

    def plan(self, source: CorpusImport) -> tuple[list[ledger.ChunkPlan], int]:
        """The first chunks of the job that stores, and the KiB of all of them."""
        units = max(1, source.options["bytes"] >> 10)
        return [ledger.ChunkPlan(units=units, payload={})], units

    def begin(self, source: CorpusImport) -> None:  # noqa: B027 - most kinds have nothing to do
        """Called, in the transaction that starts storing, before the import is saved."""

    @abstractmethod
    def runner(self) -> Runner:
        """How the job that stores is done."""


class WholeImport(ImportKind):
    """A kind whose files are read at once and stored in one transaction."""

    @abstractmethod
    def read(self, source: CorpusImport, paths: Paths) -> Any:
        """What the files hold. Raises FileProblem, PublicError."""

    @abstractmethod
    def show(self, source: CorpusImport, contents: Any) -> None:
        """Set what `check` sets. Raises FileProblem, PublicError."""

    @abstractmethod
    def store(self, source: CorpusImport, contents: Any) -> bool:
        """Store it, in a transaction that holds the project's row; whether anything was new. Raises
        FileProblem, PublicError."""

    def check(self, source: CorpusImport, paths: Paths, progress: Callable[[float], None]) -> Any:
        contents = self.read(source, paths)
        progress(0.5)
        self.show(source, contents)
        return contents

    def store_here(self, source: CorpusImport, contents: Any) -> None:
        try:
            with transaction.atomic():
                # Two imports into one project wait for each other: both look for what is there already.
                source.project = Project.objects.select_for_update().get(pk=source.project_id)
                new = self.store(source, contents)
            source.state = ImportState.IMPORTED if new else ImportState.UNCHANGED
        except (FileProblem, PublicError) as error:
            refuse(source, error)
        source.save()

    def runner(self) -> Runner:
        return Runner(compute=self._read_again, store=self._store)

    def _read_again(self, job: Job, chunk: JobChunk) -> Any:
        return self.read(job.corpus_import, paths_of(job.corpus_import))

    def _store(self, job: Job, contents: Any) -> dict[str, int]:
        source = CorpusImport.objects.select_for_update(of=("self",)).get(job=job)
        if source.state != ImportState.STORING:
            raise LeaseLost
        self.store_here(source, contents)
        return source.counts


def import_kinds() -> dict[str, ImportKind]:
    """All kinds by id."""
    kinds: dict[str, ImportKind] = import_string(settings.IMPORTS)
    return kinds


def kind_of(source: CorpusImport) -> ImportKind:
    return import_kinds()[source.kind]


def refuse(source: CorpusImport, error: FileProblem | PublicError) -> None:
    """Note on an import, which is not saved, why it is refused."""
    problems = error.problems if isinstance(error, FileProblem) else [FileProblem(str(error), "")]
    source.state = ImportState.REFUSED
    source.problems = [problem.as_json() for problem in problems]


def add_not_read(source: CorpusImport, unknown: Unknown, contradictions: str) -> None:
    """Note what of a file was not read, and what contradicts itself."""
    if unknown:
        source.notes.append(f"Not read: {unknown_in_words(unknown)}.")
    if contradictions:
        source.notes.append(contradictions)


# Files


def tokens_of(source: CorpusImport) -> dict[str, str]:
    """The tokens of the uploads of an import by the names of its parts."""
    return {"file": source.token, **source.options.get("parts", {})}


def paths_of(source: CorpusImport) -> dict[str, Path]:
    """The uploads, here on this disk, to be read. Raises PublicError when they are gone."""
    return {part: fetch_upload(token) for part, token in tokens_of(source).items()}


def head_of(source: CorpusImport) -> tuple[list[str], list[str]]:
    """See `ImportKind.head`; empty also where the file cannot be read: the check says why."""
    try:
        names, cells = kind_of(source).head(source, fetch_upload(source.token))
    except (FileProblem, PublicError):
        return [], []
    return names, [shortened(cell) for cell in cells]


def remove_parts(source: CorpusImport) -> None:
    for token in tokens_of(source).values():
        remove_files(token)


def source_sha256(path: Path) -> str:
    """The SHA-256 of a file, or of the names and contents of a folder's files."""
    if not path.is_dir():
        return sha256_of(path)
    digest = hashlib.sha256()
    for name, data in FolderMembers(path):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode())
    return digest.hexdigest()


# Checking


def check(source: CorpusImport, paths: Paths, progress: Callable[[float], None] = lambda share: None) -> Any:
    """Read and validate all files of an import, and set CHECKED; it is not saved. Returns the contents."""
    source.state = ImportState.CHECKED
    source.counts, source.notes, source.sample, source.problems = {}, [], [], []
    try:
        contents = kind_of(source).check(source, paths, progress)
    except (FileProblem, PublicError) as error:
        refuse(source, error)
        return None
    if source.problems:
        source.state = ImportState.REFUSED
    else:
        source.sha256 = source_sha256(paths["file"])
    return contents


@transaction.atomic
def launch_check(
    *,
    project: Project,
    by: User | None,
    uploads: Mapping[str, Upload],
    options: dict[str, Any],
    then_store: bool = False,
) -> CorpusImport:
    """Ask for uploads, by the names of their parts, to be checked, and to be stored if nothing is wrong."""
    file = uploads["file"]
    others = {name: upload.token for name, upload in uploads.items() if name != "file"}
    names = {name: upload.filename for name, upload in uploads.items()}
    size = sum(upload.size for upload in uploads.values())
    source = CorpusImport(
        project=project,
        filename=file.filename[:255],
        token=file.token,
        options={**options, "bytes": size, **({"parts": others, "names": names} if others else {})},
        imported_by=by,
    )
    return _launch(source, by, then_store)


@transaction.atomic
def check_again(*, source: CorpusImport, by: User | None, options: dict[str, Any]) -> CorpusImport:
    """Ask for a checked or refused import to be checked with other options. Raises PublicError while a job
    works on it, and when it is stored."""
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(pk=source.pk)
    if source.state not in WAITING:
        raise PublicError(
            "%(filename)s is already being processed. Wait for its job to end.", filename=source.filename
        )
    kept = {name: source.options[name] for name in ("bytes", "parts", "names") if name in source.options}
    source.options = {**options, **kept}
    return _launch(source, by, then_store=False)


def _launch(source: CorpusImport, by: User | None, then_store: bool) -> CorpusImport:
    size = max(1, source.options["bytes"] >> 10)
    source.job = ledger.request_job(
        project=source.project,
        by=by,
        kind=CHECK,
        title=f"Check {source.filename}"[:200],
        parameters={"units": "KiB", "then_store": then_store, "chunk_seconds": CHECK_SECONDS},
        signature=source.signature,
        chunks=[ledger.ChunkPlan(units=size, payload={})],
        short=size <= ledger.SHORT_KIB,
    )
    source.state = ImportState.CHECKING
    source.save()
    ledger.hand_over(source.job)
    return source


def _check(job: Job, chunk: JobChunk) -> CorpusImport:
    source = job.corpus_import
    report_progress = reporting(chunk)
    check(source, paths_of(source), lambda share: report_progress(int(share * chunk.units)))
    return source


def _keep_checked(job: Job, source: CorpusImport) -> dict[str, int]:
    source.save(update_fields=CHECKED)
    return source.counts


def _after_check(job: Job) -> None:
    source = CorpusImport.objects.get(pk=job.corpus_import.pk)
    if source.state == ImportState.CHECKED and job.parameters["then_store"]:
        ledger.hand_over(begin_storing(source=source, by=job.requested_by))


CHECK_RUNNER = Runner(compute=_check, store=_keep_checked, finish=_after_check)


# Storing


@transaction.atomic
def begin_storing(*, source: CorpusImport, by: User | None, then_extract: str = "") -> Job:
    """Write the job that stores a checked import; the caller hands it over, or works on it.

    Once articles are stored, candidate pairs are extracted with the preset `then_extract`, if any. Raises
    PublicError when the import is not waiting for that.
    """
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(pk=source.pk)
    if source.state != ImportState.CHECKED:
        raise PublicError(
            "%(filename)s: %(state)s; it cannot be stored now.",
            filename=source.filename,
            state=source.get_state_display().lower(),
        )
    kind = kind_of(source)
    chunks, size = kind.plan(source)
    source.job = ledger.request_job(
        project=source.project,
        by=by,
        kind=STORE,
        title=f"Import {source.filename}"[:200],
        parameters={"units": "KiB", **({"then_extract": then_extract} if then_extract else {})},
        signature=source.signature,
        chunks=chunks,
        total=size,
        short=size <= ledger.SHORT_KIB,
    )
    source.state = ImportState.STORING
    kind.begin(source)
    source.save(update_fields=["state", "job", "staging"])
    return source.job


def _after_storing(job: Job) -> None:
    kind_of(job.corpus_import).runner().finish(job)
    source = CorpusImport.objects.get(job=job)
    if not source.refused:
        remove_parts(source)


STORE_RUNNER = Runner(
    compute=lambda job, chunk: kind_of(job.corpus_import).runner().compute(job, chunk),
    store=lambda job, result: kind_of(job.corpus_import).runner().store(job, result),
    finish=_after_storing,
)


def import_here(
    *,
    project: Project | None,
    by: User | None = None,
    paths: Paths,
    filename: str,
    options: dict[str, Any],
    check_only: bool = False,
) -> CorpusImport:
    """Check files and store them, and wait for the end; with `check_only` the import is not saved.

    Any problem refuses the whole of it. Raises PublicError when storing failed.
    """
    names = {name: path.name for name, path in paths.items()}
    source = CorpusImport(
        project=project,
        token=new_token(),
        filename=filename[:255],
        options={**options, **({"names": names} if len(paths) > 1 else {})},
        imported_by=by,
    )
    try:
        contents = check(source, paths)
        if check_only or source.refused:
            return source
        source.save()
        kind_of(source).store_here(source, contents)
        return ended(source)
    finally:
        remove_parts(source)


def ended(source: CorpusImport) -> CorpusImport:
    """An import whose job has ended, as it is now; one that brought nothing is deleted.

    Raises PublicError when its job failed.
    """
    source = CorpusImport.objects.select_related("job").get(pk=source.pk)
    if source.state in (ImportState.CHECKING, ImportState.STORING):
        error = source.job.error if source.job else "its job was deleted"
        discard_import(source=source)
        raise PublicError("The import failed: %(error)s", error=error)
    if source.state not in (ImportState.IMPORTED, ImportState.CHECKED):
        remove_parts(source)
        source.delete()
    return source


def discard_import(*, source: CorpusImport) -> None:
    """Delete an unfinished import, with its files and the rows stored so far."""
    if source.state == ImportState.IMPORTED:
        raise PublicError(
            "%(filename)s: %(state)s; it cannot be discarded.",
            filename=source.filename,
            state=source.get_state_display().lower(),
        )
    if source.job and source.job.active:
        ledger.cancel_job(job=source.job)
    staging = source.staging_id
    remove_parts(source)
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
