"""How annotators split clusters: saving it, the whole cluster at a time, and reading what was submitted."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    ItemHeadline,
    Placement,
)
from annotation.services.answers import check_undecided, record_answer
from annotation.specs import MOST
from paragold.agreement.partitions import canonical
from projects.errors import PublicError


def save_placements(
    *,
    assignment: Assignment,
    by: User,
    key: uuid.UUID,
    version: int,
    placements: Sequence[Sequence[Any]],
    submitted: bool = False,
    skipped: bool = False,
    flagged: bool = False,
    comment: str = "",
    milliseconds: int = 0,
    describe: Callable[[Assignment], dict[str, Any]],
) -> dict[str, Any]:
    """Store where the headlines were put, as a draft or submitted; see `record_answer`.

    `placements` are [number, group]: the headline's number from 1, and its group's from 1 or None for none.
    What is not among them is open, and counts as in none once it is submitted. Raises PublicError for a
    headline that is not the item's or given twice, and a group that is no number.
    """
    if assignment.item.batch.kind != BatchKind.SPLIT:
        raise PublicError("This item is a pair; only clusters are split.")
    if skipped and submitted:
        raise PublicError("A cluster is either skipped or submitted: send one or the other.")
    headlines = dict(assignment.item.headlines.values_list("number", "pk"))
    rows = checked_placements(placements, headlines)

    def apply(stored: Assignment) -> None:
        check_undecided(stored.item_id, "cluster")
        stored.placements.all().delete()
        Placement.objects.bulk_create(
            Placement(assignment=stored, headline_id=headlines[number], group=group) for number, group in rows
        )

    return record_answer(
        assignment=assignment,
        by=by,
        key=key,
        version=version,
        done=submitted,
        skipped=skipped,
        flagged=flagged,
        comment=comment,
        milliseconds=milliseconds,
        content={"placements": rows, "submitted": submitted},
        apply=apply,
        describe=describe,
    )


def checked_placements(
    placements: Sequence[Sequence[Any]], headlines: Iterable[int]
) -> list[tuple[int, int | None]]:
    """The placements, by headline, after every check that `save_placements` promises."""
    known = set(headlines)
    rows: dict[int, int | None] = {}
    for placement in placements:
        if len(placement) != 2:
            raise PublicError(f"A placement is [headline, group], not {list(placement)!r}.")
        number, group = placement
        if type(number) is not int or number not in known:
            raise PublicError(f"There is no headline {number!r} in this cluster; they are 1 to {len(known)}.")
        if number in rows:
            raise PublicError(f"Headline {number} is placed twice.")
        if group is not None and (type(group) is not int or not 1 <= group <= MOST):
            raise PublicError(f"Headline {number}: a group is 1 to {MOST}, or null for none, not {group!r}.")
        rows[number] = group
    return sorted(rows.items(), key=lambda row: row[0])


def partition_of(placements: Iterable[tuple[int, int | None]]) -> list[list[int]]:
    """The groups of two or more headlines, by number, of placements [number, group]."""
    groups: dict[int, list[int]] = defaultdict(list)
    numbers = []
    for number, group in placements:
        numbers.append(number)
        if group is not None:
            groups[group].append(number)
    return canonical(groups.values(), sorted(numbers))


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
