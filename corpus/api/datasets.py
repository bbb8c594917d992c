"""Datasets, frozen selections of candidate pairs: one, several presets at once, and how they compare."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Dataset, HeldOut
from corpus.services.datasets import freeze_dataset
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    IdField,
    ListField,
    RowSerializer,
    StrictSerializer,
    rows_with_ids,
)
from projects.permissions import check_manage, check_read_corpus


class DatasetSerializer(RowSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = (
            "id", "name", "held_out", "criteria", "refined_from", "refinement", "size", "signature",
            "extractions", "created_at", "archived_at",
        )  # fmt: skip


class NewDatasetSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80)
    extractions = ListField(child=IdField(), allow_empty=False, max_length=100)
    held_out = serializers.ChoiceField(choices=HeldOut.choices, default=HeldOut.ALL)
    criteria = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Criteria for pairs, such as max_edit_distance; see docs/extraction.md.",
    )


@extend_schema_view(get=extend_schema(operation_id="datasets_list"))
class DatasetsView(RemovableListEndpoint):
    """The datasets of the project."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = Dataset.objects.prefetch_related("extractions")
    serializer_class = DatasetSerializer

    @extend_schema(request=NewDatasetSerializer, responses={201: DatasetSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Freeze pairs of finished extractions. The same selection and name returns the existing one."""
        fields: dict[str, Any] = self.body(NewDatasetSerializer)
        chosen = self.project.extractions.select_related("job")
        fields["extractions"] = rows_with_ids(chosen, fields["extractions"], field="extractions")
        unfinished = [extraction.name for extraction in fields["extractions"] if not extraction.finished]
        if unfinished:
            raise ValidationError({"extractions": [f"Not finished yet: {', '.join(unfinished)}."]})
        return self.created(DatasetSerializer, freeze_dataset(project=self.project, **fields))


class DatasetView(RemovableEndpoint):
    """One dataset."""

    rows = Dataset.objects.prefetch_related("extractions")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = DatasetSerializer
