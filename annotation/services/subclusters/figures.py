"""What the answers to batches for splitting come to: how many clusters are split, disputed, undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.agreement.partitions import PairCounts
from annotation.models import Batch
from annotation.permissions import visible_items
from corpus.models import Project

from .agreement import compared, overall
from .review import decisions_of
from .submissions import submitted_items


@dataclass(frozen=True, slots=True)
class SplitFigures:
    """A batch over the items that the reader may see; `agreement` adds up every two annotators."""

    items: int
    split_by_enough: int
    disputed: int
    undecided: int
    agreement: PairCounts

    @property
    def decided(self) -> int:
        return self.disputed - self.undecided


def split_figures(user: Any, project: Project, batch: Batch) -> SplitFigures:
    """The figures of one batch over the items whose answers the user may see."""
    visible = list(visible_items(user, project).filter(batch=batch).order_by().values_list("pk", flat=True))
    submitted = submitted_items(batch, visible)
    disputed = [entry.item for entry in submitted if entry.disputed]
    return SplitFigures(
        items=len(visible),
        split_by_enough=sum(len(entry.submissions) >= min(2, batch.overlap) for entry in submitted),
        disputed=len(disputed),
        undecided=len(set(disputed) - decisions_of(disputed).keys()),
        agreement=overall(compared(batch, submitted)),
    )
