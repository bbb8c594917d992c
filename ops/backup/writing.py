"""Writing a backup while everybody goes on working."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from corpus.models import CorpusImport, ImportState
from corpus.services.importing import tokens_of
from ops.backup import postgresql, sqlite
from paragold.formats.publishing import sha256_of
from projects import storage
from projects.errors import PublicError

VERSION = 2
MANIFEST = "manifest.json"
# The others are made again, or are of this machine alone: secret key, logins, queue, logs, archives.
FOLDERS = ("exports", "aligners", "uploads")
NAME = re.compile(r"files/(exports/[\w-]+/[0-9a-f]{64}\.zip|aligners/[\w-]+\.npz|uploads/[0-9a-f]{32}\.\w+)")
_WAITING = (ImportState.CHECKING, ImportState.CHECKED, ImportState.STORING)
PIECE = 1 << 20
_PACKED = (".zip", ".npz", ".dump")


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written."""

    path: Path
    bytes: int
    files: int
    sha256: str


def back_up(path: Path) -> Backup:
    """Write the installation to a new file at `path`, for its owner alone (mode 0600).

    The database comes first, as it is at one moment: the files that it names are there by then. Raises
    PublicError when the file is there already or cannot be written, and when PostgreSQL's programs are not
    there or fail.
    """
    if path.exists():
        raise PublicError(
            "%(path)s exists. Choose another name: a backup never replaces another one.", path=path
        )
    partial = path.with_name(f"{path.name}.partial")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".backup-") as folder:
            database = _dump(Path(folder))
            described = _describe(database.name)
            partial.unlink(missing_ok=True)
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                number = _write(file, database, described)
                file.flush()
                os.fsync(file.fileno())
        sha256 = sha256_of(partial)
        partial.replace(path)
    except OSError as error:
        raise PublicError(f"{path}: {error.strerror or error}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return Backup(path, path.stat().st_size, number, sha256)


def _dump(folder: Path) -> Path:
    if connection.vendor == "sqlite":
        target = folder / sqlite.FILE
        sqlite.dump(Path(connection.settings_dict["NAME"]), target)
    else:
        target = folder / postgresql.FILE
        postgresql.dump(target)
    return target


def _describe(database: str) -> dict[str, Any]:
    loader = MigrationLoader(connection)
    # Without those that are recorded as applied and were merged into others since.
    applied = loader.applied_migrations.keys() & loader.disk_migrations.keys()
    return {
        "backup_version": VERSION,
        "program": settings.VERSION,
        "written_at": timezone.now().isoformat(timespec="seconds"),
        "database": {
            "vendor": connection.vendor,
            "file": database,
            "server": postgresql.server_major() if connection.vendor == "postgresql" else None,
            "migrations": sorted(f"{app}.{name}" for app, name in applied),
        },
        "files": {},
    }


def _write(file: Any, database: Path, described: dict[str, Any]) -> int:
    """Pack everything, and the manifest last; returns the number of files, the database among them."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, place in [(database.name, database), *files()]:
            try:
                source = (place if place == database else storage.fetch(place)).open("rb")
            except FileNotFoundError:
                continue  # deleted since its name was read: nothing needs it any more
            with source:
                described["files"][name] = _pack(archive, name, source)
        archive.writestr(MANIFEST, json.dumps(described, indent=1, sort_keys=True) + "\n")
    return len(described["files"])


def _pack(archive: zipfile.ZipFile, name: str, source: Any) -> dict[str, Any]:
    entry = zipfile.ZipInfo(name, timezone.now().timetuple()[:6])
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    digest, size = hashlib.sha256(), 0
    with archive.open(entry, "w", force_zip64=True) as packed:
        while piece := source.read(PIECE):
            digest.update(piece)
            size += len(piece)
            packed.write(piece)
    return {"bytes": size, "sha256": digest.hexdigest()}


def files() -> Iterator[tuple[str, Path]]:
    """(name in the backup, place) of the files of the data folder that the database needs, by name.

    Exports, the numbers of aligners, and the uploads of imports that are on their way.
    """
    root = Path(settings.VAR)
    waiting = CorpusImport.objects.filter(state__in=_WAITING).only("token", "options")
    tokens = {token for source in waiting for token in tokens_of(source).values()}
    for folder in FOLDERS:
        for place in (file.place for file in storage.list_files(root / folder)):
            name = f"files/{place.relative_to(root).as_posix()}"
            if NAME.fullmatch(name) and (folder != "uploads" or place.name.partition(".")[0] in tokens):
                yield name, place


def folder() -> Path:
    """Where backups are that are given no other place."""
    return Path(settings.VAR) / "backups"


def back_up_in_folder() -> Backup:
    """Write a backup named by the time to `folder`, in a shared store if there is one."""
    place = folder() / f"paragold-{timezone.now():%Y%m%dT%H%M%SZ}.zip"
    made = back_up(storage.workspace(place) / place.name)
    storage.put(made.path, place)
    return replace(made, path=place)


def place_of(name: str) -> Path:
    """Where a file of a backup belongs."""
    return Path(settings.VAR) / name.removeprefix("files/")
