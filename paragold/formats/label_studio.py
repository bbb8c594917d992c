"""The common parts of the JSON exports of Label Studio, for all kinds of tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from paragold.formats.annotators import AnnotatorChoice, annotator_names
from paragold.formats.unknown import Unknown, count_fields
from paragold.problems import FileProblem

CONFIGURATION = "label-studio.xml"
"""The ending of the names of labelling configurations."""
TASKS = re.compile(r'(?<!\\)"(?:annotations|predictions)"\s*:')
"""Found in the beginning of every file of tasks."""
# Fields of Label Studio about a task and its import.
_TASK = frozenset(
    {
        *("id", "data", "annotations", "predictions", "drafts", "meta", "created_at", "updated_at"),
        *("inner_id", "project", "updated_by", "file_upload", "total_annotations", "cancelled_annotations"),
        *("total_predictions", "comment_authors", "comment_count", "unresolved_comment_count"),
        *("last_comment_updated_at", "state", "allow_skip", "import_id"),
    }
)


def count_task(task: Mapping[str, Any], known: frozenset[str], unknown: Unknown) -> Mapping[str, Any]:
    """The data of a task; count its other fields that are not read."""
    data: Mapping[str, Any] = task.get("data") or {}
    count_fields(task, _TASK, unknown)
    count_fields(data, known, unknown)
    for name in ("predictions", "drafts", "meta"):
        if task.get(name):
            unknown[name] += 1
    return data


def annotation_of(task: object, unknown: Unknown, choice: AnnotatorChoice) -> Mapping[str, Any] | None:
    """The annotation of a task that is read; None, counted, for a task without one that is.

    It is that of the chosen person, or else the ground truth. Raises FileProblem for several that are not
    different people's, and for what is no task.
    """
    given = task.get("annotations") if isinstance(task, dict) else None
    if not isinstance(given, list) or not isinstance(task, dict) or not isinstance(task.get("data"), dict):
        raise FileProblem("This is no task with data and annotations.", 'Export as "JSON", not "JSON-MIN".')
    done = [one for one in given if isinstance(one, dict)]
    decided = [] if choice.judge else [one for one in done if one.get("ground_truth")]
    if decided:
        unknown["annotation that is not the ground truth"] += len(given) - len(decided)
        choice.read_anyway()
    read = decided or [one for one in done if choice.reads(annotator_names(one))]
    if choice.is_open and not decided:
        return None
    if not read:
        unknown["task without an annotation, left out"] += 1
        return None
    if len(read) > 1:
        raise FileProblem(f"The task has {len(read)} annotations.", "Mark one as the ground truth.")
    return read[0]


def results_of(annotation: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The results of an annotation, each with its value. Raises FileProblem for what is no object."""
    given = annotation.get("result") or []
    for result in given if isinstance(given, list) else [given]:
        value = (result.get("value") or {}) if isinstance(result, dict) else None
        if not isinstance(value, dict):
            raise FileProblem("A result of the annotation is not an object.", "Export the tasks again.")
        yield result, value


def strings(values: Mapping[str, Any], name: str) -> list[str]:
    """A list of strings in a result; empty without one. Raises FileProblem for anything else."""
    given = values.get(name) or []
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise FileProblem(f"{name} of a result is not a list of strings.", "Export the tasks again.")
    return given
