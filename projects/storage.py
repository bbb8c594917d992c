"""Files that one process writes and another reads: in the data folder, or in a store that hosts share.

A file is named by its place in the data folder. With a shared store (`PARAGOLD_STORAGE`) its key there is the
place below that folder, and `fetch` makes a copy in the folder `copies` to read from; else the place is the
file. Every write is all or nothing. Functions raise StoreAway when the store does not answer.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import storages

COPIES = "copies"
COPIES_KEPT_SECONDS = 24 * 3600
# What is older and unfinished was left by a process that died.
LEFTOVER_SECONDS = 24 * 3600


class StoreAway(OSError):
    """The shared store does not answer, or refuses."""


class Stored(NamedTuple):
    """A file: its place, its size in bytes, and when it was written, in seconds since 1970."""

    place: Path
    size: int
    modified: float


def shared() -> bool:
    """Whether files lie in a store that several hosts share."""
    return bool(settings.SHARED_STORAGE)


def put(source: Path, place: Path, *, same: bool = False) -> None:
    """Move a finished file to its place.

    `same`: the place names the content, so that a shared store that has the file need not be sent it again.
    """
    if shared():
        if not (same and exists(place)):
            send(source, place)
        source.unlink()
    else:
        source.replace(workspace(place) / place.name)


def send(source: Path, place: Path) -> None:
    """Copy a file to a shared store, before a transaction that then calls `put(..., same=True)`.

    Nothing without a shared store.
    """
    if shared():
        with source.open("rb") as file, _store_errors():
            _store().save(_key(place), File(file))


def put_bytes(data: bytes, place: Path) -> None:
    """Write a small file, or replace it."""
    partial = workspace(place) / f"{place.name}.partial"
    partial.write_bytes(data)
    put(partial, place)


def fetch(place: Path, *, same: bool = False) -> Path:
    """The file to read, here on this disk. Raises FileNotFoundError when there is none.

    `same`: the place names the content, so that a copy that is here is taken without asking the store.
    """
    if not shared():
        if not place.is_file():
            raise FileNotFoundError(place)
        return place
    copy = _copy(place)
    with suppress(FileNotFoundError):
        known = copy.stat()
        if same or ((stored := _stored(place)) and (known.st_size, known.st_mtime) == stored[1:]):
            # When it was last read, for `sweep_copies`.
            os.utime(copy, (time.time(), known.st_mtime))
            return copy
    if not (stored := _stored(place)):
        raise FileNotFoundError(place)
    _download(place, copy)
    os.utime(copy, (time.time(), stored.modified))
    return copy


def _download(place: Path, copy: Path) -> None:
    sweep_copies()
    copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=copy.parent) as folder, _store_errors():
        path = Path(folder) / "first"
        _store().bucket.download_file(_start() + _key(place), str(path))
        path.replace(copy)


def workspace(place: Path) -> Path:
    """A folder on this disk to write a file in before it is put in its place."""
    folder = _copy(place).parent if shared() else place.parent
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def exists(place: Path) -> bool:
    return bool(_stored(place)) if shared() else place.is_file()


def size(place: Path) -> int:
    """Its bytes. Raises FileNotFoundError when there is none."""
    if shared() and (stored := _stored(place)):
        return stored.size
    return place.stat().st_size


def delete(place: Path) -> None:
    """Remove a file if it is there; copies on other hosts are swept after a day."""
    if shared():
        with _store_errors():
            _store().delete(_key(place))
        _copy(place).unlink(missing_ok=True)
    place.unlink(missing_ok=True)


def list_files(folder: Path) -> list[Stored]:
    """The files in a folder and below it, by place."""
    if shared():
        with _store_errors():
            return sorted(_list(f"{_key(folder)}/"))
    places = [place for place in folder.rglob("*") if place.is_file() and not place.is_symlink()]
    return sorted(Stored(place, (state := place.stat()).st_size, state.st_mtime) for place in places)


def put_folder(source: Path, folder: Path) -> None:
    """Move a folder of finished files; in a shared store they come one after the other."""
    if not shared():
        source.replace(workspace(folder) / folder.name)
        return
    for path in [path for path in source.rglob("*") if path.is_file()]:
        put(path, folder / path.relative_to(source))
    shutil.rmtree(source)


def fetch_folder(folder: Path) -> Path:
    """The folder to read, here on this disk; it may be missing."""
    for stored in list_files(folder) if shared() else ():
        fetch(stored.place)
    return _copy(folder) if shared() else folder


def delete_folder(folder: Path) -> None:
    """Remove a folder and all below it, if it is there."""
    if shared():
        for stored in list_files(folder):
            delete(stored.place)
        shutil.rmtree(_copy(folder), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def sweep_copies() -> None:
    """Remove this host's copies of files that were not read for a day."""
    limit = time.time() - COPIES_KEPT_SECONDS
    for path in (Path(settings.VAR) / COPIES).rglob("*"):
        if path.is_file() and path.stat().st_atime < limit:
            path.unlink(missing_ok=True)


def check() -> None:
    """Write, read and delete a small file in the shared store. Raises StoreAway."""
    place = Path(settings.VAR) / f"check-{os.urandom(8).hex()}"
    put_bytes(b"Paragold", place)
    try:
        if fetch(place).read_bytes() != b"Paragold":
            raise StoreAway("another content was read than was written")
    finally:
        delete(place)
    if exists(place):
        raise StoreAway("a file that was deleted is still there")


def _store() -> Any:
    return storages["shared"]


def _start() -> str:
    """What the store puts before each key."""
    return f"{_store().location}/" if _store().location else ""


def _key(place: Path) -> str:
    return place.relative_to(settings.VAR).as_posix()


def _copy(place: Path) -> Path:
    return Path(settings.VAR) / COPIES / _key(place)


def _stored(place: Path) -> Stored | None:
    with _store_errors():
        return next((stored for stored in _list(_key(place)) if stored.place == place), None)


def _list(prefix: str) -> Iterator[Stored]:
    """What the store has under keys that begin so: one request for a thousand files, unlike Django's own."""
    for entry in _store().bucket.objects.filter(Prefix=_start() + prefix):
        place = Path(settings.VAR) / entry.key.removeprefix(_start())
        yield Stored(place, entry.size, entry.last_modified.timestamp())


@contextmanager
def _store_errors() -> Iterator[None]:
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        yield
    except (Boto3Error, BotoCoreError, ClientError) as error:
        raise StoreAway(f"The file store does not answer: {error}") from error
