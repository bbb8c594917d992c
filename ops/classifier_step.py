"""The classifier among the stages of a project's work: what stands, and what may be done next.

It is beside the way from articles to gold data, so that no other stage waits for it.
"""

from __future__ import annotations

from typing import Any

from alignment.models import ExperimentRow
from annotation.models import ClassifierRun, TrainedClassifier
from corpus.models import Dataset
from jobs.models import Job, JobState
from projects.models import Project

from .step import DONE, TO_DO, UNDER_WAY, Action, Step

LABEL = "Classifier"


def classifier_step(project: Project, url: Any) -> Step:
    """The stage as its newest classifier and the newest run have it. `url` gives addresses in the project."""
    classifiers = project.classifiers.current().select_related("job").defer("model", "imported_pairs")
    classifier = classifiers.first()
    if classifier is None:
        if not project.gold_sets.current().exists():
            return Step(LABEL, TO_DO, [], optional=True)
        why = "It learns from the gold set and decides on whole datasets."
        return Step(LABEL, TO_DO, [], Action("Train a classifier", url("classifier-new"), why), optional=True)
    runs = ClassifierRun.objects.current().filter(classifier__project=project).select_related("job")
    refined = Dataset.objects.current().filter(refining_runs__in=runs).distinct().count()
    found = [(_count(classifiers.count(), "classifier"), url("classifiers"))]
    if refined:
        found.append((_count(refined, "refined dataset"), url("candidates")))
    run = runs.first()
    action = _waiting(classifier.job, "training", url("classifier", classifier.pk)) or (
        run and _waiting(run.job, "run", url("classifier-run", run.pk))
    )
    state = DONE if refined else TO_DO
    if action:
        under_way = classifier.job.active or (run is not None and run.job.active)
        state = UNDER_WAY if under_way else state
    else:
        action = _next(project, classifier, run, url)
    return Step(LABEL, state, found, action, optional=True)


def _waiting(job: Job, what: str, address: str) -> Action | None:
    """The way to a job that has not come to its end."""
    if job.active:
        return Action(f"Follow the {what}", address, f"It is at {job.done:,} of {job.total:,}.")
    if job.state != JobState.DONE:
        return Action(f"See what stopped the {what}", address, f"It is {job.get_state_display().lower()}.")
    return None


def _next(project: Project, classifier: TrainedClassifier, run: ClassifierRun | None, url: Any) -> Action:
    if run is None:
        why = "What it accepts becomes a dataset of its own."
        return Action(f"Apply {classifier}", url("classifier-apply", classifier.pk), why)
    dataset = run.refined.current().first()
    compared = dataset is None or ExperimentRow.objects.filter(dataset=dataset).exists()
    if not compared and project.gold_alignment_sets.current().exists():
        why = "A row of the table of alignment error rates."
        return Action("Compare what it accepted", url("experiment-new"), why)
    return Action("See the run, draw the next batch", url("classifier-run", run.pk), "The loop goes on.")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
