"""Files on their way into the corpus: streamed to the disk, whole or in pieces, and swept after some days."""

from __future__ import annotations

import errno
import json
import re
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import UploadedFile

from paragold.parsing.process import OverBounds, limited
from paragold.sources.articles.registry import JSONL, format_of
from projects import storage
from projects.errors import Conflict, PublicError, TooLittleRoom
from projects.models import Project

# In one request, and in pieces.
MEGABYTES_AT_MOST = 100
MEGABYTES_IN_PIECES = 4096
PIECE_MEGABYTES = 8
FREE_BYTES_KEPT = 512 << 20


class UploadGone(PublicError):
    """No such upload is here for this person and project."""


@dataclass(frozen=True)
class Upload:
    """A file in the folder of uploads, of the person who uploads it and for one project.

    `project` is its id, 0 for a file that is to become a project. `size` is that of the whole file in bytes;
    `received` may be less as long as pieces are missing.
    """

    token: str
    filename: str
    encoding: str
    project: int
    user: int
    size: int

    @property
    def path(self) -> Path:
        """The file, here on this disk, to be read."""
        return storage.fetch(upload_path(self.token))

    @property
    def received(self) -> int:
        return storage.size(upload_path(self.token))

    @property
    def complete(self) -> bool:
        return self.received == self.size

    @cached_property
    def format(self) -> str:
        """One of the importers' formats, by content and by the ending of its name."""
        try:
            return limited(format_of, self.path, self.filename)
        except OverBounds:
            return JSONL.id  # the check says what is wrong with it

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
    """Remove what was uploaded for a project, unfinished uploads too."""
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


def begin_upload(*, filename: str, size: int, encoding: str, project: Project | None, user: User) -> Upload:
    """Make room for a file that comes in pieces. Its own name is only remembered, never used as a path.

    Raises PublicError for a size beyond the limit, TooLittleRoom for one beyond the disk.
    """
    if size > MEGABYTES_IN_PIECES << 20:
        raise PublicError(
            f"This file is larger than {MEGABYTES_IN_PIECES:,} MB. Split it between clusters and import "
            "the parts, or use `manage.py import_corpus` on the server, which has no limit."
        )
    sweep_leftovers()
    upload = Upload(new_token(), filename or "upload", encoding, _id(project), user.pk, size)
    # The file, its articles as JSONL, and its records.
    if 3 * size + FREE_BYTES_KEPT > shutil.disk_usage(settings.UPLOADS_DIR).free:
        raise TooLittleRoom("The server's disk has too little space for this file. Inform its administrator.")
    if storage.shared():
        storage.put_piece(BytesIO(), upload_path(upload.token), 0)
    else:
        upload_path(upload.token).touch(exist_ok=False)
    _write_note(upload)
    return upload


def _write_note(upload: Upload) -> None:
    storage.put_bytes(json.dumps(asdict(upload)).encode(), _note_path(upload.token))


def add_piece(*, upload: Upload, offset: int, pieces: Iterable[bytes]) -> int:
    """Append bytes that begin at `offset`; returns how many bytes are there now.

    Raises Conflict with the number of bytes that are there when that is not where the next byte belongs,
    PublicError when more come than were announced, TooLittleRoom when the disk is full; then nothing of this
    piece is kept.
    """
    place = upload_path(upload.token)
    with ExitStack() as stack:
        if storage.shared():
            file: Any = stack.enter_context(tempfile.TemporaryFile(dir=storage.workspace(place), buffering=0))
            there, base = upload.received, 0
        else:
            file = stack.enter_context(place.open("r+b", buffering=0))
            there = base = file.seek(0, 2)
        if offset != there:
            raise Conflict(f"Continue from byte {there}, not {offset}.", {"received": there})
        end = there
        try:
            for piece in pieces:
                if end + len(piece) > upload.size:
                    raise PublicError(f"More bytes arrived than the {upload.size:,} that were announced.")
                left = memoryview(piece)
                while left:
                    left = left[file.write(left) :]
                end += len(piece)
        except BaseException as error:
            # When the connection was lost, another request may have gone on from here: what it wrote stays.
            mine = file.tell()
            if file.seek(0, 2) == mine:
                file.truncate(base)
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise TooLittleRoom(
                    "The server's disk is full. Inform its administrator; the uploaded part is kept for "
                    f"{kept_for()}."
                ) from error
            raise
        if storage.shared():
            storage.put_piece(file, place, offset)
        return end


def keep_upload(
    *,
    pieces: Iterable[bytes],
    size: int,
    filename: str,
    encoding: str,
    project: Project | None,
    user: User,
) -> Upload:
    """Store a file that came in one request."""
    upload = begin_upload(filename=filename, size=size, encoding=encoding, project=project, user=user)
    try:
        add_piece(upload=upload, offset=0, pieces=pieces)
    except BaseException:
        upload.remove()
        raise
    return upload


def find_upload(token: str, *, project: Project | None, user: User) -> Upload:
    """An upload that is continued. Raises UploadGone when it is gone or somebody else's."""
    gone = UploadGone(
        f"This upload no longer exists: it was imported, discarded, or older than {kept_for()}. Nothing was "
        "imported now; upload the file again."
    )
    if not re.fullmatch(r"[0-9a-f]{32}", token):
        raise gone
    try:
        upload = Upload(**json.loads(storage.fetch(_note_path(token)).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise gone from None
    if (upload.project, upload.user) != (_id(project), user.pk) or not storage.exists(upload_path(token)):
        raise gone
    return upload


def give_to(upload: Upload, project: Project) -> Upload:
    """The upload of a file that was to become a project, as one of the project that it has become."""
    upload = replace(upload, project=project.pk)
    _write_note(upload)
    return upload


def _id(project: Project | None) -> int:
    return project.pk if project else 0


def sweep_leftovers() -> None:
    """Remove what was uploaded UPLOADS_DAYS ago or more and never imported, cut-off uploads included."""
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
