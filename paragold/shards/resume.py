"""What of a run is missing, damaged, or no longer needed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from paragold.formats.manifest import verify
from paragold.shards.commits import PARTIAL, WORK, is_done, place, record
from paragold.shards.steps.step import Stage


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
