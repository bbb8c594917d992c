"""What waits for a person to be answered, from that person's own work alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    HandingOut,
    SecondLook,
    SecondPass,
)
from annotation.models.item import takes_part
from corpus.models import Membership, Project, Role

from .own_progress import own_progress


@dataclass(frozen=True, slots=True)
class Waiting:
    """A batch and how many of its items wait for the person, at least one."""

    batch: Batch
    items: int


def waiting_for(user: Any, project: Project | None = None) -> list[Waiting]:
    """The open batches in which items wait for an annotator, of one project or all, the oldest first.

    Items that nobody has taken yet count, as far as the annotator may take them; while a second pass runs,
    only those that are to be looked at again do. Nothing waits for whoever is paused.
    """
    annotates = Membership.objects.filter(user=user, role=Role.ANNOTATOR).values("project")
    batches: QuerySet[Any] = Batch.objects.assigned_to(user).filter(
        ~Exists(takes_part(user, "pk").filter(paused=True)),
        project__in=annotates,
        state=BatchState.OPEN,
    )
    if project:
        batches = batches.filter(project=project)
    mine = Assignment.objects.filter(annotator=user)
    batches = batches.select_related("project").annotate(
        second=Exists(SecondPass.objects.filter(batch=OuterRef("pk"), ended_at=None)),
        takes_more=Exists(takes_part(user, "pk")),
    )
    opened = _by_batch(
        mine.filter(state=AssignmentState.OPEN, item__batch__in=batches.values("pk")), "item__batch"
    )
    looks = _by_batch(
        SecondLook.objects.filter(label="", assignment__annotator=user, second_pass__ended_at=None),
        "second_pass__batch",
    )
    found = []
    for batch in batches.order_by("pk"):
        if batch.second:
            items = looks.get(batch.pk, 0)
        elif batch.handing_out == HandingOut.AS_THEY_COME and batch.takes_more:
            own = own_progress(batch, user)
            items = own.total - own.done
        else:
            items = opened.get(batch.pk, 0)
        if items:
            found.append(Waiting(batch, items))
    return found


def waiting_items(waiting: Iterable[Waiting], kind: str) -> int:
    """How many items of a kind wait."""
    return sum(entry.items for entry in waiting if entry.batch.kind == kind)


def _by_batch(rows: QuerySet[Any], batch: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(batch).annotate(items=Count("pk")))
