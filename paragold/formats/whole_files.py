"""Files of commands: complete or not seen at all; devices, pipes, standard input and output."""

from __future__ import annotations

import errno
import os
import re
import select
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO
from uuid import uuid4

from paragold.problems import FileProblem

DASH = Path("-")
"""Standard input where a file is read, standard output where one is written."""
_MOST_LINKS = 40


class ClosedPipe(BrokenPipeError):
    """Whoever read the output has stopped reading."""


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that gets its name when it is complete and on the disk; never where the block fails.

    It replaces a file that is there and keeps its permissions; a symbolic link stays and leads to the new
    file. Several processes may write the same file at a time. `-` is standard output; that, devices and pipes
    are written as the block writes. Raises OSError where it cannot be written, and ClosedPipe where nobody
    reads a pipe any longer.
    """
    try:
        with _stream(path) if is_stream(path) else _replacement(Path(os.path.realpath(path))) as file:
            yield file
    except OSError as error:
        # Not that of the partial file.
        if error.filename is not None:
            error.filename = str(path)
        raise


@contextmanager
def regular_file(path: Path) -> Iterator[Path]:
    """For what writes to a path: `path`, or for a stream a temporary file that is copied to it afterwards."""
    if not is_stream(path):
        yield Path(os.path.realpath(path))
        return
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / "output"
        yield temporary
        with temporary.open("rb") as source, whole_file(path) as file:
            shutil.copyfileobj(source, file)


@contextmanager
def readable_again(path: Path) -> Iterator[Path]:
    """For what reads a file more than once: `path`, or for a pipe or `-` a temporary file of what it held.

    Problems found in it name the path. Raises OSError where it cannot be read.
    """
    if path != DASH and (path.is_file() or not path.exists()):
        yield path
        return
    with TemporaryDirectory() as folder:
        temporary = Path(folder) / (path.name or "input")
        with temporary.open("wb") as file:
            if path == DASH:
                shutil.copyfileobj(sys.stdin.buffer, file)
            else:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, file)
        try:
            yield temporary
        except FileProblem as problem:
            name = problem.file.replace(str(temporary), str(path))
            raise replace(problem, file=name) from problem.__cause__


def write_whole(path: Path, text: str) -> None:
    """Write the text in UTF-8 as a `whole_file`."""
    with whole_file(path) as file:
        file.write(text.encode())


def is_stream(path: Path) -> bool:
    """Whether the path is no regular file: `-`, a device, a pipe, or an open descriptor of this process.

    Raises IsADirectoryError.
    """
    if _descriptor(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return not stat.S_ISREG(mode)


def is_standard_output(path: Path) -> bool:
    """Whether what is written to the path is written to standard output, whatever it is called."""
    return _descriptor(path) == 1


def is_closed(descriptor: int) -> bool:
    """Whether a descriptor is a pipe that nobody reads any longer."""
    poll = select.poll()
    poll.register(descriptor, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _descriptor(path: Path) -> int | None:
    """The open descriptor that the path leads to: `-`, /dev/stdout, /dev/fd/3, or a link to one of them."""
    if path == DASH:
        return 1
    with suppress(OSError):
        if os.path.samestat(path.stat(), os.fstat(1)):
            return 1
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(path.parent)
        if path.name.isdecimal() and re.fullmatch(rf"/dev/fd|/proc/{os.getpid()}(/task/\d+)?/fd", folder):
            return int(path.name)
        if not path.is_symlink():
            break
        path = Path(folder, path.readlink())
    return None


@contextmanager
def _stream(path: Path) -> Iterator[BinaryIO]:
    descriptor = _descriptor(path)
    file: BinaryIO
    if descriptor == 1 and hasattr(sys.stdout, "buffer"):
        sys.stdout.flush()
        file = sys.stdout.buffer
    else:
        # Not opened again: that would begin at its start.
        file = path.open("wb") if descriptor is None else os.fdopen(os.dup(descriptor), "wb")
    try:
        yield file
        file.flush()
    except BrokenPipeError as error:
        raise ClosedPipe(*error.args) from error
    finally:
        if file is not getattr(sys.stdout, "buffer", None):
            # After a failed write, closing tries to write once more.
            with suppress(OSError):
                file.close()


@contextmanager
def _replacement(path: Path) -> Iterator[BinaryIO]:
    partial = path.with_name(f".{path.name}.{uuid4().hex}.partial")
    file = partial.open("xb")
    try:
        with suppress(FileNotFoundError):
            before = path.stat()
            with suppress(PermissionError):
                os.chown(partial, before.st_uid, before.st_gid)
            partial.chmod(stat.S_IMODE(before.st_mode))
        yield file
        file.flush()
        os.fsync(file.fileno())
        file.close()
        partial.replace(path)
    finally:
        with suppress(OSError):
            file.close()
        partial.unlink(missing_ok=True)
