"""How far the work is and how fast it goes, for managers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import BatchKind
from annotation.services.throughput import project_work
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.permissions import check_manage


class WorkSerializer(serializers.Serializer[Any]):
    """Answers, on how many days; hours on the screen, at most 5 minutes for each. Rates may be null."""

    answers = serializers.IntegerField()
    days = serializers.IntegerField()
    hours = serializers.FloatField()
    per_day = serializers.FloatField(allow_null=True)
    per_hour = serializers.FloatField(allow_null=True)


class BatchWorkSerializer(serializers.Serializer[Any]):
    batch = serializers.IntegerField(source="batch.pk")
    wanted = serializers.IntegerField()
    answered = serializers.IntegerField()
    left = serializers.IntegerField()
    missing = serializers.IntegerField(
        help_text="Open and not waited for: the batch is closed, or its second pass runs."
    )
    skipped = serializers.IntegerField()
    flagged = serializers.IntegerField()


class PersonWorkSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    left = serializers.IntegerField()
    skipped = serializers.IntegerField()
    flagged = serializers.IntegerField()
    work = WorkSerializer()


class DayWorkSerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    answers = serializers.IntegerField()
    people = serializers.IntegerField()


class ProjectWorkSerializer(serializers.Serializer[Any]):
    """Imported answers count as done, not as work."""

    left = serializers.IntegerField()
    days_left = serializers.FloatField(allow_null=True, help_text="At the pace so far.")
    total = WorkSerializer()
    batches = BatchWorkSerializer(many=True)
    people = PersonWorkSerializer(many=True)
    days = DayWorkSerializer(many=True)


class WorkFilters(StrictSerializer):
    kind = serializers.ChoiceField(choices=BatchKind.choices, default=BatchKind.JUDGE)


class WorkView(ProjectEndpoint):
    checks = {"GET": check_manage}

    @extend_schema(operation_id="work_retrieve", parameters=[WorkFilters], responses=ProjectWorkSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """What is done, by whom, how fast, and what is left."""
        work = project_work(self.project, self.filters(WorkFilters)["kind"])
        return Response(ProjectWorkSerializer(work).data)
