"""Which tables belong to a project, in an order in which rows only point at earlier ones.

Their JSON and texts hold ids as well, which are renumbered as foreign keys are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Field, QuerySet

from alignment.services.trained_aligners.stored import PREFIX
from corpus.models import CorpusImport, ImportState, KeptNumbers
from jobs.models import Job, JobChunk
from jobs.services import removal
from projects.models import Invitation, Project, Submission

APPS = ("projects", "jobs", "corpus", "annotation", "alignment")
# Chunks are of no use once their job has ended, links of invitations and keys of requests elsewhere; cached
# numbers are computed again.
LEFT_OUT: frozenset[type[models.Model]] = frozenset({Project, JobChunk, KeptNumbers, Invitation, Submission})

# What an installation does with archives stays with it: an archive leaves out the jobs that made it.
MAKE = "archive"

_ENDED = (ImportState.REFUSED, ImportState.IMPORTED, ImportState.UNCHANGED)
# The column and the values of rows that an archive leaves out.
_LEFT_OUT_ROWS: Mapping[type[models.Model], tuple[str, Sequence[str]]] = {
    Job: ("kind", (MAKE, removal.JOB)),
    CorpusImport: ("state", [state for state in ImportState if state not in _ENDED]),
}


@dataclass(frozen=True)
class Table:
    """A model and the lookup that leads from its rows to their project."""

    model: type[models.Model]
    to_project: str

    @property
    def name(self) -> str:
        return str(self.model._meta.label)

    @property
    def fields(self) -> list[Field]:
        """The columns that are archived: neither the row's id nor what every row has in common."""
        columns = self.model._meta.concrete_fields
        return [field for field in columns if not field.primary_key and field.related_model is not Project]

    def rows(self, project: Project) -> QuerySet[models.Model]:
        """The project's rows by id."""
        rows = self.model._base_manager.filter(**{self.to_project: project}).order_by("pk")
        column, left_out = _LEFT_OUT_ROWS.get(self.model, ("pk", ()))
        return rows.exclude(**{f"{column}__in": left_out})


@cache
def tables() -> tuple[Table, ...]:
    """The tables of all rows that a project owns, however indirectly, each after those it points at."""
    paths: dict[type[models.Model], str] = {}
    for label in APPS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            if model not in LEFT_OUT and (path := _path(model)):
                paths[model] = path
    before: dict[type[models.Model], set[type[models.Model]]] = {}
    for model in paths:
        targets = {
            field.related_model for field in model._meta.concrete_fields if field.related_model in paths
        }
        before[model] = targets - {model}
    return tuple(Table(model, paths[model]) for model in TopologicalSorter(before).static_order())


@cache
def _path(model: type[models.Model]) -> str | None:
    """The shortest way along foreign keys to the project, as a lookup; None where there is none."""
    paths = []
    for field in model._meta.concrete_fields:
        target = field.related_model
        # A nullable key does not say whose a row is.
        if field.null or target in (None, User, model):
            continue
        if target is Project:
            return str(field.name)
        if path := _path(target):
            paths.append(f"{field.name}__{path}")
    return min(paths, key=lambda path: path.count("__"), default=None)


Row = Mapping[str, Any]
"""The values of a row by attribute."""
Renumber = Callable[[str, int], int | None]
"""(model label, id) -> the id it has on the other side, None for a row that is gone."""
ROW_ATTRIBUTES = ("gold_set_id",)

JOB_OBJECTS: Mapping[str, str] = {
    "dataset": "corpus.Dataset",
    "batch": "annotation.Batch",
    "classifier": "annotation.TrainedClassifier",
    "trained": "alignment.TrainedAligner",
    "export": "alignment.Export",
    "gold_set": "annotation.GoldSet",
    "gold_links": "alignment.GoldAlignmentSet",
    "taught_by": "alignment.GoldAlignmentSet",
    "other_gold": "alignment.GoldAlignmentSet",
    "last_sentence": "corpus.Sentence",
}
"""Parameters of jobs, and of the aligners of an experiment's job, that are ids or lists of them."""


def _renumber_job(value: Any, renumber: Renumber, row: Row) -> Any:
    def changed(name: str, stored: Any) -> Any:
        if name == "setting" and isinstance(stored, str):
            return _setting(stored, renumber, row)
        if name == "aligners" and isinstance(stored, list):
            return [_renumber_job(aligner, renumber, row) for aligner in stored]
        if name in JOB_OBJECTS and isinstance(stored, list):
            return [changed(name, each) for each in stored]
        return renumber(JOB_OBJECTS[name], stored) if name in JOB_OBJECTS and type(stored) is int else stored

    return {name: changed(name, stored) for name, stored in value.items()}


def _sampling(value: Any, renumber: Renumber, row: Row) -> Any:
    if type(value.get("run")) is int:
        return value | {"run": renumber("annotation.ClassifierRun", value["run"])}
    return value


def _comparisons(value: Any, renumber: Renumber, row: Row) -> Any:
    return {str(renumber("alignment.GoldAlignmentSet", int(key))): stored for key, stored in value.items()}


def _setting(value: Any, renumber: Renumber, row: Row) -> Any:
    """`trained:7` names a trained aligner; all other settings name none."""
    prefix, colon, number = str(value).partition(":")
    if prefix != PREFIX or not number.isdecimal():
        return value
    # Suggestions of two aligners that are gone stay apart.
    new = renumber("alignment.TrainedAligner", int(number)) or f"gone-{number}"
    return f"{prefix}{colon}{new}"


def _figures(value: Any, renumber: Renumber, row: Row) -> Any:
    """A classifier names the items of its gold set, or the lines of the file that it was trained on."""
    if row["gold_set_id"] is None or "out_of_fold" not in value:
        return value
    rows = [[renumber("annotation.Item", item), *rest] for item, *rest in value["out_of_fold"]]
    return value | {"out_of_fold": rows}


WITH_IDS: Mapping[str, Callable[[Any, Renumber, Row], Any]] = {
    "jobs.Job.parameters": _renumber_job,
    "annotation.Batch.sampling": _sampling,
    "annotation.Batch.suggester": _setting,
    "annotation.ModelAnnotator.aligner": _setting,
    "alignment.Experiment.comparisons": _comparisons,
    "alignment.SuggestedLinks.setting": _setting,
    "annotation.TrainedClassifier.figures": _figures,
}
"""Fields that hold ids, JSON or text, and how they are renumbered; all others hold none."""


def renumbered(label: str, value: Any, renumber: Renumber, row: Row) -> Any:
    """The value of a field, named `app.Model.field`, with its ids as on the other side."""
    change = WITH_IDS.get(label)
    return value if change is None or value is None else change(value, renumber, row)
