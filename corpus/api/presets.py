"""Presets: those of the papers, and those that a project saved."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.generics import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import ProjectPreset
from corpus.services.presets import NAME_LENGTH, delete_preset, save_preset
from paragold.extraction.presets import PRESETS
from projects.api.endpoint import Endpoint, ListEndpoint, ProjectEndpoint
from projects.api.serializers import StrictSerializer, WholeListSerializer
from projects.permissions import check_manage, check_read_corpus


class PresetSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    source = serializers.CharField(help_text="Where it is described.")  # type: ignore[assignment]  # a field of that name, not the framework's setting
    description = serializers.CharField()
    purpose = serializers.CharField(help_text="recommended, replication (of a paper's corpus), or empty.")
    criteria = serializers.DictField()


class PresetListSerializer(WholeListSerializer):
    items = PresetSerializer(many=True)


class PresetsView(Endpoint):
    @extend_schema(operation_id="presets_list", responses=PresetListSerializer)
    def get(self, request: Request) -> Response:
        """The named criteria of the papers, open to change by `settings` of an extraction."""
        self.filters()
        presets = [
            {
                "name": preset.name,
                "source": preset.source,
                "description": preset.description,
                "purpose": preset.purpose,
                "criteria": preset.criteria.settings(),
            }
            for preset in PRESETS.values()
        ]
        return Response({"items": presets, "next": None})


class ProjectPresetSerializer(serializers.ModelSerializer[ProjectPreset]):
    """`base` is the preset of the papers that it was made from; `criteria` are all parameters."""

    class Meta:
        model = ProjectPreset
        fields = ("id", "name", "base", "criteria", "created_at")
        read_only_fields = fields


class NewPresetSerializer(StrictSerializer):
    name = serializers.CharField(max_length=NAME_LENGTH)
    preset = serializers.CharField(max_length=NAME_LENGTH, help_text="The preset to begin with.")
    settings = serializers.DictField(
        default=dict, help_text="Parameters of that preset to replace, such as max_edit_distance."
    )


@extend_schema_view(get=extend_schema(operation_id="project_presets_list"))
class ProjectPresetsView(ListEndpoint):
    """The presets that the project saved; an extraction takes them by name, as those of the papers."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = ProjectPreset.objects.all()
    serializer_class = ProjectPresetSerializer

    @extend_schema(request=NewPresetSerializer, responses={201: ProjectPresetSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Save a preset. It never changes: another set of parameters needs another name."""
        saved = save_preset(project=self.project, by=self.caller, **self.body(NewPresetSerializer))
        return Response(ProjectPresetSerializer(saved).data, status=status.HTTP_201_CREATED)


class ProjectPresetView(ProjectEndpoint):
    checks = {"DELETE": check_manage}

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a preset. Extractions keep the parameters that they were made with."""
        delete_preset(preset=get_object_or_404(self.project.presets, pk=pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
