"""Gold sub-clusters: freezing them, reading them, the file of them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import GoldSubclusters, GoldSubclusterSet, SubclusterRule
from annotation.permissions import check_see_gold
from annotation.services.subclusters.gold import (
    freeze_gold_subclusters,
    gold_jsonl,
    subclusters_forecast,
)
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, found
from projects.permissions import check_manage

from .forecasts import ForecastSerializer


class GoldSubclusterSetSerializer(serializers.ModelSerializer[GoldSubclusterSet]):
    class Meta:
        model = GoldSubclusterSet
        fields = (
            "id", "name", "version", "rule", "batch", "agreement", "counts", "lineage", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip
        read_only_fields = fields


class ChosenBatchSerializer(StrictSerializer):
    batch = IdField()
    rule = serializers.ChoiceField(choices=SubclusterRule.choices, default=SubclusterRule.ADJUDICATED)


class NewGoldSubclusterSetSerializer(ChosenBatchSerializer):
    name = serializers.CharField(max_length=80)


class GoldSubclustersSerializer(serializers.ModelSerializer[GoldSubclusters]):
    """`subclusters` are lists of article ids. Single people's answers are in reviews, not here."""

    cluster_id = serializers.CharField(source="item.cluster.key")
    subclusters = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldSubclusters
        fields = ("id", "item", "cluster_id", "subclusters", "adjudicated")
        read_only_fields = fields

    def get_adjudicated(self, gold: GoldSubclusters) -> bool:
        return gold.adjudication is not None


@extend_schema_view(get=extend_schema(operation_id="gold_subclusters_list"))
class GoldSubclusterSetsView(RemovableListEndpoint):
    """The gold sets of sub-clusters of the project, every version."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = GoldSubclusterSet.objects.all()
    serializer_class = GoldSubclusterSetSerializer

    @extend_schema(
        request=NewGoldSubclusterSetSerializer,
        responses={201: GoldSubclusterSetSerializer, 200: GoldSubclusterSetSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Merge the submitted sub-clusters of a batch and freeze them.

        200 with the latest version where nothing has changed since it was frozen.
        """
        fields: dict[str, Any] = self.body(NewGoldSubclusterSetSerializer)
        fields["batch"] = found(self.project.batches.all(), [fields["batch"]], field="batch")[0]
        gold_set = freeze_gold_subclusters(project=self.project, by=self.caller, **fields)
        made = status.HTTP_200_OK if gold_set.already_frozen else status.HTTP_201_CREATED
        return Response(GoldSubclusterSetSerializer(gold_set).data, status=made)


class GoldSubclusterForecastView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        operation_id="gold_subclusters_forecast", request=ChosenBatchSerializer, responses=ForecastSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """How many clusters a freeze of this batch would leave out, and why; nothing is stored."""
        fields: dict[str, Any] = self.body(ChosenBatchSerializer)
        fields["batch"] = found(self.project.batches.all(), [fields["batch"]], field="batch")[0]
        return Response(ForecastSerializer(subclusters_forecast(project=self.project, **fields)).data)


class GoldSubclusterSetView(RemovableEndpoint):
    """One gold set of sub-clusters with its agreement, counts and lineage."""

    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = GoldSubclusterSetSerializer


class GoldSubclusterClustersView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(
        operation_id="gold_subcluster_clusters_list", responses=GoldSubclustersSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The clusters with their sub-clusters, in the order of the batch."""
        self.filters()
        return self.paged(self.object.clusters.select_related("item__cluster"), GoldSubclustersSerializer)


class GoldSubclusterFileView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """JSON Lines, a cluster a line: {"cluster_id", "subclusters"}. The same set gives the same bytes."""
        self.filters()
        return jsonl_response(self.object)


def jsonl_response(gold_set: GoldSubclusterSet) -> HttpResponse:
    """The file of a gold set, to be downloaded."""
    filename = f"{gold_set.project.slug}-subclusters-{gold_set.pk}-v{gold_set.version}.jsonl"
    return HttpResponse(
        gold_jsonl(gold_set),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
