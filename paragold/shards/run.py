"""A step in shards from its plan to its manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from paragold.problems import FileProblem
from paragold.shards.commits import LOCK, locked
from paragold.shards.engines import Engine
from paragold.shards.finished import MANIFEST, damages, finish, read_manifest
from paragold.shards.inputs import list_inputs
from paragold.shards.plan import Plan
from paragold.shards.progress import Progress
from paragold.shards.resume import missing, remove_damaged, remove_unneeded
from paragold.shards.slurm import check_queue, submit
from paragold.shards.steps import STEPS
from paragold.shards.steps.extract import Extract, ExtractSpec
from paragold.shards.steps.step import Asked


@contextmanager
def opened(folder: Path) -> Iterator[Path]:
    """The folder of a run, absolute, made where it is not there, and locked.

    Raises FileProblem when another run is at work there, here or by Slurm.
    """
    is_address = folder.parts[:1] and folder.parts[0].endswith(":")
    if is_address or (folder.exists() and not folder.is_dir()):
        what = "an address" if is_address else "a file"
        raise FileProblem(f"It is {what}.", "Choose a folder for the parts.", file=str(folder))
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        check_queue(folder)
        yield folder


def prepare(folder: Path, asked: Callable[[], Plan], *, resume: bool = False, shards: bool = True) -> Plan:
    """The plan of the folder: a new one, or with `resume` the one that is there, if it asks for the same.

    The folder has to be `locked`. `asked` makes the plan that is asked for; `shards` is whether its number of
    shards counts. Raises FileProblem for a folder that holds something else, and for a plan with other inputs
    or settings, saying which.
    """
    before = Plan.load(folder)
    if before is None:
        others = sorted(path.name for path in folder.iterdir() if path.name != LOCK)
        if others:
            raise FileProblem(
                f"It is not empty: it holds {others[0]}.", "Choose an empty folder.", file=str(folder)
            )
    elif not resume:
        raise FileProblem(
            "It holds a run already.",
            "Continue that with --resume, or choose another folder.",
            file=str(folder),
        )
    plan = asked()
    if before is None:
        plan.save(folder)
        return plan
    changes = before.changes(plan, shards=shards)
    if changes:
        raise FileProblem(
            f"The run in this folder was planned otherwise. {' '.join(changes)}",
            "Undo that, or choose another folder.",
            file=str(folder),
        )
    return before


def run_step(folder: Path, plan: Plan, engine: Engine, progress: Progress) -> dict[str, Any]:
    """Do what is missing of a step; returns its manifest. The folder has to be `locked`, the engine entered.

    Raises FileProblem when an input has a problem or a task failed too often. What is done stays.
    """
    if is_finished(folder, progress.line):
        return read_manifest(folder)
    stages = STEPS.get(plan.step).stages(plan)
    for damaged in remove_damaged(folder, stages):
        progress.line(f"{damaged}: its files are damaged; it is done again.")
    progress.step(folder, plan, engine.dashboard)
    for stage, numbers in missing(folder, stages).items():
        progress.stage(stage, stages[stage].tasks - len(numbers))
        for outcome in engine.run(folder, stage, numbers):
            progress.attempted(outcome)
            if outcome.problem is not None:
                raise outcome.problem
        remove_unneeded(folder, stages, stage)
    manifest = finish(folder, plan)
    progress.finished()
    return manifest


@contextmanager
def planned_extraction(
    inputs: Sequence[str],
    values: ExtractSpec,
    folder: Path,
    *,
    changes: Mapping[str, Any] = MappingProxyType({}),
    resume: bool = False,
) -> Iterator[tuple[Path, Plan]]:
    """The folder of an extraction, locked, and its plan; the arguments are those of `extract_in_shards`."""
    step = Extract()
    step.check(values, changes)
    with opened(folder) as folder:
        plan = prepare(
            folder,
            lambda: step.plan(Asked(tuple(list_inputs(inputs)), values, changes)),
            resume=resume,
            shards=values.shards is not None,
        )
        yield folder, plan


def extract_in_shards(
    inputs: Sequence[str],
    values: ExtractSpec,
    folder: Path,
    engine: Engine,
    *,
    changes: Mapping[str, Any] = MappingProxyType({}),
    resume: bool = False,
    write: Callable[[str], object] = lambda line: None,
) -> dict[str, Any]:
    """Extract candidate pairs of files of clusters into a folder of Parquet parts with a manifest.

    Parameters
    ----------
    inputs : sequence of str
        Paths, patterns or addresses of Articles JSONL (plain, `.gz`, `.zst`) or Parquet. Together they are
        one corpus: a cluster may be in several.
    values : ExtractSpec
        The preset of the criteria and the number of shards.
    folder : Path
        For the result; it is made, and has to be empty unless `resume`.
    engine : Engine
        Where the tasks run.
    changes : mapping, optional
        Criteria that are not as in the preset.
    resume : bool
        Do what is missing of the run in the folder, and again what is damaged.
    write : callable
        Takes a line about the progress.

    Returns
    -------
    dict
        The manifest. Its `pairs_sha256` is that of the file that `extract_file` writes.

    Raises
    ------
    FileProblem
        When an input has a problem, the folder cannot be used or a task failed too often. What is done stays.
    """
    with (
        planned_extraction(inputs, values, folder, changes=changes, resume=resume) as (folder, plan),
        engine,
        Progress({folder: "extract"}, write) as progress,
    ):
        return run_step(folder, plan, engine, progress)


def submit_step(
    folder: Path,
    plan: Plan,
    *,
    workers: int | None,
    options: Sequence[str],
    write: Callable[[str], object],
) -> dict[str, str]:
    """Submit the jobs of what is missing of a step; the job of each stage, none for a finished one."""
    if is_finished(folder, write):
        write("The run is finished.")
        return {}
    stages = STEPS.get(plan.step).stages(plan)
    jobs = submit(folder, stages, workers=workers, options=options)
    for stage, numbers in missing(folder, stages).items():
        about = stages[stage]
        write(f"{about.meaning}: {len(numbers):,} of {about.tasks:,} tasks to do.")
    return jobs


def is_finished(folder: Path, write: Callable[[str], object]) -> bool:
    """Whether the folder holds a whole result; damaged parts, and the manifest with them, are removed."""
    if not (folder / MANIFEST).exists():
        return False
    damaged = damages(folder)
    for sentence in damaged:
        write(f"{sentence} The run is done again.")
    if damaged:
        (folder / MANIFEST).unlink()
    return not damaged
