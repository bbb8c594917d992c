"""What waits for a person to be answered, from that person's own work alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists

from annotation.models import Batch, BatchState
from annotation.models.item import takes_part
from projects.models import Membership, Project, Role

from .batch_progress import own_progress_of


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
    batches: Any = (
        Batch.objects.assigned_to(user)
        .current()
        .filter(
            ~Exists(takes_part(user, "pk").filter(paused=True)),
            project__in=annotates,
            state=BatchState.OPEN,
        )
    )
    if project:
        batches = batches.filter(project=project)
    found = []
    for batch in batches.select_related("project").with_own_progress(user).order_by("pk"):
        items = own_progress_of(batch, user).waiting
        if items:
            found.append(Waiting(batch, items))
    return found


def waiting_items(waiting: Iterable[Waiting], kind: str) -> int:
    """How many items of a kind wait."""
    return sum(entry.items for entry in waiting if entry.batch.kind == kind)
