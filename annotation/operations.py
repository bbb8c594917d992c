"""What is launched on judgements: training a classifier, and applying it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from annotation.models import ClassifierRun
from annotation.services.classifiers.applying import launch_application
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from corpus.models import LexiconKind
from corpus.operations import datasets
from jobs.models import JobState
from jobs.operations import Named, Operation, Rows
from paragold.spec import Spec, param
from projects.models import Project


class ClassifierName(Spec):
    name: str = param("svm", "Name", "A name in use gets its next version.", max_length=80)


class ApplicationOptions(Named):
    threshold: float | None = param(
        None,
        "Threshold",
        "Minimum probability of an accepted pair. None (recommended): by the sign of the decision value.",
        ge=0,
        le=1,
    )


def apply_classifier(*, project: Project, by: User | None, **given: Any) -> ClassifierRun:
    """The project is that of the classifier."""
    return launch_application(by=by, **given)


OPERATIONS = (
    Operation(
        "train-classifier",
        "Train the next version of a classifier on a gold set.",
        launch_training,
        rows=(
            Rows("gold_set", "Gold set to train on.", lambda p: p.gold_sets.all(), required=True),
            Rows(
                "lexicon",
                "Lexicon of word association; without one this class is off.",
                lambda p: p.lexicons.filter(kind=LexiconKind.ASSOCIATION, job__state=JobState.DONE),
            ),
            Rows("bootstrap", "Dataset: measure the effect of bootstrapping on it.", datasets),
            Rows(
                "aligned",
                "Dataset: for each row of the ablation, train an aligner on the pairs accepted from it, and "
                "measure its alignment error rate. The project needs gold links.",
                datasets,
            ),
        ),
        options=ClassifierName,
        spec=TrainingSpec,
        leave_out=("language",),
    ),
    Operation(
        "apply-classifier",
        "Apply a classifier to a dataset; the accepted pairs become a dataset.",
        apply_classifier,
        rows=(
            Rows("classifier", "Trained classifier.", lambda p: p.classifiers.all(), required=True),
            Rows("dataset", "Pairs to decide on.", datasets, required=True),
        ),
        options=ApplicationOptions,
    ),
)
