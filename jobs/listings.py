"""The jobs of a project as a long list."""

from __future__ import annotations

from typing import Any

from django.db.models.functions import Coalesce
from django_filters import ChoiceFilter

from jobs.kinds import job_kind, job_kinds
from jobs.models import JobState
from jobs.services.ledger import cancel_job, retry_job
from projects.listings import Action, ListFilters, Listing, SortFilter, TextFilter, each
from projects.models import Project


def _kinds() -> list[tuple[str, str]]:
    return [(kind.name, kind.label) for kind in job_kinds().values()]


class JobFilters(ListFilters):
    q = TextFilter(label="Title", field_name="title", lookup_expr="icontains")
    kind = ChoiceFilter(label="Kind", choices=_kinds, empty_label="any kind")
    state = ChoiceFilter(label="State", choices=JobState.choices, empty_label="any state")
    sort = SortFilter({"id": "pk", "title": "title", "ended": "ended"})


def jobs_of(user: Any, project: Project) -> Any:
    return project.jobs.select_related("requested_by", "project").annotate(
        ended=Coalesce("finished_at", "requested_at")
    )


JOBS = Listing(
    name="jobs",
    noun="job",
    rows=jobs_of,
    filters=JobFilters,
    actions=(
        Action("cancel", "Cancel", "cancelled", each(lambda job, by: cancel_job(job=job))),
        Action("retry", "Resume", "resumed", each(lambda job, by: retry_job(job=job))),
    ),
    head=("job", "kind", "title", "state", "done", "total", "requested", "started", "finished", "error"),
    cells=lambda project, rows: (
        (
            *(row.pk, job_kind(row.kind).label, row.title, row.state, row.done, row.total),
            *(at.isoformat() if at else "" for at in (row.requested_at, row.started_at, row.finished_at)),
            row.error,
        )
        for row in rows
    ),
)
