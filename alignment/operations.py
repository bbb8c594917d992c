"""What is launched on word links: training an aligner, and applying it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from alignment.services.trained_aligners.applying import apply_aligner
from alignment.services.trained_aligners.launching import launch_training
from corpus.operations import datasets
from jobs.operations import Operation, Rows
from paragold.aligners.registry import DEFAULT_ALIGNER, all_parameters, trained_ids
from paragold.spec import Spec
from projects.models import Project


def gold_links(project: Project) -> QuerySet[Any]:
    return project.gold_alignment_sets.all()


OPERATIONS = (
    Operation(
        "train-aligner",
        "Train the next version of a word aligner on sentences and gold links.",
        launch_training,
        rows=(
            Rows("datasets", "Pairs whose sentences are training text.", datasets, many=True),
            Rows(
                "texts", "Gold links whose sentences, never links, are training text.", gold_links, many=True
            ),
            Rows("gold_set", "Gold links to learn from; their sentences are training text too.", gold_links),
            Rows(
                "other_gold",
                "Other gold links, which are used as far as they help on those of `gold_set`.",
                gold_links,
                many=True,
            ),
        ),
        settings=f"`aligner`, one of {', '.join(trained_ids())} ({DEFAULT_ALIGNER} by default), and its "
        f"parameters: {', '.join(parameter.name for parameter in all_parameters())}.",
    ),
    Operation(
        "apply-aligner",
        "Link the pairs of a dataset, or of gold links, on which the aligner is scored as well.",
        apply_aligner,
        rows=(
            Rows("trained", "Trained aligner.", lambda p: p.trained_aligners.all(), required=True),
            Rows("dataset", "Pairs to link.", datasets),
            Rows("gold_set", "Gold links whose pairs are linked, in place of a dataset.", gold_links),
        ),
        options=Spec,
    ),
)
