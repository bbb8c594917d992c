"""What of a run is missing, damaged, or no longer needed."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paragold.formats.manifest import sha256_of
from paragold.shards.commits import PARTIAL, WORK, is_done, place, record, remove_stage
from paragold.shards.plan import Plan
from paragold.shards.steps import STEPS


def missing(folder: Path, plan: Plan) -> dict[str, list[int]]:
    """The tasks that have to be done, by stage; a stage whose results nothing needs any more has none."""
    step = STEPS.get(plan.step)
    tasks = step.tasks(plan)
    *_, needed = tasks
    required, absent = {needed}, dict[str, list[int]]()
    for stage in reversed(tasks):
        numbers = range(tasks[stage]) if stage in required else range(0)
        absent[stage] = [number for number in numbers if not is_done(folder, stage, number)]
        if absent[stage]:
            required.update(step.needs(plan, stage))
    return {stage: absent[stage] for stage in tasks}


def remove_unneeded(folder: Path, plan: Plan, done: str) -> None:
    """Remove the results of stages that none after this one reads."""
    step = STEPS.get(plan.step)
    stages = list(step.tasks(plan))
    at = stages.index(done)
    if at == len(stages) - 1:
        return  # The manifest is made of what is left.
    later = {stage for one in stages[at + 1 :] for stage in step.needs(plan, one)}
    for stage in stages[:at]:
        if stage not in later:
            remove_stage(folder, stage)


def remove_damaged(folder: Path, plan: Plan) -> list[str]:
    """Remove results that do not have their hashes, and all that may come from them; which were damaged."""
    tasks = STEPS.get(plan.step).tasks(plan)
    for stage in tasks:
        for partial in (folder / WORK / stage).glob(f".*{PARTIAL}"):
            shutil.rmtree(partial)
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
        files: Mapping[str, Mapping[str, Any]] = record(folder, stage, number)["files"]
        inside = place(folder, stage, number)
        return all(
            # A finished part may have been moved to its last place already.
            sha256_of(inside / name if (inside / name).exists() else folder / name) == file["sha256"]
            for name, file in files.items()
        )
    except (OSError, ValueError, KeyError):
        return False
