"""What of a run is missing, damaged, or no longer needed."""

from __future__ import annotations

import shutil
from pathlib import Path

from paragold.formats.manifest import verify
from paragold.shards.commits import PARTIAL, WORK, is_done, place, record, remove_stage
from paragold.shards.plan import Plan
from paragold.shards.steps import STEPS


def missing(folder: Path, plan: Plan) -> dict[str, list[int]]:
    """The tasks that have to be done, by stage; a stage whose results nothing needs any more has none."""
    stages = STEPS.get(plan.step).stages(plan)
    required, absent = {list(stages)[-1]}, dict[str, list[int]]()
    for name, stage in reversed(stages.items()):
        numbers = range(stage.tasks) if name in required else range(0)
        absent[name] = [number for number in numbers if not is_done(folder, name, number)]
        if absent[name]:
            required.update(stage.needs)
    return {name: absent[name] for name in stages}


def remove_unneeded(folder: Path, plan: Plan, done: str) -> None:
    """Remove the results of stages that none after this one reads."""
    stages = STEPS.get(plan.step).stages(plan)
    names = list(stages)
    at = names.index(done)
    if at == len(names) - 1:
        return  # The manifest is made of what is left.
    later = {needed for name in names[at + 1 :] for needed in stages[name].needs}
    for name in names[:at]:
        if name not in later:
            remove_stage(folder, name)


def remove_damaged(folder: Path, plan: Plan) -> list[str]:
    """Remove results that do not have their hashes, and all that may come from them; which were damaged."""
    tasks = {name: stage.tasks for name, stage in STEPS.get(plan.step).stages(plan).items()}
    for stage in tasks:
        for partial in (folder / WORK / stage).glob(f".*{PARTIAL}"):
            # A worker of a killed run may be removing it as well.
            shutil.rmtree(partial, ignore_errors=True)
    for at, stage in enumerate(tasks):
        damaged = [
            number
            for number in range(tasks[stage])
            if is_done(folder, stage, number) and not _is_whole(folder, stage, number)
        ]
        for number in damaged:
            shutil.rmtree(place(folder, stage, number))
        if damaged:
            for later in list(tasks)[at + 1 :]:
                remove_stage(folder, later)
            return [f"{stage} {number}" for number in damaged]
    return []


def _is_whole(folder: Path, stage: str, number: int) -> bool:
    try:
        written = record(folder, stage, number)
        # A finished part may have been moved to its last place already.
        return not (verify(written, place(folder, stage, number)) and verify(written, folder))
    except (OSError, ValueError):
        return False
