"""Trained aligners that a project has: their files, and which of them is meant by a setting."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from django.conf import settings
from django.db.models import F

from alignment.models import TrainedAligner
from jobs.models import ACTIVE, Job
from paragold.aligners.method import Aligner
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import Project

KIND = "train-aligner"
# Whoever writes a file names it in the database within this time, or has died.
ORPHANED_AFTER_SECONDS = 3600
PREFIX = "trained"
NEWEST = f"{PREFIX}:newest"


def folder() -> Path:
    """Where the files are, made if it is not there."""
    path = Path(settings.VAR) / "aligners"
    path.mkdir(parents=True, exist_ok=True)
    return path


def model_path(sha256: str) -> Path:
    return folder() / f"{sha256}.npz"


def state_path(job: Job, iterations: int) -> Path:
    """Where a training that is under way keeps its state after so many iterations."""
    return folder() / f"training-{job.pk}-{iterations}.npz"


def keep(job: Job, aligner: Aligner) -> tuple[str, int]:
    """Write an aligner under its hash; returns the hash and the bytes of the file."""
    from paragold.aligners.registry import save_aligner

    partial = folder() / f"training-{job.pk}-{uuid4().hex}.npz"
    sha256 = save_aligner(partial, aligner)
    path = model_path(sha256)
    partial.replace(path)
    return sha256, path.stat().st_size


def load_aligner(trained: TrainedAligner) -> Aligner:
    """The aligner, ready to draw links. The same numbers are opened once in a while.

    Raises PublicError when it is not trained yet, or its file is absent, damaged or no longer fits.
    """
    if not trained.ready:
        raise PublicError(f"{trained} is not trained yet.")
    path = model_path(trained.sha256)
    if not path.is_file():
        raise PublicError(
            f"The file of {trained} is missing ({path.name}). Restore it from a backup, or train it again."
        )
    return _opened(path)


@lru_cache(maxsize=2)
def _opened(path: Path) -> Aligner:
    from paragold.aligners.registry import load_aligner as load

    try:
        return load(path)
    except FileProblem as error:
        raise PublicError(str(error)) from error


def sweep(*, older_than: float = ORPHANED_AFTER_SECONDS) -> int:
    """Remove what no aligner and no training under way names, if it is `older_than` seconds old.

    Returns how many files were removed.
    """
    named = {f"{sha256}.npz" for sha256 in TrainedAligner.objects.ready().values_list("sha256", flat=True)}
    active = Job.objects.filter(kind=KIND, state__in=ACTIVE).values_list("pk", flat=True)
    busy = tuple(f"training-{pk}-" for pk in active)
    removed = 0
    for path in folder().iterdir():
        if path.name in named or path.name.startswith(busy or ("?",)):
            continue
        if time.time() - path.stat().st_mtime >= older_than:
            path.unlink(missing_ok=True)
            removed += 1
    return removed


def remove_states(job: Job) -> None:
    """Remove the states of a training that has ended."""
    for path in folder().glob(f"training-{job.pk}-*"):
        path.unlink(missing_ok=True)


def remove_files(project: Project) -> None:
    """Remove the files of a project's aligners and trainings, but for those that another project names."""
    rows = TrainedAligner.everything.order_by().values_list("sha256", flat=True)
    for sha256 in rows.filter(project=project).difference(rows.exclude(project=project)):
        if sha256.isalnum():  # an imported archive may hold anything
            model_path(sha256).unlink(missing_ok=True)
    for job in project.jobs.filter(kind=KIND):
        remove_states(job)


def reference(trained: TrainedAligner) -> str:
    """How settings name an aligner: `trained:` and its number."""
    return f"{PREFIX}:{trained.pk}"


def short_signature(trained: TrainedAligner) -> str:
    """What tells its links from those of any other aligner."""
    return f"{trained.aligner}|sha256:{trained.sha256}"


def newest(project: Project) -> TrainedAligner | None:
    """The aligner that fits the project best now: the last one that learned from gold links, else the last.

    Retired ones are passed over, and programs that are missing.
    """
    offered = project.trained_aligners.offered().order_by(F("gold_set").desc(nulls_last=True), "-pk")
    return next((one for one in offered if one.recipe.method.is_available()), None)


def chosen(project: Project, setting: str) -> TrainedAligner:
    """The trained aligner that a setting names, NEWEST or a `reference`. Raises PublicError for any other."""
    number = setting.removeprefix(f"{PREFIX}:")
    if setting == NEWEST:
        trained = newest(project)
    else:
        trained = project.trained_aligners.ready().filter(pk=number).first() if number.isdecimal() else None
    if trained is None:
        raise PublicError(f"There is no trained aligner {setting!r} in this project.")
    return trained
