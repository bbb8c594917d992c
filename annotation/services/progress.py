"""How far batches are: one person's own work, everybody's, and what waits for whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, Q
from django.utils import timezone

from annotation.models import Assignment, AssignmentState, Batch, BatchAnnotator, BatchState, HandingOut
from annotation.models.item import takes_part
from projects.models import Membership, Project, Role

# One statement, and not put together anew by Django each time: this is asked for with every answer, while the
# answer's transaction holds up the other writers of SQLite.
OWN_FIGURES = """
SELECT COUNT(mine.id), COUNT(mine.id) FILTER (WHERE mine.state <> 'open'),
    COUNT(mine.id) FILTER (WHERE mine.state = 'skipped'),
    COUNT(look.id), COUNT(look.id) FILTER (WHERE look.label <> ''),
    EXISTS (SELECT 1 FROM annotation_secondpass WHERE batch_id = %(batch)s AND ended_at IS NULL)
FROM annotation_item item
JOIN annotation_assignment mine ON mine.item_id = item.id AND mine.annotator_id = %(annotator)s
LEFT JOIN annotation_secondlook look ON look.assignment_id = mine.id
WHERE item.batch_id = %(batch)s
"""
# What is left to take is the same as in leasing.py: unanswered places that nobody has, or holds no longer.
LEFT_TO_TAKE = """
SELECT settled.quota, settled.paused, (SELECT COUNT(*) FROM annotation_item WHERE batch_id = %(batch)s),
    EXISTS (
        SELECT 1 FROM annotation_item item JOIN annotation_assignment place ON place.item_id = item.id
        WHERE item.batch_id = %(batch)s AND place.state = 'open' AND place.version = 0
        AND (place.annotator_id IS NULL OR place.leased_until < %(now)s)
        AND NOT EXISTS (
            SELECT 1 FROM annotation_assignment mine
            WHERE mine.item_id = item.id AND mine.annotator_id = %(annotator)s
        )
    )
FROM annotation_batchannotator settled
WHERE settled.batch_id = %(batch)s AND settled.annotator_id = %(annotator)s
"""


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """`done` are answered or skipped, `skipped` of them skipped, of `total`."""

    done: int
    skipped: int
    total: int
    paused: bool


def own_progress(batch: Batch, user: Any) -> OwnProgress:
    """The user's progress in a batch; while its second pass runs, in that.

    Where items are taken as people come, `total` is the quota, or all items of the batch, while there is
    something left to take, and then what was taken: how fast others are does not show before the end.
    """
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    names = {"batch": batch.pk, "annotator": user.pk, "now": now}
    with connection.cursor() as cursor:
        cursor.execute(OWN_FIGURES, names)
        total, done, skipped, looks, looked, second_pass_runs = cursor.fetchone()
        cursor.execute(LEFT_TO_TAKE, names)
        quota, paused, size, left_to_take = cursor.fetchone() or (None, False, 0, False)
    if second_pass_runs:
        return OwnProgress(looked, 0, looks, bool(paused))
    takes = batch.handing_out == HandingOut.AS_THEY_COME and batch.state == BatchState.OPEN and not paused
    if takes and left_to_take and (quota is None or quota > total):
        total = size if quota is None else min(quota, size)
    return OwnProgress(done, skipped, total, bool(paused))


@dataclass(frozen=True, slots=True)
class Progress:
    """Answers of a batch, or of several, by everybody or by one annotator.

    `answered` were given or skipped; `left` are waited for. `missing` are open and not waited for: of them
    `withheld` until a running second pass ends, the others because the batch is closed. `looks` are the
    answers that a running second pass shows once more, `looked` those of them that were decided again.
    """

    answered: int = 0
    left: int = 0
    missing: int = 0
    withheld: int = 0
    looks: int = 0
    looked: int = 0

    @property
    def wanted(self) -> int:
        return self.answered + self.left

    @property
    def places(self) -> int:
        """All that were asked for when the batch was drawn."""
        return self.wanted + self.missing

    @property
    def waiting(self) -> int:
        """What annotators still have to do: answers, and in a second pass looks."""
        return self.left + self.looks - self.looked

    @property
    def complete(self) -> bool:
        """Nothing is open, whether it is waited for or not."""
        return not (self.left or self.missing)

    def __add__(self, other: Progress) -> Progress:
        return Progress(
            self.answered + other.answered,
            self.left + other.left,
            self.missing + other.missing,
            self.withheld + other.withheld,
            self.looks + other.looks,
            self.looked + other.looked,
        )


def progress_of(batch: Any) -> Progress:
    """Everybody's progress in a batch that `with_progress` has counted."""
    return _progress(batch, batch.answered, batch.unanswered, batch.looks, batch.looked)


def own_progress_of(batch: Any, user: Any) -> Progress:
    """The user's own progress in a batch that `with_own_progress(user)` has counted.

    Where items are taken as people come, what the user may still take is left as well.
    """
    own = _progress(batch, batch.own_answered, batch.own_unanswered, batch.own_looks, batch.own_looked)
    takes = batch.handing_out == HandingOut.AS_THEY_COME and batch.state == BatchState.OPEN
    if takes and not batch.second_pass_runs:
        left = own_progress(batch, user).total - own.answered
        return Progress(answered=own.answered, left=max(left, 0))
    return own


def counted(batches: Sequence[Batch], user: Any = None) -> dict[int, Progress]:
    """By batch id, everybody's progress, or the user's own, of batches that were not counted yet."""
    rows: Any = Batch.objects.filter(pk__in=[batch.pk for batch in batches]).order_by()
    if user is None:
        return {batch.pk: progress_of(batch) for batch in rows.with_progress()}
    return {batch.pk: own_progress_of(batch, user) for batch in rows.with_own_progress(user)}


def total(parts: Iterable[Progress]) -> Progress:
    return sum(parts, Progress())


def _progress(batch: Any, answered: int, unanswered: int, looks: int, looked: int) -> Progress:
    if batch.state != BatchState.OPEN:
        return Progress(answered=answered, missing=unanswered)
    if batch.second_pass_runs:
        return Progress(
            answered=answered, missing=unanswered, withheld=unanswered, looks=looks, looked=looked
        )
    return Progress(answered=answered, left=unanswered)


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
