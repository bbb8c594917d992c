"""What annotators submitted for the clusters of a batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Assignment, AssignmentState, Batch, ItemHeadline

from .splitting import partition_of


@dataclass(frozen=True, slots=True)
class Submission:
    """One annotator's sub-clusters of one item: lists of two or more numbers of headlines."""

    assignment: Assignment
    groups: list[list[int]]


@dataclass(frozen=True, slots=True)
class SubmittedItem:
    """An item with the number of its headlines and its submissions, annotators in order of their ids."""

    item: int
    number: int
    size: int
    submissions: list[Submission]

    @property
    def disputed(self) -> bool:
        return any(one.groups != self.submissions[0].groups for one in self.submissions)

    @property
    def partitions(self) -> list[list[list[int]]]:
        return [one.groups for one in self.submissions]


def submitted_items(batch: Batch, items: Iterable[int] | None = None) -> list[SubmittedItem]:
    """The items of a batch, or those of `items`, that somebody has submitted, in order.

    The caller has checked that the reader may see them.
    """
    assignments = Assignment.objects.filter(item__batch=batch, state=AssignmentState.DONE)
    if items is not None:
        assignments = assignments.filter(item__in=list(items))
    rows = assignments.select_related("item").prefetch_related("placements__headline")
    found: dict[int, list[Submission]] = defaultdict(list)
    numbers: dict[int, int] = {}
    for assignment in rows.order_by("item__number", "annotator_id"):
        placements = [(one.headline.number, one.group) for one in assignment.placements.all()]
        found[assignment.item_id].append(Submission(assignment, partition_of(placements)))
        numbers[assignment.item_id] = assignment.item.number
    headlines = ItemHeadline.objects.filter(item__in=list(found)).order_by()
    sizes = dict(headlines.values_list("item").annotate(Count("pk")))
    return [SubmittedItem(item, numbers[item], sizes[item], ones) for item, ones in found.items()]
