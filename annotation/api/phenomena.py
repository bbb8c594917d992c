"""Paraphrase phenomena: whether a batch asks for them, and their means by dataset."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.phenomena import ask_phenomena, phenomena_means
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import StrictSerializer, WholeListSerializer
from projects.permissions import check_manage


class MeanCountSerializer(serializers.Serializer[Any]):
    """A mean number per pair with its 95 % bootstrap interval, null with fewer than two pairs."""

    phenomenon = serializers.CharField()
    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class DatasetPhenomenaSerializer(serializers.Serializer[Any]):
    dataset = serializers.IntegerField()
    name = serializers.CharField()
    pairs = serializers.IntegerField(help_text="Pairs in which somebody counted.")
    means = MeanCountSerializer(many=True)
    signature = serializers.CharField()


class PhenomenaMeansSerializer(WholeListSerializer):
    items = DatasetPhenomenaSerializer(many=True)


class AskedSerializer(StrictSerializer):
    asked = serializers.BooleanField()


class PhenomenaView(ProjectEndpoint):
    pagination_class = None  # a plain list, which the OpenAPI document is to say
    checks = {"GET": check_see_answers}

    @extend_schema(operation_id="phenomena_retrieve", responses=PhenomenaMeansSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The mean number of each phenomenon per dataset, over the items whose answers I may see."""
        self.filters()
        rows = [
            {
                "dataset": found.dataset.pk,
                "name": found.dataset.name,
                "pairs": found.pairs,
                "means": [
                    {"phenomenon": name, "value": mean.value, "low": mean.low, "high": mean.high}
                    for name in Phenomenon.values
                    for mean in [found.means[name]]
                ],
                "signature": found.signature,
            }
            for found in phenomena_means(visible_items(request.user, self.project))
        ]
        return Response(PhenomenaMeansSerializer({"items": rows}).data)


class BatchPhenomenaView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"PUT": check_manage}

    @extend_schema(request=AskedSerializer, responses=AskedSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Have phenomena counted in a batch, or no longer. What was counted stays."""
        asked = self.body(AskedSerializer)["asked"]
        ask_phenomena(batch=self.object, asked=asked)
        return Response({"asked": asked})
