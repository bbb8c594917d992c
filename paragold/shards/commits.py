"""The results of tasks in a folder: each appears whole, by one rename, with the hashes of its files."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paragold.formats.manifest import described_file
from paragold.problems import FileProblem

RECORD = "done.json"
WORK = "work"
LOCK = ".lock"
PARTIAL = ".partial"


def place(folder: Path, stage: str, number: int) -> Path:
    """The folder of a task's result; it is there when the task is done."""
    return folder / WORK / stage / f"{number:06}"


def part_name(number: int) -> str:
    return f"part-{number:05}.parquet"


def is_done(folder: Path, stage: str, number: int) -> bool:
    return (place(folder, stage, number) / RECORD).exists()


def record(folder: Path, stage: str, number: int) -> dict[str, Any]:
    """What a task that is done said of its result."""
    values: dict[str, Any] = json.loads((place(folder, stage, number) / RECORD).read_text(encoding="utf-8"))
    return values


@contextmanager
def result_folder(folder: Path, stage: str, number: int) -> Iterator[tuple[Path, dict[str, Any]]]:
    """A private folder for a task's files and a dict for what is to be known of them.

    When the block ends well, the folder gets its name in one step, with the sha256 of every file. When
    another process was faster, its result stays: the two are equal.
    """
    final = place(folder, stage, number)
    partial = final.with_name(f".{final.name}.{socket.gethostname()}.{os.getpid()}{PARTIAL}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    values: dict[str, Any] = {}
    try:
        yield partial, values
        files = {path.name: described_file(path) for path in sorted(partial.iterdir())}
        content = json.dumps({"stage": stage, "number": number, **values, "files": files}, indent=1)
        (partial / RECORD).write_text(content + "\n", encoding="utf-8")
        for path in partial.iterdir():
            _to_disk(path)
        try:
            partial.rename(final)
        except OSError:
            if not (final / RECORD).exists():
                raise
        _to_disk(final.parent)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep a second run out of the folder. Raises FileProblem when there is one."""
    import fcntl

    with (folder / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise FileProblem(
                "Another run is at work in this folder.",
                "Wait until it ends, or choose another folder.",
                file=str(folder),
            ) from error
        yield
