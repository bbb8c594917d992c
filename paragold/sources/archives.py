"""Files of an archive or a folder, read one by one. An archive is never extracted: no name becomes a path."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from paragold.formats.text_files import other_format
from paragold.problems import FileProblem

DAMAGED_ZIP = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, UnicodeDecodeError),
    *(EOFError, OSError, NotImplementedError, RuntimeError),
)
"""What opening and reading a damaged zip file raises."""
MEMBERS = 200_000
MEMBER_BYTES = 20 * 1024 * 1024
TOTAL_BYTES = 4 * 1024 * 1024 * 1024
# Text is seldom packed closer than 20 to 1; what is packed closer than this was made to harm.
RATIO = 200
RATIO_FROM_BYTES = 1024 * 1024
_ENCRYPTED = 0x1


Member = tuple[str, bytes]
"""A file: its name with "/" between folders, and its bytes."""


class FolderMembers:
    """The files below a folder, sorted by name; hidden ones and links are left out.

    Iterating raises FileProblem for a file beyond the limits and for one that cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        names = (path.relative_to(folder).as_posix() for path in files)
        self.names = sorted(name for name in names if not _hidden(name))

    def __iter__(self) -> Iterator[Member]:
        if len(self.names) > MEMBERS:
            raise FileProblem(f"The folder has more than {MEMBERS:,} files.", "Import it in parts.")
        for name in self.names:
            path = self._folder / name
            try:
                if path.stat().st_size > MEMBER_BYTES:
                    raise _too_large(name)
                yield name, path.read_bytes()
            except OSError as error:
                message = f"{name}: it cannot be read ({error.strerror})."
                raise FileProblem(message, "Check its permissions.") from error


class ArchiveMembers:
    """The files of a zip archive, sorted by name; those that systems hide or add are left out.

    Raises FileProblem for the whole archive, before anything of it is read, when it is broken, encrypted or
    beyond the limits; and while it is read when a file is longer than it says or its checksum is wrong.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._opened() as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        _check(entries)
        entries.sort(key=lambda entry: entry.filename)
        self._entries = [entry for entry in entries if not _hidden(entry.filename)]
        self.names = [entry.filename for entry in self._entries]

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self._path)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            message, remedy = f"The zip archive is broken ({error}).", "Create it again, or upload it again."
            with self._path.open("rb") as file:
                other = other_format(file.read(512))
            if other and "zip archive" not in other:
                message, remedy = f"This is {other}, not a zip archive.", "Give the archive itself."
            raise FileProblem(message, remedy) from error

    def __iter__(self) -> Iterator[Member]:
        with self._opened() as archive:
            for entry in self._entries:
                yield entry.filename, _read(archive, entry)


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(entry) as file:
            data = file.read(MEMBER_BYTES + 1)
    except DAMAGED_ZIP as error:
        raise FileProblem(f"{entry.filename}: it is damaged ({error}).", "Make the archive again.") from error
    if len(data) != entry.file_size:
        message = f"{entry.filename}: it is not as long as the archive says."
        raise FileProblem(message, "Make the archive again.")
    return data


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MEMBERS:
        raise FileProblem(f"The archive has more than {MEMBERS:,} files.", "Import it in parts.")
    for entry in entries:
        if entry.flag_bits & _ENCRYPTED:
            message = f'"{entry.filename}" is encrypted.'
            raise FileProblem(message, "Pack the archive again without a password.")
        if entry.file_size > MEMBER_BYTES:
            raise _too_large(entry.filename)
        if entry.file_size > RATIO_FROM_BYTES and entry.file_size > RATIO * max(1, entry.compress_size):
            message = f'"{entry.filename}" unpacks to more than {RATIO} times its size.'
            raise FileProblem(message, "Leave it out.")
    if sum(entry.file_size for entry in entries) > TOTAL_BYTES:
        raise FileProblem(f"The archive unpacks to more than {TOTAL_BYTES >> 30} GB.", "Import it in parts.")


def _hidden(name: str) -> bool:
    return name.startswith("__MACOSX/") or any(part.startswith(".") for part in name.split("/"))


def _too_large(name: str) -> FileProblem:
    return FileProblem(f"{name}: it is larger than {MEMBER_BYTES >> 20} MB.", "Leave it out, or split it.")
