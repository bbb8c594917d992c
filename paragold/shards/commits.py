"""The results of tasks in a folder: each appears whole, by one rename, with the hashes of its files.

With `--resume`, what of them is missing, damaged, or no longer needed.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paragold.formats.manifest import described_file, verify
from paragold.problems import FileProblem

if TYPE_CHECKING:
    from paragold.shards.steps.step import Stage

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


def missing(folder: Path, stages: Mapping[str, Stage]) -> dict[str, list[int]]:
    """The tasks that have to be done, by stage; a stage whose results nothing needs any more has none."""
    required, absent = {list(stages)[-1]}, dict[str, list[int]]()
    for name, stage in reversed(list(stages.items())):
        numbers = range(stage.tasks) if name in required else range(0)
        absent[name] = [number for number in numbers if not is_done(folder, name, number)]
        if absent[name]:
            required.update(stage.needs)
    return {name: absent[name] for name in stages}


def remove_unneeded(folder: Path, stages: Mapping[str, Stage], done: str) -> None:
    """Remove the results of stages that none after the stage `done` reads."""
    names = list(stages)
    at = names.index(done)
    # Of the results of the last stage and what it reads the manifest is made.
    later = {needed for name in names[at + 1 :] for needed in stages[name].needs}
    for name in names[:at] if later else ():
        if name not in later:
            _remove_stage(folder, name)


def remove_damaged(folder: Path, stages: Mapping[str, Stage]) -> list[str]:
    """Remove results that do not have their hashes, and all that may come from them; which were damaged."""
    for stage in stages:
        for partial in (folder / WORK / stage).glob(f".*{PARTIAL}"):
            # A worker of a killed run may be removing it as well.
            shutil.rmtree(partial, ignore_errors=True)
    names = list(stages)
    for at, stage in enumerate(names):
        done = [number for number in range(stages[stage].tasks) if is_done(folder, stage, number)]
        damaged = [number for number in done if not _is_whole(folder, stage, number)]
        for number in damaged:
            shutil.rmtree(place(folder, stage, number))
        if damaged:
            for later in names[at + 1 :]:
                _remove_stage(folder, later)
            return [f"{stage} {number}" for number in damaged]
    return []


def _is_whole(folder: Path, stage: str, number: int) -> bool:
    try:
        written = record(folder, stage, number)
        # A finished part may have been moved to its last place already.
        return not (verify(written, place(folder, stage, number)) and verify(written, folder))
    except (OSError, ValueError):
        return False


def _remove_stage(folder: Path, stage: str) -> None:
    shutil.rmtree(folder / WORK / stage, ignore_errors=True)


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
