"""Saving how an annotator splits a cluster, the whole cluster at a time."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User

from annotation.models import Assignment, AssignmentState, BatchKind, Placement, SubclusterDecision
from annotation.services.answers import record_answer
from paragold.agreement.partitions import canonical
from projects.errors import PublicError

from .drawing import MOST


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
        if SubclusterDecision.objects.filter(item=stored.item_id).exists():
            raise PublicError("An adjudicator has decided this cluster; it changes no more.")
        stored.placements.all().delete()
        Placement.objects.bulk_create(
            Placement(assignment=stored, headline_id=headlines[number], group=group) for number, group in rows
        )

    state = AssignmentState.DONE if submitted else AssignmentState.OPEN
    return record_answer(
        assignment=assignment,
        by=by,
        key=key,
        version=version,
        state=AssignmentState.SKIPPED if skipped else state,
        flagged=flagged,
        comment=comment,
        milliseconds=milliseconds,
        body={
            "placements": rows,
            "submitted": submitted,
            "skipped": skipped,
            "flagged": flagged,
            "comment": comment,
        },
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
