"""Trained aligners for tests, made through the services."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from alignment.models import GoldAlignmentSet, TrainedAligner
from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.trained_aligners.launching import launch_training
from annotation.forms import annotators_of
from corpus.models import Dataset
from jobs.services.running import run_here
from projects.models import Project

from .alignment import link_all, linking_batch
from .annotation import gold_set as gold_labels
from .corpus import member

QUICK = {"ibm1_iterations": 1, "hmm_iterations": 1}


def trained_aligner(
    dataset: Dataset,
    *,
    name: str = "",
    gold_set: GoldAlignmentSet | None = None,
    other_gold: Sequence[GoldAlignmentSet] = (),
    run: bool = True,
    **settings: Any,
) -> TrainedAligner:
    """An aligner trained on a dataset, a quick `hmm` unless named otherwise; waiting where `run` is False."""
    if "aligner" not in settings:
        settings = {"aligner": "hmm"} | QUICK | settings
    trained = launch_training(
        project=dataset.project,
        by=None,
        name=name,
        settings=settings,
        datasets=[dataset],
        gold_set=gold_set,
        other_gold=other_gold,
    )
    if run:
        run_here(job=trained.job)
        trained.refresh_from_db()
    return trained


def linked_gold(project: Project, judged: int, *, name: str = "links") -> GoldAlignmentSet:
    """A set of gold links of half as many pairs as were judged, their equal words linked."""
    people = annotators_of(project) or [member(project, "annotator", name) for name in ("ann", "ben")]
    source = gold_labels(project, people, size=judged, name=f"gold {project.gold_sets.count() + 1}")
    batch = linking_batch(project, people, source=source)
    for user in people:
        link_all(batch, user)
    return freeze_gold_alignments(project=project, by=None, name=name, batch=batch)
