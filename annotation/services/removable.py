"""The objects of annotation that can be archived and deleted, and the rows deleted with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotation.models import (
    Answer,
    Assignment,
    Batch,
    BatchState,
    ClassifierRun,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    Item,
    ModelAnnotator,
    ModelAnswer,
    PairScore,
    TrainedClassifier,
)
from corpus.models import Dataset
from jobs.services.removal import Kind


def _has_answers(batch: Batch) -> bool:
    assignments = Assignment.objects.filter(item__batch=batch)
    # An answer on its way comes first.
    list(assignments.select_for_update(of=("self",)).order_by("pk").values_list("pk"))
    return Answer.objects.filter(assignment__in=assignments.order_by()).exists()


def _close(batch: Batch) -> None:
    Batch.everything.filter(pk=batch.pk).update(state=BatchState.CLOSED)


def _remove_items(batch: Batch, limit: int) -> int:
    """Some items with all answers to them."""
    items = Item.everything.filter(batch=batch)
    return items.filter(pk__in=list(items.order_by("pk").values_list("pk", flat=True)[:limit])).delete()[0]


def _of_run(run: ClassifierRun) -> Iterable[Any]:
    """Datasets that were refined by its decisions, and batches that were drawn by them."""
    yield from Dataset.everything.filter(refining_runs=run)
    yield from Batch.everything.filter(project=run.classifier.project_id, sampling__run=run.pk)


KINDS = (
    Kind(
        name="batch",
        plural="batches",
        model=Batch,
        page=lambda batch: batch.page,
        in_list=lambda batch: batch.kind,
        rows=(lambda batch: Item.everything.filter(batch=batch),),
        piece=100,
        remove=_remove_items,
        # Gold sets with items of the batch, whatever batches they name.
        also_used_by=lambda batch: GoldSet.everything.filter(judgements__item__batch=batch).distinct(),
        parameters=("batch",),
        hide=_close,
        answers=_has_answers,
    ),
    Kind(
        name="gold-set",
        model=GoldSet,
        in_list="gold",
        rows=(lambda gold_set: GoldJudgement.objects.filter(gold_set=gold_set),),
        parameters=("gold_set",),
    ),
    Kind(
        name="gold-subclusters",
        plural="gold-subclusters",
        noun="set of gold sub-clusters",
        model=GoldSubclusterSet,
        in_list="gold",
        rows=(lambda gold_set: GoldSubclusters.objects.filter(gold_set=gold_set),),
    ),
    Kind(
        name="classifier",
        model=TrainedClassifier,
        also_used_by=lambda classifier: ClassifierRun.everything.filter(classifier=classifier),
        parameters=("classifier",),
    ),
    Kind(
        name="classifier-run",
        noun="run of the classifier",
        model=ClassifierRun,
        in_list="classifiers",
        project_path=("classifier", "project"),
        rows=(lambda run: PairScore.objects.filter(run=run),),
        also_used_by=_of_run,
    ),
    Kind(
        name="model-annotator",
        noun="model's answers",
        model=ModelAnnotator,
        in_list=lambda annotator: annotator.batch.kind,
        project_path=("batch", "project"),
        rows=(lambda annotator: ModelAnswer.objects.filter(annotator=annotator),),
    ),
)
