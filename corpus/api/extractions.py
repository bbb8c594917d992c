"""Extractions of candidate pairs, by presets or by matching."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Extraction
from corpus.services.extraction import launch_extraction
from corpus.services.presets import NAME_LENGTH
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    RowSerializer,
    StrictSerializer,
)
from projects.permissions import check_manage, check_read_corpus


class ExtractionSerializer(RowSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")


class NewExtractionSerializer(StrictSerializer):
    preset = serializers.CharField(
        max_length=NAME_LENGTH,
        default=RECOMMENDED,
        help_text=f"{names_with_purposes()}, or a preset that the project saved.",
    )
    settings = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Parameters of the preset to replace, such as max_edit_distance.",
    )
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even if very many pairs are expected."
    )


@extend_schema_view(get=extend_schema(operation_id="extractions_list"))
class ExtractionsView(RemovableListEndpoint):
    """The extractions of the project, each with its job."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = Extraction.objects.select_related("job")
    serializer_class = ExtractionSerializer

    @extend_schema(request=NewExtractionSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Launch an extraction. The job is stored at once, even if no worker is running."""
        fields = self.body(NewExtractionSerializer)
        extraction = launch_extraction(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


class ExtractionView(RemovableEndpoint):
    """One extraction, with its job."""

    rows = Extraction.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = ExtractionSerializer
