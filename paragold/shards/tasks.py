"""One task of a step, done and committed."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pyarrow as pa

from paragold.problems import FileProblem
from paragold.shards.commits import record, result_folder
from paragold.shards.plan import Plan
from paragold.shards.steps import STEPS


def run_task(folder: Path, stage: str, number: int) -> dict[str, Any]:
    """Do a task of the plan in a folder and commit its result; returns its record.

    Raises FileProblem for what is wrong with an input, OSError when a file cannot be written.
    """
    started = perf_counter()
    # Arrow's own pool keeps what it has had: 110 MB more in a worker that extracts and then writes.
    pa.set_memory_pool(pa.system_memory_pool())
    plan = Plan.load(folder)
    step = STEPS.get(plan.step) if plan is not None else None
    if plan is None or step is None or not 0 <= number < step.tasks(plan).get(stage, 0):
        raise FileProblem(f"Its plan has no task {stage} {number}.", "Check the folder.", file=str(folder))
    with result_folder(folder, stage, number) as (inside, values):
        values.update(step.work(plan, folder, stage, number, inside))
        values["seconds"] = round(perf_counter() - started, 3)
        values["peak_bytes"] = peak_bytes()
    return record(folder, stage, number)


def peak_bytes() -> int:
    """The most memory that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
