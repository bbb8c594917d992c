"""Gold sets of judgements and of sub-clusters: freezing and reading them; at their pages, what they say of
methods."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.listings import GoldFilters
from annotation.models import GoldJudgement, GoldSet, GoldSubclusters, GoldSubclusterSet
from annotation.permissions import check_see_gold
from annotation.services.dataset_figures import BatchRecall, Shares, extraction_precision
from annotation.services.subcluster_scores import links_of, scores_of
from annotation.specs import SubclusterLinksSpec, SubclusterScoresSpec
from corpus.api.articles import PairSentenceSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.matching.sub_clusters import as_json
from projects.api.endpoint import ObjectEndpoint, SortedPagination
from projects.api.serializers import (
    RowSerializer,
    SpecSerializer,
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


class ScoresOptionsSerializer(SpecSerializer):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = serializers.FloatField(
        min_value=0.01, max_value=0.99, default=None, help_text="Tune on this share, score on the others."
    )


class SubclusterScoresView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Both methods scored against a gold set of sub-clusters, thresholds tuned on a `share` if given."""
        options = self.filters(ScoresOptionsSerializer)
        scores = scores_of(self.object, options["spec"], share=options["share"])
        return Response(as_json(scores))


class LinksOptionsSerializer(SpecSerializer):
    spec_class = SubclusterLinksSpec
    leave_out = ("language",)
    share = serializers.FloatField(
        min_value=0.01,
        max_value=0.99,
        default=None,
        help_text="Share that the thresholds were tuned on; its links are left out.",
    )


class SubclusterLinksView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The links of a method against a gold set of sub-clusters: right, wrong and missed ones."""
        options = self.filters(LinksOptionsSerializer)
        links, counts = links_of(self.object, options["spec"], share=options["share"])
        items = [
            {
                "cluster": link["cluster"],
                "outcome": link["outcome"],
                "article_a": link["first"].key,
                "article_b": link["second"].key,
                "headline_a": link["first"].title,
                "headline_b": link["second"].title,
                "score": link["score"],
                "context": link["context"],
            }
            for link in links
        ]
        return Response({"counts": counts, "items": items})


class GoldSetPrecisionView(ObjectEndpoint):
    rows = GoldSet.objects.all()
    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Share of each label among an extraction's pairs, and share of all paraphrases that it finds."""
        self.filters()
        report = extraction_precision(self.object)
        return Response(
            {
                "pairs": report.pairs,
                "counted": report.counted,
                "datasets": [
                    {"dataset": row.dataset.pk, "name": row.dataset.name, "shares": _shares(row.shares)}
                    for row in report.datasets
                ],
                "extractions": [
                    {"extraction": row.extraction.pk, "name": row.extraction.name}
                    | {"shares": _shares(row.shares)}
                    for row in report.extractions
                ],
                "distances": [
                    {"edit_distance": row.edit_distance, "shares": _shares(row.shares)}
                    for row in report.distances
                ],
                "recall": [_recall(row) for row in report.recall],
                "signature": report.signature,
            }
        )


def _shares(shares: Shares) -> list[dict[str, Any]]:
    """A row for each label; of the pool, from which the pairs were drawn, `projected` have it."""
    rows = []
    for label, share in shares.items():
        low, high = share["interval"] or (None, None)
        value, lowest, highest = share["projected"] or (None, None, None)
        of_sample = {name: share[name] for name in ("pool", "count", "items", "value")}
        of_pool = {"projected": value, "projected_low": lowest, "projected_high": highest}
        rows.append({"label": label, "low": low, "high": high} | of_sample | of_pool)
    return rows


def _recall(of_batch: BatchRecall) -> dict[str, Any]:
    return {
        "batch": of_batch.batch.pk,
        "dataset": of_batch.whole,
        "extractions": [
            {"extraction": row.extraction.pk, "name": row.extraction.name, "recall": row.recall}
            for row in of_batch.extractions
        ],
        "signature": of_batch.signature,
    }
