"""Datasets, frozen selections of candidate pairs: one, several presets at once, and how they compare."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import HeldOut
from corpus.resources import DATASETS, DatasetSerializer
from corpus.services.datasets import freeze_dataset
from projects.api.endpoint import ResourceList
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    IdField,
    ListField,
    StrictSerializer,
    rows_with_ids,
)


class NewDatasetSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80)
    extractions = ListField(child=IdField(), allow_empty=False, max_length=100)
    held_out = serializers.ChoiceField(choices=HeldOut.choices, default=HeldOut.ALL)
    criteria = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Criteria for pairs, such as max_edit_distance; see docs/extraction.md.",
    )


class DatasetsView(ResourceList):
    resource = DATASETS

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
