"""The alignment error rate that a classifier's decisions lead to (Brockett and Dolan 2005, table 4).

Word links belong to the app above this one: `settings.ALIGNMENT_ERROR` names its measure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from projects.models import Project


@dataclass(frozen=True, slots=True)
class Measure:
    """gold: the id and name of a project's newest gold links, None without any.

    error: for the gold links of an id and the ids of candidate pairs, the error rate (`aer`, 0 to 1, None
    where no links could be compared) of an aligner trained on those pairs, its `interval` and `aligner`.
    seconds: how long training that aligner on so many pairs is expected to take.
    """

    gold: Callable[[Project], tuple[int, str] | None]
    error: Callable[[int, Sequence[int]], dict[str, Any]]
    seconds: Callable[[int], float]


def _measure() -> Measure:
    measure: Measure = import_string(settings.ALIGNMENT_ERROR)
    return measure


def gold_links(project: Project) -> tuple[int, str] | None:
    """The id and name of the gold links that a refined dataset is measured on, None without any."""
    return _measure().gold(project)


def error_rate(gold: int, pairs: Sequence[int]) -> dict[str, Any]:
    """The alignment error rate between words that differ, of an aligner trained on these pairs."""
    return _measure().error(gold, pairs)


def training_seconds(pairs: int) -> float:
    """How long training that aligner on so many pairs is expected to take."""
    return _measure().seconds(pairs)
