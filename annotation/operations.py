"""What is launched on judgements: training a classifier, and applying it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from annotation.classifier_forms import ApplicationForm, TrainingForm, gold_set_label
from annotation.models import ClassifierRun, GoldSet
from annotation.services.classifiers.applying import application_cost, launch_application
from annotation.services.classifiers.training import launch_training, training_cost
from annotation.services.drawing import default_datasets
from annotation.specs import TrainingSpec
from annotation.views.classifiers import application_context
from corpus.forms import dataset_label
from corpus.models import Dataset, LexiconKind
from corpus.operations import datasets, no_dataset
from corpus.services.uploads import lines_of
from jobs.models import JobState
from jobs.operations import LaunchPage, Named, Operation, Rows
from jobs.services.launch_cost import LaunchCost
from paragold.spec import Spec, param
from projects.models import Project

CLASSIFIERS = ("classifiers", "Classifier")
# A file is not counted before it is sent: its cost is shown for so many pairs.
PAIRS_SHOWN = 1_000


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


def association_lexicons(project: Project) -> Any:
    rows = project.lexicons.filter(kind=LexiconKind.ASSOCIATION, job__state=JobState.DONE)
    return rows.select_related("dataset")


def cost_of_training(
    *,
    project: Project,
    spec: TrainingSpec,
    gold_set: GoldSet | None,
    bootstrap: Dataset | None,
    aligned: Dataset | None,
    pairs: Any = None,
    **others: Any,
) -> LaunchCost:
    labelled = gold_set.counts.get("pairs", 0) if gold_set else PAIRS_SHOWN
    number = lines_of(pairs) if pairs else labelled
    classes, aligner = len(spec.classes), spec.aligner
    return training_cost(number, classes, bootstrap=bootstrap, aligned=aligned, aligner=aligner)


def cost_of_application(*, dataset: Dataset, **others: Any) -> LaunchCost:
    return application_cost(dataset)


OPERATIONS = (
    Operation(
        "train-classifier",
        "Train the next version of a classifier on a gold set.",
        launch_training,
        rows=(
            Rows(
                "gold_set",
                "Gold set to train on.",
                lambda project: project.gold_sets.all(),
                required=True,
                label="Gold set",
                called=gold_set_label,
                preselected=lambda project: project.gold_sets.current().first(),
            ),
            Rows(
                "lexicon",
                "Lexicon of word association; without one this class is off.",
                association_lexicons,
                label="Word association lexicon",
                none="None: turn the class association off",
                called=lambda lexicon: lexicon.in_words,
                preselected=lambda project: association_lexicons(project).filter(archived_at=None).first(),
            ),
            Rows(
                "bootstrap",
                "Measures the effect of adding the classifier's own decisions on this dataset to its "
                "training pairs. The classifier itself is trained on people's labels only.",
                datasets,
                label="Measure bootstrapping",
                none="No",
                called=dataset_label,
            ),
            Rows(
                "aligned",
                "Dataset: for each row of the ablation, train an aligner on the pairs accepted from it, and "
                "measure its alignment error rate. The project needs gold links.",
                datasets,
                label="Measure the alignment error rate",
                none="No",
                called=dataset_label,
                preselected=lambda project: next(iter(default_datasets(project)[0]), None),
            ),
        ),
        options=ClassifierName,
        spec=TrainingSpec,
        leave_out=("language",),
        cost=cost_of_training,
        page=LaunchPage(
            title="Train a classifier",
            about="Binary classifier: paraphrase against everything else. Evaluated by 3-fold "
            "cross-validation grouped by cluster.",
            button="Train it",
            launched="The training of {} is launched.",
            back=CLASSIFIERS,
            order=("name", "gold_set", "pairs", "encoding", "lexicon", "classes", "aligned"),
            folded=(
                *("pair_words", "function_words", "min_frequency", "loss", "c", "class_weight", "seed"),
                *("with_audit", "with_held_out", "bootstrap"),
                *("aligner", "identical_words", "symmetrisation"),
            ),
            folded_under="How it is fitted",
            form=TrainingForm,
            template="annotation/launch_classifier.html",
            context=lambda request, form: {"gold_sets": "gold_set" in form.fields},
        ),
    ),
    Operation(
        "apply-classifier",
        "Apply a classifier to a dataset; the accepted pairs become a dataset.",
        apply_classifier,
        rows=(
            Rows(
                "classifier",
                "Trained classifier.",
                lambda project: project.classifiers.all(),
                required=True,
                preselected=lambda project: project.classifiers.current().first(),
            ),
            Rows("dataset", "Pairs to decide on.", datasets, required=True, called=dataset_label),
        ),
        options=ApplicationOptions,
        cost=cost_of_application,
        page=LaunchPage(
            title="Apply a classifier to a dataset",
            about="Every pair gets a decision value and a probability. The accepted pairs become a frozen "
            "dataset that can be used like any other.",
            button="Apply it",
            launched="{} is launched.",
            back=CLASSIFIERS,
            order=("classifier", "dataset", "threshold", "name"),
            missing=no_dataset,
            form=ApplicationForm,
            template="annotation/launch_application.html",
            context=application_context,
        ),
    ),
)
