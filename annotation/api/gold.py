"""Gold sets of judgements and of sub-clusters: freezing and reading them; at their pages, what they say of
methods."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.listings import GoldFilters
from annotation.models import GoldJudgement, GoldSet, GoldSubclusters, GoldSubclusterSet
from annotation.permissions import check_see_gold
from corpus.api.articles import PairSentenceSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint, SortedPagination
from projects.api.serializers import (
    RowSerializer,
)
from projects.permissions import check_manage


class GoldSetsEndpoint(RemovableListEndpoint):
    """Every version of the gold sets of a project."""

    checks = {"GET": check_see_gold}
    filterset_class = GoldFilters
    pagination_class = SortedPagination


class GoldSetSerializer(RowSerializer[GoldSet]):
    class Meta:
        model = GoldSet
        fields = (
            "id", "name", "version", "rule", "scheme", "batches", "agreement", "counts", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class GoldJudgementSerializer(RowSerializer[GoldJudgement]):
    """The label and the pair. Answers of single annotators are in reviews and exports, not here."""

    cluster = serializers.CharField(source="item.pair.cluster.key")
    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldJudgement
        fields = ("id", "item", "cluster", "label", "adjudicated", "a", "b")

    def get_adjudicated(self, judgement: GoldJudgement) -> bool:
        return judgement.adjudication is not None


@extend_schema_view(
    get=extend_schema(operation_id="gold_sets_list"),
)
class GoldSetsView(GoldSetsEndpoint):
    """The gold sets of the project, every version."""

    rows = GoldSet.objects.prefetch_related("batches")
    serializer_class = GoldSetSerializer


class GoldSetView(RemovableEndpoint):
    """One gold set with its agreement and counts."""

    rows = GoldSet.objects.all()
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = GoldSetSerializer


class GoldSetPairsView(ObjectEndpoint):
    rows = GoldSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(operation_id="gold_set_pairs_list", responses=GoldJudgementSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The pairs of a gold set with their labels, in the order of the batches."""
        self.filters()
        rows = self.object.judgements.select_related(
            "item__pair__cluster", "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        )
        return self.paged(rows, GoldJudgementSerializer)


class GoldSubclusterSetSerializer(RowSerializer[GoldSubclusterSet]):
    class Meta:
        model = GoldSubclusterSet
        fields = (
            "id", "name", "version", "rule", "batch", "agreement", "counts", "lineage", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class GoldSubclustersSerializer(RowSerializer[GoldSubclusters]):
    """`subclusters` are lists of article ids. Answers of single annotators are in reviews, not here."""

    cluster_id = serializers.CharField(source="item.cluster.key")
    subclusters = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldSubclusters
        fields = ("id", "item", "cluster_id", "subclusters", "adjudicated")

    def get_adjudicated(self, gold: GoldSubclusters) -> bool:
        return gold.adjudication is not None


@extend_schema_view(
    get=extend_schema(operation_id="gold_subclusters_list"),
)
class GoldSubclusterSetsView(GoldSetsEndpoint):
    """The gold sets of sub-clusters of the project, every version."""

    rows = GoldSubclusterSet.objects.all()
    serializer_class = GoldSubclusterSetSerializer


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
