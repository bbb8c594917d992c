"""Writing a project's archive: the same project gives the same bytes, on whatever installation it lies."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection, models, transaction

from alignment.models import Export, TrainedAligner
from alignment.services.export_store import export_path
from alignment.services.trained_aligners.stored import model_path
from jobs.models import ACTIVE
from jobs.services import removal
from paragold.formats.pair_files import write_archive
from paragold.formats.publishing import sha256_of
from projects import storage
from projects.errors import PublicError
from projects.models import Project

from .tables import MAKE, Renumber, Row, Table, renumbered, tables

VERSION = 3
DESCRIPTION = "archive.json"
ROWS_AT_ONCE = 2_000
OWN = ("id", "staging", "deleted_at", "deleted_by")
"""Columns of the project itself that an archive does not hold."""


def _plain(value: Any) -> str:
    """A value that JSON does not have."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    return base64.b64encode(value).decode()


# With sorted keys, since PostgreSQL does not keep their order.
_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True, default=_plain
).encode


def check_quiet(project: Project) -> None:
    """Raise PublicError while a removal, or a job that is not about archives, is under way."""
    active = project.jobs.filter(state__in=ACTIVE).exclude(kind=MAKE).order_by("pk").first()
    if active is not None:
        raise PublicError("“%(job)s” is running. Wait until it has ended, or cancel it.", job=active.title)
    for job in removal.stopped_removals():
        if job.project_id == project.pk:
            raise PublicError("“%(job)s” has not ended. Wait until it has.", job=job.title)


def export_project(*, project: Project, path: Path) -> dict[str, Any]:
    """Write the whole project to a new archive at `path`; returns what `archive.json` in it says.

    The file can be read by its owner only. Raises PublicError while a job of the project is under way, and
    where the file cannot be written.
    """
    partial = path.with_name(f"{path.name}.partial")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}-") as name:
            folder = Path(name)
            with snapshot():
                check_quiet(project)
                description = _write_tables(project, folder)
            description["files"] = _copy_files(project, folder)
            (folder / DESCRIPTION).write_text(_encode(description) + "\n", encoding="utf-8", newline="\n")
            partial.touch(mode=0o600)
            write_archive(folder, partial)
        partial.replace(path)
    except OSError as error:
        raise PublicError(f"{path}: {error.strerror or error}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return description


@contextmanager
def snapshot() -> Iterator[None]:
    """A transaction that only reads, and whose queries all see the moment of the first of them.

    On SQLite it takes no lock that a writer would wait for. Within another transaction it is part of that
    one, with what that one sees.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        own: Any = connection
        kept, own.transaction_mode = own.transaction_mode, "DEFERRED"
        try:
            with transaction.atomic():
                yield
        finally:
            own.transaction_mode = kept
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


def _write_tables(project: Project, folder: Path) -> dict[str, Any]:
    ids = {table.name: array("q", table.rows(project).values_list("pk", flat=True)) for table in tables()}
    names = dict(User.objects.values_list("pk", "username"))

    def renumber(model: str, pk: int) -> int | None:
        known = ids[model]
        place = bisect_left(known, pk)
        return place + 1 if place < len(known) and known[place] == pk else None

    described = {}
    for table in tables():
        path = folder / f"{table.name}.jsonl"
        rows = _write_table(table, project, path, renumber, names)
        described[table.name] = {"rows": rows, "sha256": sha256_of(path)}
    own = {
        field.name: getattr(project, field.name)
        for field in Project._meta.concrete_fields
        if field.name not in OWN
    }
    own["created_by"] = project.created_by.username
    return {"archive_version": VERSION, "project": own, "tables": described}


def _write_table(
    table: Table, project: Project, path: Path, renumber: Renumber, names: dict[int, str]
) -> int:
    """One line with the names of the fields, then a list of values for each row."""
    cells = [_cell(table, field, renumber, names) for field in table.fields]
    attributes = [field.attname for field in table.fields]
    rows = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(_encode([field.name for field in table.fields]) + "\n")
        queryset = table.rows(project).values_list(*attributes)
        for values in queryset.iterator(chunk_size=ROWS_AT_ONCE):
            row = dict(zip(attributes, values, strict=True))
            file.write(_encode([cell(value, row) for cell, value in zip(cells, values, strict=True)]) + "\n")
            rows += 1
    return rows


def _cell(
    table: Table, field: models.Field, renumber: Renumber, names: dict[int, str]
) -> Callable[[Any, Row], Any]:
    """What writes a value of the field, given its row."""
    target = field.related_model
    if target is User:
        return lambda value, row: None if value is None else names[value]
    if target is not None:
        label = str(target._meta.label)
        return lambda value, row: None if value is None else renumber(label, value)
    name = f"{table.name}.{field.name}"
    return lambda value, row: renumbered(name, value, renumber, row)


def files_of(project: Project) -> Iterator[tuple[str, Path]]:
    """(name in the archive, place) of the files that rows of the project name by their hash."""
    aligners = TrainedAligner.everything.filter(project=project).values_list("sha256", flat=True)
    exports = Export.everything.filter(project=project).values_list("sha256", flat=True)
    yield from ((f"aligner-{sha256}.npz", model_path(sha256)) for sha256 in sorted(set(aligners)))
    yield from ((f"export-{sha256}.zip", export_path(project, sha256)) for sha256 in sorted(set(exports)))


def _copy_files(project: Project, folder: Path) -> dict[str, dict[str, str]]:
    """Files that are gone are left out: exports can be made again, aligners trained again."""
    copied = {}
    for name, place in files_of(project):
        with suppress(FileNotFoundError):
            shutil.copyfile(storage.fetch(place, same=True), folder / name)
            copied[name] = {"sha256": sha256_of(folder / name)}
    return copied
