"""The same tasks on a Slurm cluster: an array of jobs for each stage, each after the one before."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which

from paragold.formats.whole_files import write_whole
from paragold.problems import FileProblem
from paragold.shards.plan import Plan
from paragold.shards.resume import missing, remove_damaged
from paragold.shards.steps import STEPS
from paragold.shards.steps.step import Stage

JOBS = "jobs.json"
# What schedulers let an array have unless they are set otherwise (MaxArraySize, 1,001, is exclusive).
ARRAY_TASKS = 1000
_SCRIPT = """\
#!/bin/sh
#SBATCH --job-name=paragold-{stage}
#SBATCH --output={logs}/{stage}-%A-%a.out
#SBATCH --cpus-per-task=1
#SBATCH --requeue
exec {python} -m paragold.shards {folder} {stage} {arguments}
"""


def submit(
    folder: Path, stages: Mapping[str, Stage], *, workers: int | None = None, options: Sequence[str] = ()
) -> dict[str, str]:
    """Write the scripts of what is missing into `slurm/` and submit them; the job of each stage.

    Parameters
    ----------
    folder : Path
        The run's, which has to be `locked` and which all nodes see under this path.
    stages : mapping
        Those of the step, by name, in their order.
    workers : int, optional
        How many tasks of an array run at once; None is as many as the scheduler lets.
    options : sequence of str
        For sbatch, such as `--partition=long`.

    Raises
    ------
    FileProblem
        When sbatch cannot be run or refuses.
    """
    scripts = folder / "slurm"
    scripts.mkdir(exist_ok=True)
    (folder / "logs").mkdir(exist_ok=True)
    remove_damaged(folder, stages)
    jobs: dict[str, str] = {}
    for stage, numbers in [*missing(folder, stages).items(), ("finish", [0])]:
        if not numbers:
            continue
        script = scripts / f"{stage}.sh"
        size = min(len(numbers), ARRAY_TASKS)
        # A line of task numbers for each job of the array.
        shares = [" ".join(map(str, numbers[index::size])) for index in range(size)]
        (scripts / f"{stage}.tasks").write_text("\n".join(shares) + "\n", encoding="utf-8")
        lines = shlex.quote(str(scripts / f"{stage}.tasks"))
        write_whole(
            script,
            _SCRIPT.format(
                stage=stage,
                logs=folder / "logs",
                python=shlex.quote(sys.executable),
                folder=shlex.quote(str(folder)),
                arguments=f'$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {lines})',
            ),
        )
        at_once = f"%{workers}" if workers else ""
        after = (
            [f"--dependency=afterok:{list(jobs.values())[-1]}", "--kill-on-invalid-dep=yes"] if jobs else []
        )
        array = f"--array=0-{size - 1}{at_once}"
        jobs[stage] = (
            _run(["sbatch", "--parsable", *after, array, *options, str(script)]).split(";")[0].strip()
        )
        write_whole(scripts / JOBS, json.dumps(jobs, indent=1) + "\n")
    return jobs


def check_queue(folder: Path) -> None:
    """Raise FileProblem when jobs of an earlier submission are in the queue, as far as squeue is here."""
    submitted = folder / "slurm" / JOBS
    if not submitted.exists() or which("squeue") is None:
        return
    jobs: Mapping[str, str] = json.loads(submitted.read_text(encoding="utf-8"))
    # By name and user: squeue refuses numbers that it has forgotten.
    waiting = set(_run(["squeue", "--me", "--noheader", "--format=%A %F"]).split())
    left = sorted(waiting & set(jobs.values()))
    if left:
        raise FileProblem(
            f"Jobs of this run are in the queue: {', '.join(left)}.",
            "Wait until they end, or cancel them with scancel.",
            file=str(folder),
        )


def _run(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    except OSError as error:
        raise FileProblem(
            f"{command[0]} cannot be run ({error.strerror}).",
            "Give the command on a host from which Slurm jobs are submitted.",
        ) from error
    if done.returncode:
        raise FileProblem(
            f"{command[0]} refused: {(done.stderr or done.stdout).strip()}.",
            "See the scripts in the folder slurm, and give options for sbatch with --sbatch.",
        )
    return done.stdout


def finish_when_done(folder: Path) -> None:
    """The last job: write the manifest. Raises FileProblem where tasks are missing."""
    from paragold.shards.finished import finish

    plan = Plan.load(folder)
    if plan is None:
        raise FileProblem("It holds no plan.", "Check the folder.", file=str(folder))
    absent = missing(folder, STEPS.get(plan.step).stages(plan))
    left = {stage: len(numbers) for stage, numbers in absent.items() if numbers}
    if left:
        raise FileProblem(f"Tasks are missing: {left}.", "Submit them with --resume.", file=str(folder))
    finish(folder, plan)
