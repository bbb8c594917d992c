"""Long work: how far it is, stopping it, taking it up again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jobs.listings import JOBS
from jobs.models import Job
from jobs.services.ledger import cancel_job, retry_job
from jobs.services.liveness import standing
from projects.api.endpoint import DetailEndpoint, ListingEndpoint, ObjectEndpoint
from projects.api.serializers import RowSerializer
from projects.permissions import check_manage, check_read_corpus


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


@extend_schema_view(get=extend_schema(operation_id="jobs_list"))
class JobsView(ListingEndpoint):
    """The jobs of the project."""

    listing = JOBS
    checks = {"GET": check_read_corpus}
    serializer_class = JobSerializer


class JobView(DetailEndpoint):
    """State, progress, rate and counts of a job."""

    rows = Job.objects.all()
    checks = {"GET": check_read_corpus}
    serializer_class = JobSerializer


class JobCancelView(ObjectEndpoint):
    rows = Job.objects.all()
    checks = {"POST": check_manage}

    @extend_schema(request=None, responses=JobSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop a waiting or running job."""
        return Response(JobSerializer(cancel_job(job=self.object)).data)


class JobRetryView(ObjectEndpoint):
    rows = Job.objects.all()
    checks = {"POST": check_manage}

    @extend_schema(request=None, responses=JobSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Resume a failed or cancelled job where it stopped."""
        return Response(JobSerializer(retry_job(job=self.object)).data)
