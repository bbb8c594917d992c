"""How far the work of a project is and how fast it goes: by batch, by person, by day."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Least, TruncDate

from annotation.models import Assignment, AssignmentState, Batch, BatchState
from projects.models import Project

from .batch_progress import Progress
from .batch_progress import counted as batches_progress

# Whoever looks at an item for longer has left the page: no more of it counts as work.
LONGEST_LOOK_MILLISECONDS = 5 * 60 * 1000
ANSWERED = ~Q(state=AssignmentState.OPEN)
# The fields of `Work`; time in milliseconds.
FIGURES = {
    "given": Count("pk"),
    "worked_days": Count(TruncDate("answered_at"), distinct=True),
    "timed": Count("pk", filter=Q(milliseconds__gt=0)),
    "spent": Sum(Least("milliseconds", LONGEST_LOOK_MILLISECONDS)),
}


@dataclass(frozen=True, slots=True)
class Work:
    """Answers, the days on which there were any, and the hours that were spent on the `timed` ones."""

    answers: int = 0
    days: int = 0
    timed: int = 0
    hours: float = 0.0

    @property
    def per_day(self) -> float | None:
        return self.answers / self.days if self.days else None

    @property
    def per_hour(self) -> float | None:
        return self.timed / self.hours if self.hours else None


@dataclass(frozen=True, slots=True)
class PersonWork:
    """One annotator's work; `left` is what the person holds and still has to do, as in `Progress.waiting`."""

    user_id: int
    username: str
    work: Work
    left: int
    skipped: int
    flagged: int
    latest: Any


@dataclass(frozen=True, slots=True)
class BatchWork:
    """The progress of a batch, and how many answers were skipped or flagged."""

    batch: Batch
    progress: Progress
    skipped: int
    flagged: int

    @property
    def wanted(self) -> int:
        return self.progress.wanted

    @property
    def answered(self) -> int:
        return self.progress.answered

    @property
    def missing(self) -> int:
        return self.progress.missing

    @property
    def left(self) -> int:
        return self.progress.waiting


@dataclass(frozen=True, slots=True)
class DayWork:
    day: date
    answers: int
    people: int


@dataclass(frozen=True, slots=True)
class ProjectWork:
    batches: list[BatchWork]
    people: list[PersonWork]
    days: list[DayWork]
    total: Work

    @property
    def left(self) -> int:
        return sum(row.left for row in self.batches)

    @property
    def days_left(self) -> float | None:
        """How many days like those so far what is left takes; None before the first."""
        return self.left / self.total.per_day if self.total.per_day else None


def project_work(project: Project, kind: str) -> ProjectWork:
    """The work on a project's batches of a kind. What was imported was not worked out here: it is not counted
    as throughput, only as done. An answer counts on the day it was given last. Archived batches are left
    out."""
    of_kind = Batch.objects.current().filter(project=project, kind=kind)
    every = Assignment.objects.filter(item__batch__in=of_kind.order_by().values("pk")).order_by()
    here = every.filter(ANSWERED, item__batch__corpus_import=None)
    by_person = {key: _work(*figures) for key, *figures in here.values_list("annotator").annotate(**FIGURES)}
    days: dict[date, list[int]] = defaultdict(list)
    rows = here.values_list(TruncDate("answered_at"), "annotator").annotate(given=Count("pk"))
    for day, _, given in rows:
        days[day].append(given)
    return ProjectWork(
        batches=_batches(list(of_kind), every),
        people=_people(every, by_person),
        days=[DayWork(day, sum(counts), len(counts)) for day, counts in sorted(days.items())],
        total=_work(*here.aggregate(**FIGURES).values()),
    )


def _work(given: int, days: int, timed: int, spent: int | None) -> Work:
    return Work(answers=given, days=days, timed=timed, hours=(spent or 0) / 3_600_000)


def _batches(batches: list[Batch], every: QuerySet[Assignment]) -> list[BatchWork]:
    rows = every.values_list("item__batch").annotate(
        skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
        flags=Count("pk", filter=Q(flagged=True)),
    )
    found = {pk: counts for pk, *counts in rows}
    progress = batches_progress(batches)
    return [BatchWork(batch, progress[batch.pk], *found.get(batch.pk, (0, 0))) for batch in batches]


def _people(every: QuerySet[Assignment], work: dict[int, Work]) -> list[PersonWork]:
    second = Q(item__batch__second_pass__isnull=False, item__batch__second_pass__ended_at=None)
    looks = second & Q(second_look__label="")
    still = Q(item__batch__state=BatchState.OPEN) & (looks | Q(state=AssignmentState.OPEN) & ~second)
    rows = (
        every.filter(annotator__isnull=False)
        .values_list("annotator", "annotator__username")
        .annotate(
            left=Count("pk", filter=still),
            skipped=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
            flags=Count("pk", filter=Q(flagged=True)),
            latest=Max("answered_at"),
        )
        .order_by("annotator__username")
    )
    return [
        PersonWork(pk, username, work.get(pk, Work()), left, skipped, flagged, latest)
        for pk, username, left, skipped, flagged, latest in rows
    ]
