"""Several datasets at once: presets that are chosen out of what one extraction found."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import HeldOut
from corpus.services.datasets import freeze_presets
from corpus.services.presets import NAME_LENGTH
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, found
from projects.permissions import check_manage

from .pairs import DatasetSerializer


class NewPresetDatasetsSerializer(StrictSerializer):
    extraction = IdField()
    presets = serializers.ListField(
        child=serializers.CharField(max_length=NAME_LENGTH), allow_empty=False, max_length=100
    )
    held_out = serializers.ListField(
        child=serializers.ChoiceField(choices=HeldOut.choices),
        default=[HeldOut.ALL],
        allow_empty=False,
        max_length=3,
        help_text="A dataset for each: all, only (held-out clusters), rest.",
    )


class PresetDatasetsSerializer(serializers.Serializer[Any]):
    items = DatasetSerializer(many=True)


class PresetDatasetsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewPresetDatasetsSerializer, responses={201: PresetDatasetsSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Freeze presets, such as L12, F2 and F3 out of candidates-2005: all of them or none."""
        fields = self.body(NewPresetDatasetsSerializer)
        chosen = self.project.extractions.select_related("job", "project")
        [extraction] = found(chosen, [fields.pop("extraction")], field="extraction")
        frozen = freeze_presets(extraction=extraction, **fields)
        answer = {"items": DatasetSerializer(frozen, many=True).data}
        return Response(answer, status=status.HTTP_201_CREATED)
