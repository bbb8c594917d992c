"""Extractions of candidate pairs, by presets or by matching."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view

from corpus.models import Extraction
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.serializers import (
    RowSerializer,
)
from projects.permissions import check_manage, check_read_corpus


class ExtractionSerializer(RowSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")


@extend_schema_view(get=extend_schema(operation_id="extractions_list"))
class ExtractionsView(RemovableListEndpoint):
    """The extractions of the project, each with its job."""

    checks = {"GET": check_read_corpus}
    rows = Extraction.objects.select_related("job")
    serializer_class = ExtractionSerializer


class ExtractionView(RemovableEndpoint):
    """One extraction, with its job."""

    rows = Extraction.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = ExtractionSerializer
