"""Extractions of candidate pairs."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Extraction
from corpus.services.dry_run import launch_within_cap
from jobs.api.jobs import JobSerializer
from jobs.api.removal import ArchivedFilter, RemovableEndpoint, listed
from paragold.extraction.kernels import NAMES
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.permissions import check_manage, check_read_corpus


class ExtractionSerializer(serializers.ModelSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")
        read_only_fields = fields


class NewExtractionSerializer(StrictSerializer):
    preset = serializers.CharField(
        max_length=40,
        default=RECOMMENDED,
        help_text=f"{names_with_purposes()}, or a preset that the project saved.",
    )
    settings = serializers.DictField(
        default=dict, help_text="Parameters of the preset to replace, such as max_edit_distance."
    )
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    kernel = serializers.ChoiceField(
        choices=("", *NAMES),
        default="",
        help_text="What measures distances; empty: the fastest that a worker has. The pairs are the same.",
    )
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even when very many pairs are to be expected."
    )


class ExtractionsView(ProjectEndpoint):
    checks = {"GET": check_read_corpus, "POST": check_manage}

    @extend_schema(
        operation_id="extractions_list",
        parameters=[ArchivedFilter],
        responses=ExtractionSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """The extractions of the project, each with its job."""
        chosen = self.filters(ArchivedFilter)
        return self.paged(
            listed(self.project.extractions.select_related("job"), **chosen), ExtractionSerializer
        )

    @extend_schema(request=NewExtractionSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Ask for an extraction. The job is in the ledger at once, whether or not a worker is there."""
        fields = self.body(NewExtractionSerializer)
        extraction = launch_within_cap(project=self.project, by=self.caller, **fields)
        return Response(ExtractionSerializer(extraction).data, status=status.HTTP_201_CREATED)


class ExtractionView(RemovableEndpoint):
    rows = Extraction.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}

    @extend_schema(responses=ExtractionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One extraction, with its job."""
        self.filters()
        return Response(ExtractionSerializer(self.object).data)
