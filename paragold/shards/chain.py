"""A chain of steps in one folder: each in a folder of its own, its result the input of those after it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from paragold.formats.manifest import sha256_of
from paragold.formats.whole_files import write_whole
from paragold.problems import FileProblem
from paragold.shards.engines import Engine
from paragold.shards.finished import MANIFEST, damages, read_manifest
from paragold.shards.inputs import Input, list_inputs
from paragold.shards.plan import Plan
from paragold.shards.plan_file import PlannedStep, read_plan
from paragold.shards.progress import NAME as STATUS
from paragold.shards.progress import Progress
from paragold.shards.run import is_finished, opened, prepare, run_step, submit_step
from paragold.shards.steps.step import Asked
from paragold.spec import SpecError

SUBMITTED = "submitted.json"


def folder_of(folder: Path, steps: Sequence[PlannedStep], name: str) -> Path:
    """The folder of a step, such as `02-extract`."""
    number = [one.name for one in steps].index(name) + 1
    return folder / f"{number:02}-{name}"


def plan_step(folder: Path, steps: Sequence[PlannedStep], step: PlannedStep) -> Plan:
    """The plan of a step whose earlier steps are finished.

    Raises FileProblem, with the place in the plan file, for what cannot be done.
    """
    criteria = None
    if step.source:
        inputs, criteria = results_of(folder_of(folder, steps, step.source))
    else:
        inputs, criteria = given_inputs(step.input)
    models = {}
    for parameter in step.step.models:
        if parameter in step.models:
            made = folder_of(folder, steps, step.models[parameter])
            models[parameter] = next(one for one in _files(made) if one.path.endswith("aligner.npz"))
        else:
            path = Path(getattr(step.values, parameter))
            models[parameter] = Input(str(path), "", path.stat().st_size, sha256_of(path))
    try:
        return step.step.plan(Asked(inputs, step.values, step.more, models, criteria))
    except FileProblem:
        raise
    except SpecError as error:
        raise FileProblem.of([step.locate(message, "set") for _, message in error.problems]) from error
    except ValueError as error:
        raise step.locate(str(error), "set" if step.more else "") from error


def given_inputs(patterns: Sequence[str]) -> tuple[tuple[Input, ...], Any]:
    """The files of paths and patterns, or the parts of a folder that a step has made."""
    if len(patterns) == 1 and (Path(patterns[0]) / MANIFEST).exists():
        folder = Path(patterns[0]).resolve()
        if problems := damages(folder):
            raise FileProblem(problems[0], "Make it again with --resume.", file=str(folder))
        return results_of(folder)
    return tuple(list_inputs(patterns)), None


def results_of(folder: Path) -> tuple[tuple[Input, ...], Any]:
    """The parts of a finished step, and the criteria of its pairs if it has any."""
    criteria = read_manifest(folder)["details"].get("criteria")
    return tuple(one for one in _files(folder) if one.kind == "parquet"), criteria


def _files(folder: Path) -> list[Input]:
    return [
        Input(
            str(folder / name), "parquet" if name.endswith(".parquet") else "", file["bytes"], file["sha256"]
        )
        for name, file in sorted(read_manifest(folder)["files"].items())
    ]


def run_chain(
    steps: Sequence[PlannedStep],
    folder: Path,
    engine: Engine,
    *,
    resume: bool = False,
    write: Callable[[str], object] = lambda line: None,
) -> dict[str, dict[str, Any]]:
    """Do the steps one after the other; returns the manifest of each by its name.

    Parameters
    ----------
    steps : sequence of PlannedStep
        From `read_plan`.
    folder : Path
        For the results; it is made, and has to be empty unless `resume`.
    engine : Engine
        Where the tasks run.
    resume : bool
        Do what is missing of the chain in the folder, and again what is damaged.
    write : callable
        Takes a line about the progress.

    Raises
    ------
    FileProblem
        When an input has a problem, a step was planned otherwise before, or a task failed too often. What is
        done stays.
    """
    manifests: dict[str, dict[str, Any]] = {}
    with opened(folder) as folder:
        check_folder(folder, steps, resume=resume)
        names = {folder_of(folder, steps, step.name): step.name for step in steps}
        with engine, Progress(names, write, overview=folder / STATUS) as progress:
            for step, own in zip(steps, names, strict=True):
                with opened(own):
                    plan = prepare(own, partial(plan_step, folder, steps, step), resume=True)
                    manifests[step.name] = run_step(own, plan, engine, progress)
    return manifests


def check_folder(folder: Path, steps: Sequence[PlannedStep], *, resume: bool) -> None:
    """Raise FileProblem for a folder that holds something else than these steps, or them without `resume`."""
    known = {folder_of(folder, steps, step.name).name for step in steps}
    there = sorted(path.name for path in folder.iterdir() if path.is_dir())
    others = [name for name in there if name not in known]
    if others and not known & set(there):
        message, remedy = f"It is not empty: it holds {others[0]}.", "Make a new one"
    elif there and not resume:
        message, remedy = f"It holds {there[0]} already.", "Continue that with --resume"
    elif others:
        message, remedy = (
            f"It holds {others[0]}, which is no step of this plan.",
            "Undo the change of the plan",
        )
    else:
        return
    raise FileProblem(message, f"{remedy}, or choose another folder.", file=str(folder))


def submit_chain(
    plan: Path,
    folder: Path,
    *,
    workers: int | None,
    options: Sequence[str],
    resume: bool,
    write: Callable[[str], object],
) -> dict[str, str]:
    """Submit the jobs of the first step of a plan file that is not finished; its last job submits the next.

    Returns the job of each stage: none for a chain that is finished. Raises FileProblem as `run_chain` does.
    """
    asked = {"plan": str(plan.resolve()), "workers": workers, "options": list(options)}
    with opened(folder) as folder:
        check_folder(folder, read_plan(plan), resume=resume)
        write_whole(folder / SUBMITTED, json.dumps(asked, indent=1) + "\n")
        return _submit_first(folder, asked, "", write)


def submit_next(own: Path) -> None:
    """After the last job of a step, submit the step after it, if the step is one of a submitted chain."""
    path = own.parent / SUBMITTED
    if path.exists():
        asked = json.loads(path.read_text(encoding="utf-8"))
        _submit_first(own.parent, asked, own.name, lambda line: None)


def _submit_first(
    folder: Path, asked: Mapping[str, Any], after: str, write: Callable[[str], object]
) -> dict[str, str]:
    """Submit the first step that is not finished, of those after the folder `after`."""
    steps = read_plan(Path(asked["plan"]))
    for step in steps:
        own = folder_of(folder, steps, step.name)
        if own.name <= after:
            continue
        with opened(own) as own:
            made = prepare(own, partial(plan_step, folder, steps, step), resume=True)
            if not is_finished(own, write):
                return submit_step(own, made, workers=asked["workers"], options=asked["options"], write=write)
    write("The run is finished.")
    return {}
