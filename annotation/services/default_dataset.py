"""Which datasets a form begins with where nobody has asked for one."""

from __future__ import annotations

from django.db.models import Count

from annotation.models import BatchKind, Item
from corpus.models import Dataset
from projects.models import Project


def judged_datasets(project: Project) -> list[Dataset]:
    """The datasets, without archived ones, that batches were drawn from, that of the newest batch first."""
    batches = project.batches.filter(kind=BatchKind.JUDGE).exclude(dataset=None).order_by("-pk")
    ids = list(dict.fromkeys(batches.values_list("dataset", flat=True)))
    by_id = project.datasets.current().in_bulk(ids)
    return [by_id[pk] for pk in ids if pk in by_id]


def default_datasets(project: Project) -> tuple[list[Dataset], str]:
    """The judged datasets, else the smallest one that holds pairs, and a sentence that says which they are.

    Both are empty where the project has no pairs.
    """
    if judged := judged_datasets(project):
        return judged, "Preselected: what was drawn for judging."
    smallest = project.datasets.current().filter(size__gt=0).order_by("size", "pk").first()
    if smallest is None:
        return [], ""
    return [smallest], "Nothing is judged yet. Preselected: the smallest dataset."


def dataset_to_draw_from(project: Project) -> tuple[Dataset | None, str]:
    """The first of `default_datasets` with pairs that no batch holds yet, else the smallest such dataset."""
    chosen, reason = default_datasets(project)
    drawn = dict(
        Item.objects.filter(batch__project=project)
        .exclude(batch__dataset=None)
        .order_by()
        .values_list("batch__dataset")
        .annotate(pairs=Count("pair", distinct=True))
    )
    for dataset in chosen:
        if drawn.get(dataset.pk, 0) < dataset.size:
            return dataset, reason
    smallest_first = project.datasets.current().filter(size__gt=0).order_by("size", "pk")
    left = next((one for one in smallest_first if drawn.get(one.pk, 0) < one.size), None)
    if left is not None:
        return left, "Everything that was judged so far is drawn. Preselected: the smallest other dataset."
    return next(iter(chosen), None), reason
