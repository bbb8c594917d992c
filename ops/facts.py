"""What a person may know of a project's state, read once: the next step, the phases and what needs somebody
are made from it.

Counts of other people's answers are for managers, and for adjudicators who do not annotate: an annotator's
page must not change with what others answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from alignment.models import Evaluation, GoldAlignmentSet
from alignment.services.disputes import Disputes, disputes_of
from annotation.models import Batch, BatchAnnotator, BatchKind, Decision, GoldSet, SecondPass
from annotation.services.batch_figures import BatchFigures, batch_figures
from annotation.services.progress import Progress, Waiting, progress_and_days, total, waiting_for
from corpus.models import Article, CorpusImport, Extraction
from corpus.services.characteristics import pairs_of
from jobs.kinds import job_kinds
from jobs.models import ACTIVE, Job, JobState
from projects.models import Project, Removable, Role
from projects.permissions import MANAGERS, READERS, roles_of

DAYS_SHOWN = 30
"""Of the answers a day."""
REMEMBERED = timedelta(days=30)
"""Failures of longer ago need nobody any more."""


class Facts:
    """The state of a project as `user` may know it."""

    def __init__(self, user: Any, project: Project) -> None:
        self.user, self.project = user, project
        self.roles = roles_of(user, project)
        self.manages = bool(self.roles & MANAGERS)
        self.reads = bool(self.roles & READERS)
        self.adjudicates = Role.ADJUDICATOR in self.roles
        self.oversees = self.manages or (self.adjudicates and Role.ANNOTATOR not in self.roles)

    def url(self, view: str, *arguments: object) -> str:
        """The address of one of the project's pages."""
        return reverse(view, args=[self.project.slug, *arguments])

    @cached_property
    def counts(self) -> dict[str, int]:
        project = self.project
        clusters = project.clusters.of_corpus()
        return count_all(
            project,
            clusters=clusters,
            held_out=clusters.filter(held_out=True),
            articles=Article.objects.filter(cluster__project=project, cluster__pair_import=None),
            imported=project.clusters.imported_pairs(),
            gold_sets=project.gold_sets.current(),
            gold_links=project.gold_alignment_sets.current(),
            scores=Evaluation.objects.filter(gold_set__in=project.gold_alignment_sets.current()),
            experiments=project.experiments.current().filter(job__state=JobState.DONE),
            exports=project.exports.current(),
            annotators=project.memberships.filter(
                ~(Exists(takes_part_of(trial=True)) & ~Exists(takes_part_of(trial=False))),
                role=Role.ANNOTATOR,
                user__is_active=True,
            ),
            invited=project.invitations.filter(
                role=Role.ANNOTATOR, uses_left__gt=0, expires_at__gt=timezone.now()
            ),
            adjudicators=project.memberships.filter(role=Role.ADJUDICATOR, user__is_active=True),
        )

    @cached_property
    def pairs(self) -> int:
        return pairs_of(self.project)

    @cached_property
    def decidable(self) -> int:
        """Disputed items that wait for the person's own decision."""
        return sum(len(case.decidable) for case in self.disputes) if self.adjudicates else 0

    @cached_property
    def extractions(self) -> list[Extraction]:
        return list(self.project.extractions.current().select_related("job"))

    @cached_property
    def newest_import(self) -> CorpusImport | None:
        rows = self.project.imports.select_related("job").defer("problems", "sample")
        newest: CorpusImport | None = rows.first()
        return newest

    @cached_property
    def waiting(self) -> list[Waiting]:
        return waiting_for(self.user, self.project) if Role.ANNOTATOR in self.roles else []

    @cached_property
    def disputes(self) -> list[Disputes]:
        if not (self.adjudicates or self.oversees):
            return []
        return disputes_of(self.user, self.project, self.label_figures)

    @cached_property
    def label_figures(self) -> dict[int, BatchFigures]:
        batches = self.project.batches.current().filter(kind=BatchKind.JUDGE)
        return batch_figures(self.user, self.project, batches)

    @cached_property
    def batches(self) -> list[Any]:
        """The newest first, without trials: they count as no work.

        Each has `had_pass`, whether a second pass was begun, `had_decision`, whether an adjudicator decided
        anything, and `frozen`, whether it is part of gold.
        """
        outer = OuterRef("pk")
        gold = Exists(GoldSet.objects.current().filter(batches=outer))
        links = Exists(GoldAlignmentSet.objects.current().filter(batch=outer))
        rows = self.project.batches.current().filter(trial=False).select_related("gold_set")
        return list(
            rows.annotate(
                had_pass=Exists(SecondPass.objects.filter(batch=outer)),
                had_decision=Exists(Decision.objects.filter(item__batch=outer)),
                frozen=gold | links,
            )
        )

    @cached_property
    def _work(self) -> tuple[dict[int, Progress], dict[date, dict[str, int]]]:
        first = timezone.now().date() - timedelta(days=DAYS_SHOWN - 1)
        return progress_and_days(self.batches, first, DAYS_SHOWN) if self.oversees else ({}, {})

    @property
    def answers_by_day(self) -> dict[date, dict[str, int]]:
        """The answers of the last days by kind, today last; empty for people who may not see them."""
        return self._work[1]

    def of_kind(self, kind: str) -> list[Any]:
        return [batch for batch in self.batches if batch.kind == kind]

    def progress_of(self, batch: Batch) -> Progress:
        """Everybody's, for those who oversee the project."""
        return self._work[0][batch.pk]

    def progress(self, kind: str) -> Progress:
        return total([Progress(), *(self.progress_of(batch) for batch in self.of_kind(kind))])

    def undecided(self, kind: str) -> int:
        """Disputed items that wait for a decision, of those that the person may know of."""
        disputes = self.disputes if self.oversees else []
        return sum(len(case.undecided) for case in disputes if case.batch.kind == kind)

    @cached_property
    def active_jobs(self) -> list[Job]:
        return list(self.project.jobs.filter(state__in=ACTIVE).select_related("project").order_by("pk"))

    def days_ago(self, moment: Any) -> int:
        return max(0, (timezone.now() - moment).days)


def remembered_since() -> datetime:
    return timezone.now() - REMEMBERED


def failed_jobs(project: Project, since: datetime | None = None) -> QuerySet[Job]:
    """Jobs that failed lately, or since a moment, the newest first.

    Without those whose object was archived or deleted, and those that a later one of the same kind and title
    has done.
    """
    later = project.jobs.filter(state=JobState.DONE, kind=OuterRef("kind"), title=OuterRef("title"))
    in_use = Q()
    for kind in job_kinds().values():
        made = Job._meta.get_field(kind.made).related_model if kind.made else None
        if made is not None and issubclass(made, Removable):
            in_use &= Q(**{f"{kind.made}__archived_at": None, f"{kind.made}__deleted_at": None})
    return project.jobs.filter(
        in_use,
        ~Exists(later.filter(pk__gt=OuterRef("pk"))),
        state=JobState.FAILED,
        moved_at__gte=since or remembered_since(),
    )


def takes_part_of(*, trial: bool) -> QuerySet[BatchAnnotator]:
    """What makes the person of a membership an annotator of trials of its project, or of other batches; a
    training is neither."""
    return BatchAnnotator.objects.filter(
        annotator=OuterRef("user"),
        batch__project=OuterRef("project"),
        batch__deleted_at=None,
        batch__trial=trial,
        batch__measure="",
    )


class _Count(Subquery):
    """How many rows a query has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def count_all(project: Project, **rows: QuerySet[Any]) -> dict[str, int]:
    """How many rows each of the queries has, by its name; all of them in one query."""
    numbers = _counting(project, rows).get()
    return dict(zip(rows, numbers, strict=True))


def _counting(project: Project, rows: Mapping[str, QuerySet[Any]]) -> Any:
    counts = [_Count(query.order_by().values("pk")) for query in rows.values()]
    return Project.everything.filter(pk=project.pk).order_by().values_list(*counts)


# They stand for the project's number and the moment in a statement that is kept; nothing else is like them.
_SOME_PROJECT, _SOME_MOMENT = -2_140_000_123, datetime(1903, 7, 9, tzinfo=UTC)


class KeptCounts:
    """As `count_all`, of queries that depend on the project and a moment alone: the statement is written
    once, since Django takes longer to write it than the database to answer it."""

    def __init__(self, rows: Callable[[Project, datetime], Mapping[str, QuerySet[Any]]]) -> None:
        self._rows = rows
        self._kept: dict[str, tuple[list[str], str, tuple[Any, ...]]] = {}

    def of(self, project: Project, moment: datetime) -> dict[str, int]:
        if connection.vendor not in self._kept:
            some = Project(pk=_SOME_PROJECT)
            rows = self._rows(some, _SOME_MOMENT)
            self._kept[connection.vendor] = [*rows], *_counting(some, rows).query.sql_with_params()
        names, statement, parameters = self._kept[connection.vendor]
        adapted = connection.ops.adapt_datetimefield_value
        now = {_SOME_PROJECT: project.pk, adapted(_SOME_MOMENT): adapted(moment)}
        with connection.cursor() as cursor:
            cursor.execute(statement, [now.get(value, value) for value in parameters])
            return dict(zip(names, cursor.fetchone(), strict=True))
