"""How far batches are: for the people in them their own work, for managers everybody's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Assignment, AssignmentState, Batch, BatchAnnotator, BatchState
from annotation.services.batch_progress import Progress, counted

ANSWERED = ~Q(state=AssignmentState.OPEN)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """One annotator's work in a batch; `done` are answered or skipped, of `total`."""

    user_id: int
    username: str
    done: int
    total: int
    skipped: int
    flagged: int


@dataclass(frozen=True, slots=True)
class OwnWork:
    """A batch and one's own progress in it."""

    batch: Batch
    progress: Progress
    paused: bool = False

    @property
    def left(self) -> int:
        return self.progress.waiting


def own_work(user, project, kind: str) -> list[OwnWork]:
    """The user's own progress in the batches that hold something for them, newest first."""
    batches = list(Batch.objects.assigned_to(user).current().filter(project=project, kind=kind))
    progress = counted(batches, user)
    paused = set(
        BatchAnnotator.objects.filter(batch__in=batches, annotator=user, paused=True).values_list(
            "batch", flat=True
        )
    )
    return [OwnWork(batch, progress[batch.pk], batch.pk in paused) for batch in batches]


def next_own(work: Iterable[OwnWork]) -> OwnWork | None:
    """The oldest open batch in which items are left."""
    waiting = [own for own in work if own.left and own.batch.state == BatchState.OPEN and not own.paused]
    return min(waiting, key=lambda own: own.batch.pk, default=None)


def annotator_progress(batches: Iterable[Batch]) -> dict[int, list[AnnotatorProgress]]:
    """By batch id, every annotator's progress, in the order of their names."""
    rows = (
        Assignment.objects.filter(item__batch__in=[batch.pk for batch in batches], annotator__isnull=False)
        .values("item__batch", "annotator", "annotator__username")
        .annotate(total=Count("pk"), done=Count("pk", filter=ANSWERED))
        .annotate(skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)))
        .annotate(flagged_items=Count("pk", filter=Q(flagged=True)))
        .order_by("annotator__username")
    )
    found: dict[int, list[AnnotatorProgress]] = defaultdict(list)
    for row in rows:
        found[row["item__batch"]].append(
            AnnotatorProgress(
                user_id=row["annotator"],
                username=row["annotator__username"],
                done=row["done"],
                total=row["total"],
                skipped=row["skipped"],
                flagged=row["flagged_items"],
            )
        )
    return found
