"""Disputed items that nobody has decided, of every kind of batch, and which of them a person may decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Batch, BatchKind, Item
from annotation.permissions import adjudicable_items, visible_items
from annotation.services.batch_figures import undecided_items
from annotation.services.subclusters import split_figures
from projects.models import Project

from .link_figures import link_figures


@dataclass(frozen=True, slots=True)
class Disputes:
    """A batch with disputed items that nobody has decided, by their ids, of those that a person may see.

    `decidable` are those that the person may decide.
    """

    batch: Batch
    undecided: frozenset[int]
    decidable: frozenset[int]

    @property
    def first(self) -> Item | None:
        """The first that the person may decide."""
        return Item.objects.filter(pk__in=self.decidable).order_by("number").first()


def disputes_of(user: Any, project: Project) -> list[Disputes]:
    """The batches of a project in which disputed items wait for a decision, the oldest first."""
    return disputes_in(user, project, list(Batch.objects.current().filter(project=project).order_by("pk")))


def disputes_in(user: Any, project: Project, batches: Sequence[Batch]) -> list[Disputes]:
    """As `disputes_of`, of some of the project's batches."""
    by_kind = {kind: [batch for batch in batches if batch.kind == kind] for kind in BatchKind.values}
    undecided: dict[int, set[int]] = {batch.pk: set() for batch in batches}
    judged = undecided_items(visible_items(user, project).filter(batch__in=by_kind[BatchKind.JUDGE]))
    for pk, item in judged.order_by().values_list("batch", "pk"):
        undecided[pk].add(item)
    for pk, links in link_figures(user, project, by_kind[BatchKind.LINK]).items():
        undecided[pk] |= set(links.undecided_items)
    for batch in by_kind[BatchKind.SPLIT]:
        undecided[batch.pk] |= set(split_figures(user, project, batch).undecided_items)
    decidable = _decidable(user, project, [item for items in undecided.values() for item in items])
    return [
        Disputes(batch, frozenset(undecided[batch.pk]), frozenset(undecided[batch.pk] & decidable))
        for batch in batches
        if undecided[batch.pk]
    ]


def _decidable(user: Any, project: Project, items: Iterable[int]) -> set[int]:
    wanted = set(items)
    if not wanted:
        return set()
    batches = Item.objects.filter(pk__in=wanted).order_by().values("batch")
    rows = adjudicable_items(user, project).filter(batch__in=batches)
    return wanted & set(rows.order_by().values_list("pk", flat=True))
