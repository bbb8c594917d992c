"""What the answers to batches for splitting come to: how many clusters are split, disputed, undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Max

from annotation.models import Batch, SubclusterDecision
from annotation.permissions import visible_items
from annotation.services.batch_figures import KEPT_SECONDS, content_versions
from paragold.agreement.partitions import PairCounts
from projects.models import Project
from projects.permissions import can_manage

from .agreement import compared, overall
from .review import decisions_of
from .submissions import submitted_items


@dataclass(frozen=True, slots=True)
class SplitFigures:
    """A batch over the items that the reader may see; `agreement` adds up every two annotators."""

    items: int
    split_by_enough: int
    disputed: int
    undecided_items: tuple[int, ...]
    agreement: PairCounts

    @property
    def undecided(self) -> int:
        return len(self.undecided_items)

    @property
    def decided(self) -> int:
        return self.disputed - self.undecided


def split_figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    """The figures of one batch over the items whose answers the user may see; counted once for each state."""
    decisions = SubclusterDecision.objects.filter(item__batch=batch).aggregate(latest=Max("pk"))["latest"]
    scope = "all" if can_manage(user, project) else str(user.pk)
    version = content_versions(user, [batch])[batch.pk]
    key = f"split-figures:{batch.pk}:{scope}:{version}:{decisions}"
    figures: SplitFigures | None = cache.get(key)
    if figures is None:
        figures = _figures(user, project, batch)
        cache.set(key, figures, KEPT_SECONDS)
    return figures


def _figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    visible = list(visible_items(user, project).filter(batch=batch).order_by().values_list("pk", flat=True))
    submitted = submitted_items(batch, visible)
    disputed = [entry.item for entry in submitted if entry.disputed]
    return SplitFigures(
        items=len(visible),
        split_by_enough=sum(len(entry.submissions) >= min(2, batch.overlap) for entry in submitted),
        disputed=len(disputed),
        undecided_items=tuple(sorted(set(disputed) - decisions_of(disputed).keys())),
        agreement=overall(compared(batch, submitted)),
    )
