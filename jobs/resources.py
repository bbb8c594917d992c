"""Jobs as a resource: how far long work is, stopping it, taking it up again."""

from __future__ import annotations

from typing import Any

from django.db.models.functions import Coalesce
from django.template.defaultfilters import floatformat, truncatechars
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop as _
from django_filters import ChoiceFilter
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jobs.kinds import job_kind, job_kinds
from jobs.models import Job, JobState
from jobs.services.ledger import cancel_job, retry_job
from jobs.services.liveness import standing
from projects.api.serializers import RowSerializer
from projects.columns import Column, Link, Quiet, number
from projects.interface_language import in_language
from projects.listings import Action, ListFilters, ListPage, Resource, SortFilter, TextFilter, each


class AheadSerializer(serializers.Serializer[Any]):
    """A job that keeps the workers busy: its title, or "work in other projects"."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    seconds_left = serializers.FloatField(allow_null=True)


class JobSerializer(RowSerializer[Job]):
    """`done` of `total` units (such as clusters); `rate` in units a second; null before it is known.

    `interrupted`: its worker ended; another takes over soon. `waiting_behind`: the jobs that keep all
    workers busy while this job waits; empty otherwise.
    """

    interrupted = serializers.BooleanField()
    waiting_behind = serializers.SerializerMethodField()
    seconds = serializers.FloatField(allow_null=True)
    seconds_left = serializers.FloatField(allow_null=True)
    rate = serializers.FloatField(allow_null=True)

    class Meta:
        model = Job
        fields = (
            "id", "kind", "title", "state", "total", "done", "rate", "seconds", "seconds_left", "interrupted",
            "waiting_behind", "counts", "error", "parameters", "signature", "requested_at", "started_at",
            "finished_at",
        )  # fmt: skip

    @extend_schema_field(AheadSerializer(many=True))
    def get_waiting_behind(self, job: Job) -> list[dict[str, Any]]:
        return standing(job).ahead


def _kinds() -> list[tuple[str, Any]]:
    return in_language((kind.name, kind.label) for kind in job_kinds().values())


class JobFilters(ListFilters):
    q = TextFilter(label=_("Title"), field_name="title", lookup_expr="icontains")
    kind = ChoiceFilter(label=_("Kind"), choices=_kinds, empty_label=_("any kind"))
    state = ChoiceFilter(label=_("State"), choices=in_language(JobState.choices), empty_label=_("any state"))
    sort = SortFilter({"id": "pk", "title": "title", "ended": "ended"})


def state_of(job: Job) -> SafeString:
    """How a page says how far a job is."""
    return SafeString(render_to_string("jobs/_state.html", {"job": job}))


def _state(job: Job) -> tuple[Any, ...]:
    counts = {name: floatformat(count, "0g") for name, count in job.counts.items()}
    changed = job.kind == "list-action" and counts
    return (
        state_of(job),
        Quiet("{changed} changed, {left_unchanged} left unchanged".format(**counts)) if changed else None,
        Quiet(truncatechars(job.error, 160)) if job.error else None,
    )


JOBS = Resource(
    name="jobs",
    noun="job",
    objects=Job.objects.select_related("requested_by", "project").annotate(
        ended=Coalesce("finished_at", "requested_at")
    ),
    filters=JobFilters,
    serializer=JobSerializer,
    page=ListPage(
        _("Jobs"),
        _("Work that runs in the background: who asked for it, how far it is, and what went wrong."),
        above=("project", _("Overview")),
        empty=(
            _("There are no jobs yet"),
            _(
                "Imports, extractions, trainings, experiments and exports are listed here while they run and "
                "afterwards."
            ),
        ),
    ),
    order="-id",
    actions=(
        Action("cancel", _("Cancel"), _("cancelled"), each(lambda job, by: cancel_job(job=job))),
        Action("retry", _("Resume"), _("resumed"), each(lambda job, by: retry_job(job=job))),
    ),
    columns=(
        Column(_("Job"), lambda job: Link(job.title or job.kind, job_kind(job.kind).page_of(job)), "title"),
        Column(_("Kind"), lambda job: gettext(job_kind(job.kind).label)),
        Column(_("State"), _state),
        number(
            _("Done"), lambda job: f"{job.done:,} of {job.total:,} {job.parameters.get('units', 'clusters')}"
        ),
        Column(_("By"), lambda job: job.requested_by.username if job.requested_by else "command"),
        number(_("Requested"), "requested_at", "id"),
        number(_("Ended"), "finished_at", "ended"),
    ),
)
