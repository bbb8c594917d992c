"""A run in shards from its plan to its manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paragold.extraction.criteria import Criteria
from paragold.extraction.kernels import get_kernel
from paragold.problems import FileProblem
from paragold.shards.commits import LOCK, locked, missing, remove_damaged, remove_stage
from paragold.shards.engines import Engine
from paragold.shards.finished import MANIFEST, damages, finish, read_manifest
from paragold.shards.plan import STAGES, Plan
from paragold.shards.progress import MEANINGS, Progress
from paragold.shards.slurm import check_queue, submit


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


def prepare(
    inputs: Sequence[str],
    criteria: Criteria,
    folder: Path,
    *,
    preset: str = "",
    shards: int | None = None,
    kernel: str | None = None,
    resume: bool = False,
) -> Plan:
    """The plan of the folder: a new one, or with `resume` the one that is there, if it asks for the same.

    The folder has to be `locked`. Raises FileProblem for a folder that holds something else, and for a plan
    with other inputs, criteria or shards, saying which.
    """
    if kernel is not None:
        get_kernel(kernel)
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
    asked = Plan.of(inputs, criteria, preset=preset, shards=shards, kernel=kernel)
    if before is None:
        asked.save(folder)
        return asked
    changes = before.changes(asked, shards=shards is not None)
    if changes:
        raise FileProblem(
            f"The run in this folder was planned otherwise. {' '.join(changes)}",
            "Undo that, or choose another folder.",
            file=str(folder),
        )
    return before


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
    asked: dict[str, Any] = {"preset": preset, "shards": shards, "kernel": kernel, "resume": resume}
    with opened(folder) as folder:
        plan = prepare(inputs, criteria, folder, **asked)
        if is_finished(folder, write):
            return read_manifest(folder)
        for damaged in remove_damaged(folder, plan):
            write(f"{damaged}: its files are damaged; it is done again.")
        with engine, Progress(folder, {stage: plan.tasks(stage) for stage in STAGES}, write) as progress:
            for stage, numbers in missing(folder, plan).items():
                progress.stage(stage, plan.tasks(stage) - len(numbers))
                for outcome in engine.run(folder, stage, numbers):
                    progress.attempted(stage, outcome)
                    if outcome.problem is not None:
                        raise outcome.problem
                if stage == "map":
                    remove_stage(folder, "split")
            return finish(folder, plan)


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
        plan = prepare(inputs, criteria, folder, **asked)
        if is_finished(folder, write):
            write("The run is finished.")
            return {}
        jobs = submit(folder, plan, workers=workers, options=options)
        for stage, numbers in missing(folder, plan).items():
            write(f"{MEANINGS[stage]}: {len(numbers):,} of {plan.tasks(stage):,} tasks to do.")
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
