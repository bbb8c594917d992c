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
from paragold.aligners.aligner import Aligner
from paragold.problems import FileProblem
from projects import storage
from projects.errors import PublicError
from projects.models import Project

KIND = "train-aligner"
# A process that writes a file names it in the database within this time, or has died.
ORPHANED_AFTER_SECONDS = 3600
PREFIX = "trained"
NEWEST = f"{PREFIX}:newest"


def folder() -> Path:
    """Where the files are."""
    return Path(settings.VAR) / "aligners"


def model_path(sha256: str) -> Path:
    return folder() / f"{sha256}.npz"


def state_path(job: Job, iterations: int) -> Path:
    """Where a training that is under way keeps its state after so many iterations."""
    return folder() / f"training-{job.pk}-{iterations}.npz"


def partial_path(job: Job) -> Path:
    """Where a file of a training is written before it is put in its place."""
    place = folder() / f"training-{job.pk}-{uuid4().hex}.npz"
    return storage.workspace(place) / place.name


def keep(job: Job, aligner: Aligner) -> tuple[str, int]:
    """Write an aligner under its hash; returns the hash and the bytes of the file."""
    partial = partial_path(job)
    sha256, size = aligner.save(partial), partial.stat().st_size
    storage.put(partial, model_path(sha256), same=True)
    return sha256, size


def file_of(trained: TrainedAligner) -> Path:
    """The file of an aligner, to be read. Raises PublicError when there is none."""
    try:
        return storage.fetch(model_path(trained.sha256 or "none"), same=True)
    except FileNotFoundError as error:
        raise PublicError(
            "The file of %(trained)s is missing. Restore it from a backup, or train it again.",
            trained=trained,
        ) from error


def load_aligner(trained: TrainedAligner) -> Aligner:
    """The aligner, ready to draw links. The same numbers are opened once in a while.

    Raises PublicError when it is not trained yet, or its file is absent, damaged or no longer fits.
    """
    if not trained.ready:
        raise PublicError("%(trained)s is not trained yet.", trained=trained)
    return _opened(file_of(trained))


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
    for place, _, modified in storage.list_files(folder()):
        if place.name in named or place.name.startswith(busy or ("?",)):
            continue
        if time.time() - modified >= older_than:
            storage.delete(place)
            removed += 1
    return removed


def remove_states(job: Job) -> None:
    """Remove the states of a training that has ended."""
    for place, *_ in storage.list_files(folder()):
        if place.name.startswith(f"training-{job.pk}-"):
            storage.delete(place)


def remove_files(project: Project) -> None:
    """Remove the files of a project's aligners and trainings, but for those that another project names."""
    rows = TrainedAligner.everything.order_by().values_list("sha256", flat=True)
    for sha256 in rows.filter(project=project).difference(rows.exclude(project=project)):
        if sha256.isalnum():  # an imported archive may hold anything
            storage.delete(model_path(sha256))
    for job in project.jobs.filter(kind=KIND):
        remove_states(job)


def reference(trained: TrainedAligner) -> str:
    """How settings name an aligner: `trained:` and its number."""
    return f"{PREFIX}:{trained.pk}"


def short_signature(trained: TrainedAligner) -> str:
    """What tells its links from those of any other aligner, and the encoder that it uses."""
    encoder = f"|encoder: {trained.encoder}" if trained.encoder else ""
    return f"{trained.aligner}|sha256:{trained.sha256}{encoder}"


def newest(project: Project) -> TrainedAligner | None:
    """The aligner that fits the project best now: the last one that learned from gold links, else the last.

    Retired ones are passed over, and programs that are missing.
    """
    offered = project.trained_aligners.offered().order_by(F("gold_set").desc(nulls_last=True), "-pk")
    return next((trained for trained in offered if trained.estimator.is_available()), None)


def trained_choices(project: Project) -> list[tuple[str, str]]:
    """The settings that name the aligners which may be chosen, with their labels."""
    offered = [trained for trained in project.trained_aligners.offered() if trained.estimator.is_available()]
    first = [(NEWEST, f"The newest aligner trained here (at present {newest(project)})")] if offered else []
    return first + [(reference(trained), f"Aligner {trained}") for trained in offered]


def chosen(project: Project, setting: str) -> TrainedAligner:
    """The trained aligner that a setting names, NEWEST or a `reference`. Raises PublicError for any other."""
    number = setting.removeprefix(f"{PREFIX}:")
    if setting == NEWEST:
        trained = newest(project)
    else:
        trained = project.trained_aligners.ready().filter(pk=number).first() if number.isdecimal() else None
    if trained is None:
        raise PublicError("There is no trained aligner %(setting)r in this project.", setting=setting)
    return trained
