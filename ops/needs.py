"""What needs somebody: own work, disputes, failures, people who stopped, aligners that are out of date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Exists, Max, OuterRef
from django.urls import reverse
from django.utils import timezone

from alignment.services.trained_aligners.stored import PREFIX, chosen
from annotation.models import Assignment, BatchKind, BatchState
from annotation.models.item import takes_part
from annotation.services.progress import held
from corpus.models import CorpusImport, ImportState
from jobs.kinds import job_kind
from ops.facts import Facts, failed_jobs
from ops.next_step import TASKS, disputes_url, own_actions
from projects.errors import PublicError
from projects.listings import many

IDLE_DAYS = 3
SHOWN = 5
REASON = 90
"""Letters of a job's error that are shown."""


@dataclass(frozen=True, slots=True)
class Need:
    """What needs somebody, where to see to it, and how old or how much it is."""

    text: str
    url: str
    detail: str = ""


def needs_of(facts: Facts) -> list[Need]:
    """What waits for the person, of managers also what the project needs of anybody."""
    needs = [Need(action.label, action.url, "assigned to you") for action in own_actions(facts.waiting)]
    needs += _disputes(facts)
    if facts.manages:
        for needs_of_kind in (_imports, _failed_jobs, _idle_annotators, _stale_suggesters):
            needs += needs_of_kind(facts)
    return needs


def age(days: int, ago: str = "") -> str:
    return f"{many(days, 'day')}{ago}" if days else "today"


def _disputes(facts: Facts) -> Iterator[Need]:
    """Disputes that the person may decide; for managers also those that wait for somebody else."""
    waiting = [(one, one.undecided if facts.manages else one.decidable) for one in facts.disputes]
    disputed = {item for _, items in waiting for item in items}
    if not disputed:
        return
    batches = [disputes.batch.pk for disputes, items in waiting if items]
    answered = Assignment.objects.filter(item__batch__in=batches).order_by().values_list("item")
    since = {item: at for item, at in answered.annotate(at=Max("answered_at")) if item in disputed and at}
    for disputes, items in waiting:
        if not items:
            continue
        things = many(len(items), TASKS[BatchKind(disputes.batch.kind)].disputed)
        oldest = min((since[item] for item in items if item in since), default=None)
        details = [f"oldest {age(facts.days_ago(oldest))}"] if oldest else []
        if not disputes.decidable:
            whom = "an adjudicator" if facts.counts["adjudicators"] else "an adjudicator: add one"
            details.append(f"waiting for {whom}")
        yield Need(f"{things} in {disputes.batch}", disputes_url(disputes.batch), "; ".join(details))


def _imports(facts: Facts) -> Iterator[Need]:
    """Files that were checked or refused, and then left."""
    rows: list[CorpusImport] = list(
        facts.project.imports.filter(state__in=[ImportState.CHECKED, ImportState.REFUSED])[:SHOWN]
    )
    for source in rows:
        checked = source.state == ImportState.CHECKED
        yield Need(
            f"{source.filename} {'is checked, not stored' if checked else 'was refused'}",
            reverse("import", args=[facts.project.slug, source.pk]),
            "store or discard it" if checked else "see what is wrong",
        )


def _failed_jobs(facts: Facts) -> Iterator[Need]:
    for job in failed_jobs(facts.project).select_related("project")[:SHOWN]:
        reason = job.error if len(job.error) <= REASON else f"{job.error[: REASON - 1]}…"
        yield Need(f"Failed: {job.title}", job_kind(job.kind).page_of(job), reason)


def _idle_annotators(facts: Facts) -> Iterator[Need]:
    """People who hold items of open batches and have not answered for IDLE_DAYS, nor got any since."""
    batches = [batch.pk for batch in facts.batches if batch.state == BatchState.OPEN]
    places = Assignment.objects.filter(item__batch__in=batches, annotator__isnull=False).order_by()
    paused = takes_part(OuterRef("annotator"), "item__batch").filter(paused=True)
    holders = (
        places.filter(held())
        .exclude(Exists(paused))
        .values_list("annotator", "annotator__username")
        .annotate(items=Count("pk"), drawn=Max("item__batch__created_at"))
        .order_by("annotator__username")
    )
    stopped = [row for row in holders if row[-1] < timezone.now() - timedelta(days=IDLE_DAYS)]
    people = places.filter(annotator__in=[pk for pk, *_ in stopped]).values_list("annotator")
    latest = dict(people.annotate(answered=Max("answered_at"))) if stopped else {}
    url = reverse("progress", args=[facts.project.slug])
    for pk, username, items, drawn in stopped:
        answered = latest[pk]
        if answered is None or answered < timezone.now() - timedelta(days=IDLE_DAYS):
            since = f"since {answered:%Y-%m-%d}" if answered else f"yet, drawn {drawn:%Y-%m-%d}"
            yield Need(f"{username} has not answered {since}", url, f"{many(items, 'item')} held")


def _stale_suggesters(facts: Facts) -> Iterator[Need]:
    """Aligners that suggest links in an open batch and learned from gold links, but not the newest ones."""
    newest = facts.project.gold_alignment_sets.current().first()
    for batch in facts.of_kind(BatchKind.LINK):
        if newest is None or batch.state != BatchState.OPEN or not batch.suggester.startswith(f"{PREFIX}:"):
            continue
        try:
            aligner = chosen(facts.project, batch.suggester)
        except PublicError:
            continue
        if aligner.learns_from_gold and newest.frozen_at > aligner.created_at:
            yield Need(
                f"{newest} is newer than {aligner}, which suggests links in {batch}",
                reverse("aligner", args=[facts.project.slug, aligner.pk]),
                "train again",
            )
