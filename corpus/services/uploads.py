"""Files on their way into the corpus: streamed to the disk, and swept after some days."""

from __future__ import annotations

import errno
import json
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile

from projects import storage
from projects.errors import PublicError, TooLittleRoom
from projects.listings import grouped
from projects.models import Project
from projects.permissions import can_create_projects, can_manage

MEGABYTES_AT_MOST = 100
# Of a corpus or a lexicon, which a worker reads.
LARGE_MEGABYTES = 4096
FREE_BYTES_KEPT = 512 << 20


class UploadGone(PublicError):
    """No such upload is here for this person and project."""


@dataclass(frozen=True)
class Upload:
    """A file in the folder of uploads, of the person who uploaded it and for one project.

    `project` is its id, 0 for a file that is to become a project. `size` is in bytes.
    """

    token: str
    filename: str
    encoding: str
    project: int
    user: int
    size: int

    def remove(self) -> None:
        remove_files(self.token)


def upload_path(token: str) -> Path:
    return Path(settings.UPLOADS_DIR) / f"{token}.upload"


def records_path(token: str) -> Path:
    """Where the checked articles of an upload wait to be stored."""
    return Path(settings.UPLOADS_DIR) / f"{token}.records"


def new_token() -> str:
    Path(settings.UPLOADS_DIR).mkdir(parents=True, exist_ok=True)
    return secrets.token_hex(16)


def fetch_upload(token: str) -> Path:
    """The file of an upload, here on this disk, to be read. Raises PublicError when it is gone."""
    try:
        return storage.fetch(upload_path(token))
    except FileNotFoundError as error:
        raise PublicError("The uploaded file is no longer stored. Upload it again.") from error


def remove_files(token: str) -> None:
    for path in (upload_path(token), _note_path(token), records_path(token)):
        storage.delete(path)


def remove_uploads(project: Project) -> None:
    """Remove what was uploaded for a project."""
    for stored in storage.list_files(Path(settings.UPLOADS_DIR)):
        if stored.place.suffix != ".json":
            continue
        with suppress(FileNotFoundError, ValueError):  # it was imported meanwhile, or is damaged
            if json.loads(storage.fetch(stored.place).read_text(encoding="utf-8"))["project"] == project.pk:
                remove_files(stored.place.stem)


def leftovers_before() -> float:
    """The time, in seconds since 1970, before which what was uploaded and not imported is removed."""
    return time.time() - settings.UPLOADS_DAYS * 24 * 3600


def kept_for() -> str:
    """How long uploads are kept, in words."""
    return "a day" if settings.UPLOADS_DAYS == 1 else f"{settings.UPLOADS_DAYS:g} days"


def _note_path(token: str) -> Path:
    return Path(settings.UPLOADS_DIR) / f"{token}.json"


def may_send_large(user: Any, slug: str | None) -> bool:
    """Whether somebody may import into the project, or create one where there is no short name."""
    if slug is None:
        return can_create_projects(user)
    project = Project.objects.filter(slug=slug).first()
    return project is not None and can_manage(user, project)


def check_room(size: int) -> None:
    """Raise TooLittleRoom where a file of so many bytes, its articles as JSONL and its records do not fit."""
    folder = Path(settings.UPLOADS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    if 3 * size + FREE_BYTES_KEPT > shutil.disk_usage(folder).free:
        raise TooLittleRoom("The server's disk has too little space for this file. Inform its administrator.")


def _write_note(upload: Upload) -> None:
    storage.put_bytes(json.dumps(asdict(upload)).encode(), _note_path(upload.token))


def keep_upload(
    *,
    pieces: Path | Iterable[bytes],
    size: int,
    filename: str,
    encoding: str,
    project: Project | None,
    user: User,
) -> Upload:
    """Store a file of `size` bytes that came in a request. Its own name is only remembered, never a path.

    `pieces` are its bytes, or the place where Django has written it: that file is moved. Raises PublicError
    when other than `size` bytes come, TooLittleRoom where the disk is full; then nothing is kept.
    """
    sweep_leftovers()
    upload = Upload(new_token(), filename or "upload", encoding, project.pk if project else 0, user.pk, size)
    place = upload_path(upload.token)
    partial = storage.workspace(place) / f"{place.name}.partial"
    try:
        if isinstance(pieces, Path):
            shutil.move(pieces, partial)
        else:
            _write(pieces, partial, size)
        storage.put(partial, place)
        _write_note(upload)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        upload.remove()
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise TooLittleRoom("The server's disk is full. Inform its administrator.") from error
        raise
    return upload


def _write(pieces: Iterable[bytes], path: Path, size: int) -> None:
    received = 0
    with path.open("xb") as file:
        for piece in pieces:
            received += len(piece)
            if received > size:
                break
            file.write(piece)
    if received != size:
        raise PublicError(
            "%(received)s of %(size)s bytes arrived. Send the file again.",
            received=grouped(received),
            size=grouped(size),
        )


def find_upload(token: str, *, project: Project | None, user: User) -> Upload:
    """An upload that a later request goes on with. Raises UploadGone when it is gone or somebody else's."""
    gone = UploadGone(
        "This upload no longer exists: it was imported, discarded, or older than %(days)s. Nothing was "
        "imported now; upload the file again.",
        days=kept_for(),
    )
    if not re.fullmatch(r"[0-9a-f]{32}", token):
        raise gone
    try:
        upload = Upload(**json.loads(storage.fetch(_note_path(token)).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise gone from None
    if (upload.project, upload.user) != (project.pk if project else 0, user.pk) or not storage.exists(
        upload_path(token)
    ):
        raise gone
    return upload


def give_to(upload: Upload, project: Project) -> Upload:
    """The upload of a file that was to become a project, as one of the project that it has become."""
    upload = replace(upload, project=project.pk)
    _write_note(upload)
    return upload


def sweep_leftovers() -> None:
    """Remove what was uploaded UPLOADS_DAYS ago or more and never imported."""
    folder = Path(settings.UPLOADS_DIR)
    if not folder.is_dir():
        return
    limit = leftovers_before()
    for path in folder.iterdir():
        try:
            if path.stat().st_mtime >= limit:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        except FileNotFoundError:
            continue  # another request swept it
    if storage.shared():
        for stored in storage.list_files(folder):
            if stored.modified < limit:
                storage.delete(stored.place)


@contextmanager
def on_disk(pieces: Iterable[bytes]) -> Iterator[Path]:
    """The path of a file that was sent, for as long as it is read; its own name is never used as a path."""
    folder = Path(settings.UPLOADS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, suffix=".sent") as stored:
        for piece in pieces:
            stored.write(piece)
        stored.flush()
        yield Path(stored.name)


def lines_of(file: UploadedFile) -> int:
    """The lines of an uploaded file, the last one counted whether or not it ends; nothing is parsed."""
    ends, last = 0, b"\n"
    for piece in file.chunks():
        ends += piece.count(b"\n")
        last = piece[-1:] or last
    return ends + (last != b"\n")
