"""One task of a step, done and committed."""

from __future__ import annotations

import gc
import resource
import sys
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Any
from warnings import catch_warnings

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
    save_memory()
    plan = Plan.load(folder)
    about = STEPS.get(plan.step).stages(plan).get(stage) if plan is not None else None
    if plan is None or about is None or not 0 <= number < about.tasks:
        raise FileProblem(f"Its plan has no task {stage} {number}.", "Check the folder.", file=str(folder))
    with result_folder(folder, stage, number) as (inside, values):
        values.update(about.work(plan, folder, number, inside))
        values["seconds"] = round(perf_counter() - started, 3)
        values["peak_bytes"] = peak_bytes()
    return record(folder, stage, number)


def save_memory() -> None:
    """Give back what earlier tasks have freed, and keep Arrow from loading what no step uses."""
    # Looking for circles, of which tasks make few, after every 700 objects took a tenth of the time.
    gc.set_threshold(100_000)
    pa.system_memory_pool().release_unused()
    if "pandas" not in sys.modules:
        # With its first array Arrow loads pandas if it is installed: 40 MB that no step uses. It asks once,
        # and leaves one that is too old alone.
        sys.modules["pandas"] = old = ModuleType("pandas")
        vars(old)["__version__"] = "0"
        with catch_warnings(action="ignore"):
            pa.array([])
        del sys.modules["pandas"]


def peak_bytes() -> int:
    """The maximum of memory that this process has had."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
