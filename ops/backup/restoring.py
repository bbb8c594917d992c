"""Putting a backup in the place of an installation: all of it, or nothing is changed."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from ops.backup import postgresql, sqlite
from ops.launcher.installation import InstanceLock, LauncherError
from paragold.sources.archives import DAMAGED_ZIP
from projects import storage
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project

from .writing import MANIFEST, NAME, PIECE, VERSION, place_of


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back. `kept` is the SQLite database that was there before, None for none."""

    manifest: dict[str, Any]
    kept: Path | None


def check_backup(path: Path) -> dict[str, Any]:
    """The manifest of a backup, every file of which was held against its SHA-256. Raises PublicError."""
    with _opened(path) as archive:
        manifest = _manifest(archive, path)
        for name in manifest["files"]:
            _take_out(archive, path, name, manifest, None)
        return manifest


def restore(path: Path, *, replace: bool = False) -> Restored:
    """Make the installation what it was when the backup was written.

    Nothing is touched before all of the backup was unpacked beside it and held against its hashes; the
    database is then replaced in one step. Raises PublicError for a backup that is damaged, of another kind of
    database or of a newer program, while Paragold runs, and, unless `replace`, where there are projects or
    people already.
    """
    root = Path(settings.VAR)
    with _alone(root), _opened(path) as archive:
        manifest = _manifest(archive, path)
        _check_fits(manifest, path)
        if not replace:
            _check_empty()
        _check_room(manifest, root)
        with tempfile.TemporaryDirectory(dir=root, prefix=".restore-") as name:
            folder = Path(name)
            unpacked_files = {
                member: folder / str(number) for number, member in enumerate(sorted(manifest["files"]))
            }
            for member, unpacked in unpacked_files.items():
                _take_out(archive, path, member, manifest, unpacked)
            database = unpacked_files.pop(manifest["database"]["file"])
            if connection.vendor == "sqlite":
                sqlite.check(database)
            try:
                _put_files(unpacked_files)
                kept = _put_database(database, folder)
            except OSError as error:
                raise PublicError("The backup could not be put in place: %(error)s.", error=error) from error
    return Restored(manifest, kept)


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Nobody starts Paragold from this folder meanwhile."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = InstanceLock(root / "running.lock")
    try:
        lock.acquire(url="a backup is being restored", patience=0)
    except LauncherError as error:
        raise PublicError(str(error)) from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except DAMAGED_ZIP as error:
        raise PublicError(
            "%(path)s cannot be read as a backup: %(error)s.", path=path, error=error
        ) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    """The manifest, of the shape it must have, which names exactly the files that are there."""
    try:
        with archive.open(MANIFEST) as file:
            manifest: dict[str, Any] = json.load(file)
        version, database = manifest["backup_version"], manifest["database"]["file"]
        named = {str(name): str(file["sha256"]) for name, file in manifest["files"].items()}
        list(manifest["database"]["migrations"]), manifest["database"]["vendor"], manifest["written_at"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PublicError(
            "%(path)s is not a backup, or its %(manifest)s is damaged (%(error)s).",
            path=path,
            manifest=MANIFEST,
            error=error,
        ) from error
    if version != VERSION:
        raise PublicError(
            "%(path)s was written by another version of Paragold (backup version %(version)s; this one "
            "reads version %(present)s). Restore it with that version.",
            path=path,
            version=version,
            present=VERSION,
        )
    there = archive.namelist()
    if sorted(there) != sorted([*named, MANIFEST]) or database not in named:
        raise PublicError(
            "%(path)s is damaged: it does not hold the files that its %(manifest)s names.",
            path=path,
            manifest=MANIFEST,
        )
    for name in named:
        if name not in (sqlite.FILE, postgresql.FILE) and not NAME.fullmatch(name):
            raise PublicError(
                "%(path)s is not a backup: %(name)r does not belong to one.", path=path, name=name[:80]
            )
    return manifest


def _take_out(
    archive: zipfile.ZipFile, path: Path, name: str, manifest: dict[str, Any], target: Path | None
) -> None:
    """Hold a file against its hash, writing it to `target` on the way if there is one."""
    digest = hashlib.sha256()
    with archive.open(name) as packed, (target or Path("/dev/null")).open("wb") as file:
        while piece := packed.read(PIECE):
            digest.update(piece)
            file.write(piece)
    if digest.hexdigest() != manifest["files"][name]["sha256"]:
        raise PublicError(
            "%(path)s is damaged: %(name)s has another sha256 than %(manifest)s says.",
            path=path,
            name=name,
            manifest=MANIFEST,
        )


def _check_fits(manifest: dict[str, Any], path: Path) -> None:
    vendor = manifest["database"]["vendor"]
    if vendor != connection.vendor:
        raise PublicError(
            "%(path)s is of an installation on %(vendor)s; this one is on %(other_vendor)s. Move its "
            "projects one by one, as archives.",
            path=path,
            vendor=vendor,
            other_vendor=connection.vendor,
        )
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = sorted(set(manifest["database"]["migrations"]) - known)
    if unknown:
        raise PublicError(
            "%(path)s was written by a newer version of Paragold, or by an unreleased one (%(name)s is "
            "not known). Update first, or restore it with that version.",
            path=path,
            name=unknown[0],
        )


def _has_tables() -> bool:
    return Project._meta.db_table in connection.introspection.table_names()


def _check_empty() -> None:
    """A folder where nothing but the first administrator was made counts as empty."""
    if _has_tables() and (Project.objects.exists() or User.objects.count() > 1):
        raise PublicError(
            "There are projects or people in this installation; restoring would replace all of them. Make "
            "a backup of it, then use --replace."
        )


def _check_room(manifest: dict[str, Any], root: Path) -> None:
    needed = sum(file["bytes"] for file in manifest["files"].values())
    # A dump is unpacked once more on its way into PostgreSQL.
    needed += 4 * manifest["files"][manifest["database"]["file"]]["bytes"] * (connection.vendor != "sqlite")
    free = shutil.disk_usage(root).free
    if needed > free:
        raise PublicError(
            "Restoring takes about %(needed)s bytes in %(root)s, and %(free)s are free.",
            needed=grouped(needed),
            root=root,
            free=grouped(free),
        )


def _put_files(files: dict[str, Path]) -> None:
    """Names are hashes or random: what is there under the same name is the same."""
    for name, unpacked in files.items():
        storage.put(unpacked, place_of(name))


def _put_database(database: Path, folder: Path) -> Path | None:
    if connection.vendor != "sqlite":
        postgresql.restore(database, folder)
        return None
    place = Path(connection.settings_dict["NAME"])
    kept = None
    if _has_tables():
        kept = place.with_name(f"{place.name}.before-{timezone.now():%Y%m%dT%H%M%S}")
    connection.close()
    sqlite.put_in_place(database, place, kept)
    return kept
