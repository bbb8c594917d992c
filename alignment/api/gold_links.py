"""Linking batches drawn from gold sets, and the gold links frozen from what people linked."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import GoldAlignment, GoldAlignmentSet
from annotation.api.gold import GoldSetsEndpoint
from annotation.permissions import check_see_gold
from corpus.api.articles import PairSentenceSerializer
from jobs.api.removal import RemovableEndpoint
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import RowSerializer
from projects.permissions import check_manage


class GoldAlignmentSetSerializer(RowSerializer[GoldAlignmentSet]):
    class Meta:
        model = GoldAlignmentSet
        fields = (
            "id", "name", "version", "batch", "rule", "agreement", "counts", "lineage", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class GoldAlignmentSerializer(RowSerializer[GoldAlignment]):
    """`links` are [a, b, "sure" | "possible"], token indices from 0; no single annotator's links."""

    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    links = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))

    class Meta:
        model = GoldAlignment
        fields = ("id", "item", "a", "b", "links")


@extend_schema_view(
    get=extend_schema(operation_id="gold_alignments_list"),
)
class GoldAlignmentSetsView(GoldSetsEndpoint):
    """The gold links of the project, every version."""

    rows = GoldAlignmentSet.objects.all()
    serializer_class = GoldAlignmentSetSerializer


class GoldAlignmentSetView(RemovableEndpoint):
    """One set of gold links with its agreement and counts."""

    rows = GoldAlignmentSet.objects.all()
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = GoldAlignmentSetSerializer


class GoldAlignmentPairsView(ObjectEndpoint):
    rows = GoldAlignmentSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(operation_id="gold_alignment_pairs_list", responses=GoldAlignmentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The pairs with their merged links, in the order of the batch."""
        self.filters()
        rows = self.object.alignments.select_related(
            "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        )
        return self.paged(rows, GoldAlignmentSerializer)
