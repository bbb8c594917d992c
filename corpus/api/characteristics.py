"""Characteristics of datasets and how they overlap."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.characteristics import characteristics, overlaps
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer, WholeListSerializer, found
from projects.permissions import check_read_corpus

DATASETS_AT_MOST = 8


class CharacteristicsFilters(StrictSerializer):
    datasets = serializers.RegexField(
        r"\A[0-9]{1,18}(,[0-9]{1,18})*\Z",
        max_length=200,
        required=False,
        help_text="Ids of datasets, separated by commas, 8 at most; the latest without it.",
    )


class DatasetCharacteristicsSerializer(serializers.Serializer[Any]):
    """Distances, lengths and shared words in tokens; without a pair the numbers are 0."""

    dataset = serializers.IntegerField()
    name = serializers.CharField()
    pairs = serializers.IntegerField()
    clusters = serializers.IntegerField()
    distance_least = serializers.IntegerField()
    distance_greatest = serializers.IntegerField()
    distance_mean = serializers.FloatField()
    position_greatest = serializers.IntegerField(help_text="Latest sentence in its article, from 0.")
    shortest = serializers.IntegerField()
    longest = serializers.IntegerField()
    length_mean = serializers.FloatField()
    ratio_least = serializers.FloatField(help_text="Shorter / longer length.")
    shared_least = serializers.IntegerField()
    shared_greatest = serializers.IntegerField()
    shared_mean = serializers.FloatField()


class OverlapSerializer(serializers.Serializer[Any]):
    datasets = serializers.ListField(child=serializers.IntegerField())
    pairs = serializers.IntegerField(help_text="Pairs in just these datasets.")


class CharacteristicsSerializer(WholeListSerializer):
    items = DatasetCharacteristicsSerializer(many=True)
    overlaps = OverlapSerializer(many=True)


class CharacteristicsView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="characteristics_retrieve",
        parameters=[CharacteristicsFilters],
        responses=CharacteristicsSerializer,
    )
    def get(self, request: Request, slug: str) -> Response:
        """Datasets side by side (Brockett and Dolan 2005, table 2), and the parts of their union."""
        known = self.project.datasets.current().prefetch_related("extractions")
        asked = self.filters(CharacteristicsFilters).get("datasets")
        if asked is None:
            datasets = list(known[:DATASETS_AT_MOST])
        else:
            datasets = found(known, [int(pk) for pk in asked.split(",")], field="datasets")
        if len(datasets) > DATASETS_AT_MOST:
            raise ValidationError({"datasets": [f"At most {DATASETS_AT_MOST} at a time."]})
        answer = {
            "items": [{"dataset": dataset.pk, **asdict(characteristics(dataset))} for dataset in datasets],
            "overlaps": [
                {"datasets": [dataset.pk for dataset in part.members], "pairs": part.pairs}
                for part in overlaps(self.project, datasets)
            ],
        }
        return Response(CharacteristicsSerializer(answer).data)
