"""A step in shards from its plan to its manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paragold.extraction.criteria import Criteria
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
from paragold.shards.steps.extract import extraction_plan


@contextmanager
def opened(folder: Path) -> Iterator[Path]:
    """The folder of a run, absolute, made where it is not there, and locked.

    Raises FileProblem when another run is at work there, here or by Slurm.
    """
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise FileProblem("It is a file.", "Choose a folder for the parts.", file=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        check_queue(folder)
        yield folder


def prepare(folder: Path, asked: Callable[[], Plan], *, resume: bool = False, shards: bool = True) -> Plan:
    """The plan of the folder: a new one, or with `resume` the one that is there, if it asks for the same.

    The folder has to be `locked`. `asked` makes the plan that is wanted; `shards` is whether its number of
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


def run_step(folder: Path, plan: Plan, engine: Engine, write: Callable[[str], object]) -> dict[str, Any]:
    """Do what is missing of a step; returns its manifest. The folder has to be `locked`, the engine entered.

    Raises FileProblem when an input has a problem or a task failed too often. What is done stays.
    """
    if is_finished(folder, write):
        return read_manifest(folder)
    for damaged in remove_damaged(folder, plan):
        write(f"{damaged}: its files are damaged; it is done again.")
    if engine.dashboard:
        write(f"Ray's dashboard: {engine.dashboard}")
    with Progress(folder, plan, write, dashboard=engine.dashboard) as progress:
        tasks = STEPS.get(plan.step).tasks(plan)
        for stage, numbers in missing(folder, plan).items():
            progress.stage(stage, tasks[stage] - len(numbers))
            for outcome in engine.run(folder, stage, numbers):
                progress.attempted(stage, outcome)
                if outcome.problem is not None:
                    raise outcome.problem
            remove_unneeded(folder, plan, stage)
        return finish(folder, plan)


def extract_in_shards(
    inputs: Sequence[str],
    criteria: Criteria,
    folder: Path,
    engine: Engine,
    *,
    preset: str = "",
    shards: int | None = None,
    kernel: str | None = None,
    resume: bool = False,
    write: Callable[[str], object] = lambda line: None,
) -> dict[str, Any]:
    """Extract candidate pairs of files of clusters into a folder of Parquet parts with a manifest.

    Parameters
    ----------
    inputs : sequence of str
        Paths, patterns or addresses of Articles JSONL (plain, `.gz`, `.zst`) or Parquet. Together they are
        one corpus: a cluster may be in several.
    criteria : Criteria
        What pairs must meet.
    folder : Path
        For the result; it is made, and has to be empty unless `resume`.
    engine : Engine
        Where the tasks run.
    preset : str
        The name of the criteria, for the manifest.
    shards : int, optional
        1 to 4,096; the default grows with the square root of the size, 50 for a million sentences.
    kernel : str, optional
        As for `extract_file`.
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
    with opened(folder) as folder:
        plan = _extraction(folder, inputs, criteria, preset, shards, kernel, resume)
        with engine:
            return run_step(folder, plan, engine, write)


def _extraction(
    folder: Path,
    inputs: Sequence[str],
    criteria: Criteria,
    preset: str = "",
    shards: int | None = None,
    kernel: str | None = None,
    resume: bool = False,
) -> Plan:
    return prepare(
        folder,
        lambda: extraction_plan(
            tuple(list_inputs(inputs)), criteria, preset=preset, shards=shards, kernel=kernel
        ),
        resume=resume,
        shards=shards is not None,
    )


def submit_to_slurm(
    inputs: Sequence[str],
    criteria: Criteria,
    folder: Path,
    *,
    workers: int | None = None,
    options: Sequence[str] = (),
    write: Callable[[str], object] = lambda line: None,
    **asked: Any,
) -> dict[str, str]:
    """Plan a run and submit its jobs (`paragold.shards.slurm.submit`), the last of which writes the manifest.

    `asked` are `preset`, `shards`, `kernel` and `resume` of `extract_in_shards`. Returns the job of each
    stage: none for a run that is finished. Raises FileProblem as both do.
    """
    with opened(folder) as folder:
        plan = _extraction(folder, inputs, criteria, **asked)
        if is_finished(folder, write):
            write("The run is finished.")
            return {}
        return submit_step(folder, plan, workers=workers, options=options, write=write)


def submit_step(
    folder: Path,
    plan: Plan,
    *,
    workers: int | None,
    options: Sequence[str],
    write: Callable[[str], object],
) -> dict[str, str]:
    """Submit the jobs of what is missing of a step; the job of each stage."""
    jobs = submit(folder, plan, workers=workers, options=options)
    step = STEPS.get(plan.step)
    tasks = step.tasks(plan)
    for stage, numbers in missing(folder, plan).items():
        write(f"{step.meaning(stage)}: {len(numbers):,} of {tasks[stage]:,} tasks to do.")
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
