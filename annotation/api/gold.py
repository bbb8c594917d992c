"""Gold sets of judgements and of sub-clusters: freezing them, and reading what is in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.listings import GoldFilters
from annotation.models import GoldJudgement, GoldSet, GoldSubclusters, GoldSubclusterSet, SubclusterRule
from annotation.permissions import check_see_gold
from annotation.services.dataset_figures import PrecisionReport, Shares, extraction_precision
from annotation.services.freezing import Forecast
from annotation.services.gold import (
    freeze_gold_set,
    freeze_gold_subclusters,
    gold_forecast,
    gold_jsonl,
    subclusters_forecast,
)
from annotation.services.subcluster_scores import links_of, scores_of
from annotation.specs import SubclusterLinksSpec, SubclusterScoresSpec
from corpus.api.articles import PairSentenceSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.agreement.samples import RecallEstimate
from paragold.matching.sub_clusters import as_json as scores_json
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.lists import SortedPagination
from projects.api.serializers import (
    IdField,
    ListField,
    RowSerializer,
    SpecSerializer,
    StrictSerializer,
    serializer_of,
    with_rows,
)
from projects.downloads import attachment
from projects.models import GoldRule
from projects.permissions import check_manage

ForecastSerializer = serializer_of(Forecast)


class GoldSetsEndpoint(RemovableListEndpoint):
    """Every version of the gold sets of a project. `freeze` is the service that makes the next."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    filterset_class = GoldFilters
    pagination_class = SortedPagination
    new_serializer: ClassVar[type[StrictSerializer]]
    freeze: ClassVar[Callable[..., Any]]

    def post(self, request: Request, slug: str) -> Response:
        """Freeze what people answered in one or more batches as the next version of a gold set.

        200 with the latest version where nothing has changed since it was frozen.
        """
        batches = self.project.batches.all()
        fields = with_rows(self.body(self.new_serializer), batch=batches, batches=batches)
        gold_set = type(self).freeze(project=self.project, by=self.caller, **fields)
        made = status.HTTP_200_OK if gold_set.already_frozen else status.HTTP_201_CREATED
        return Response(self.get_serializer(gold_set).data, status=made)


class ForecastEndpoint(ProjectEndpoint):
    """The items that a freeze would leave out: `forecast` of the fields of `chosen_serializer`."""

    checks = {"POST": check_manage}
    chosen_serializer: ClassVar[type[StrictSerializer]]
    forecast: ClassVar[Callable[..., Forecast]]

    def post(self, request: Request, slug: str) -> Response:
        """How many items a freeze would leave out, and why; nothing is stored."""
        batches = self.project.batches.all()
        fields = with_rows(self.body(self.chosen_serializer), batch=batches, batches=batches)
        return Response(ForecastSerializer(type(self).forecast(project=self.project, **fields)).data)


class GoldSetSerializer(RowSerializer[GoldSet]):
    class Meta:
        model = GoldSet
        fields = (
            "id", "name", "version", "rule", "scheme", "batches", "agreement", "counts", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class ChosenBatchesSerializer(StrictSerializer):
    batches = ListField(child=IdField(), allow_empty=False, max_length=1000)
    rule = serializers.ChoiceField(
        choices=GoldRule.choices,
        required=False,
        help_text="Rule by which answers become gold; by default adjudicated once an adjudicator has decided "
        "anything in the batches, else that of the project.",
    )


class NewGoldSetSerializer(ChosenBatchesSerializer):
    name = serializers.CharField(max_length=80)


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
    post=extend_schema(
        request=NewGoldSetSerializer, responses={201: GoldSetSerializer, 200: GoldSetSerializer}
    ),
)
class GoldSetsView(GoldSetsEndpoint):
    """The gold sets of the project, every version."""

    rows = GoldSet.objects.prefetch_related("batches")
    serializer_class = GoldSetSerializer
    new_serializer = NewGoldSetSerializer
    freeze = staticmethod(freeze_gold_set)


@extend_schema_view(
    post=extend_schema(
        operation_id="gold_sets_forecast", request=ChosenBatchesSerializer, responses=ForecastSerializer
    )
)
class GoldForecastView(ForecastEndpoint):
    chosen_serializer = ChosenBatchesSerializer
    forecast = staticmethod(gold_forecast)


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


class ChosenBatchSerializer(StrictSerializer):
    batch = IdField()
    rule = serializers.ChoiceField(choices=SubclusterRule.choices, default=SubclusterRule.ADJUDICATED)


class NewGoldSubclusterSetSerializer(ChosenBatchSerializer):
    name = serializers.CharField(max_length=80)


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
    post=extend_schema(
        request=NewGoldSubclusterSetSerializer,
        responses={201: GoldSubclusterSetSerializer, 200: GoldSubclusterSetSerializer},
    ),
)
class GoldSubclusterSetsView(GoldSetsEndpoint):
    """The gold sets of sub-clusters of the project, every version."""

    rows = GoldSubclusterSet.objects.all()
    serializer_class = GoldSubclusterSetSerializer
    new_serializer = NewGoldSubclusterSetSerializer
    freeze = staticmethod(freeze_gold_subclusters)


@extend_schema_view(
    post=extend_schema(
        operation_id="gold_subclusters_forecast", request=ChosenBatchSerializer, responses=ForecastSerializer
    )
)
class GoldSubclusterForecastView(ForecastEndpoint):
    chosen_serializer = ChosenBatchSerializer
    forecast = staticmethod(subclusters_forecast)


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
        """JSON Lines, one cluster per line: {"cluster_id", "subclusters"}. The same set, the same file."""
        self.filters()
        return jsonl_response(self.object)


def jsonl_response(gold_set: GoldSubclusterSet) -> HttpResponse:
    """The file of a gold set, to be downloaded."""
    filename = f"{gold_set.project.slug}-subclusters-{gold_set.pk}-v{gold_set.version}.jsonl"
    return HttpResponse(
        gold_jsonl(gold_set),
        content_type="application/x-ndjson; charset=utf-8",
        headers=attachment(filename, gold_set.project),
    )


class ScoresOptionsSerializer(SpecSerializer):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = serializers.FloatField(
        min_value=0.01, max_value=0.99, default=None, help_text="Tune on this share, score on the others."
    )


class ThresholdsSerializer(serializers.Serializer[Any]):
    upper = serializers.FloatField()
    lower = serializers.FloatField()
    pk1 = serializers.FloatField(allow_null=True)
    delta = serializers.IntegerField()


class MethodScoresSerializer(serializers.Serializer[Any]):
    """Shares are from 0 to 1; `f` has beta 0.25."""

    method = serializers.CharField(help_text="Method: kmeans or pairwise.")
    headlines = serializers.CharField(
        help_text="Which headlines are counted: those in sub-clusters only, or all."
    )
    precision = serializers.FloatField()
    recall = serializers.FloatField()
    f = serializers.FloatField()
    right = serializers.IntegerField()
    retrieved = serializers.IntegerField()
    relevant = serializers.IntegerField()


class SubclusterScoresSerializer(serializers.Serializer[Any]):
    thresholds = ThresholdsSerializer()
    starts = serializers.IntegerField()
    centres = serializers.CharField()
    seed = serializers.IntegerField()
    closure = serializers.BooleanField()
    weights = serializers.CharField()
    language = serializers.CharField()
    clusters = serializers.IntegerField()
    sub_clusters = serializers.IntegerField()
    clustered = serializers.IntegerField()
    unclustered = serializers.IntegerField()
    development_clusters = serializers.ListField(child=serializers.CharField())
    development = MethodScoresSerializer(many=True)
    table = MethodScoresSerializer(many=True)
    left_one_out = serializers.BooleanField(
        help_text="Whether the number of groups of each cluster was tuned on the other clusters."
    )


class SubclusterScoresView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(parameters=[ScoresOptionsSerializer], responses=SubclusterScoresSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Both methods scored against a gold set of sub-clusters, thresholds tuned on a `share` if given."""
        options = self.filters(ScoresOptionsSerializer)
        scores = scores_of(self.object, options["spec"], share=options["share"])
        return Response(scores_json(scores))


class LinksOptionsSerializer(SpecSerializer):
    spec_class = SubclusterLinksSpec
    leave_out = ("language",)
    share = serializers.FloatField(
        min_value=0.01,
        max_value=0.99,
        default=None,
        help_text="Share that the thresholds were tuned on; its links are left out.",
    )


class HeadlineLinkSerializer(serializers.Serializer[Any]):
    """Cosines are from 0 to 1; `context` is null where an article has no text beside its headline."""

    cluster = serializers.CharField(source="link.cluster")
    outcome = serializers.CharField(
        source="link.outcome", help_text="Whether the link is right, wrong or missed."
    )
    article_a = serializers.CharField(source="first.key")
    article_b = serializers.CharField(source="second.key")
    headline_a = serializers.CharField(source="first.title")
    headline_b = serializers.CharField(source="second.title")
    score = serializers.FloatField(source="link.score")
    context = serializers.FloatField(source="link.context", allow_null=True)  # type: ignore[assignment]  # a field of that name, not the framework's context


class SubclusterLinksView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(
        operation_id="subcluster_links_list",
        parameters=[LinksOptionsSerializer],
        responses=HeadlineLinkSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """The links of a method against a gold set of sub-clusters: right, wrong and missed ones."""
        options = self.filters(LinksOptionsSerializer)
        links, _ = links_of(self.object, options["spec"], share=options["share"])
        return self.paged(links, HeadlineLinkSerializer)


class LabelShareSerializer(serializers.Serializer[Any]):
    """`count` of `items` pairs; the share from 0 to 1 with its 95 % interval (Wilson).

    Of the `pool` pairs that they are a sample of, `projected` have the label, with its interval; null where
    the pool is not known.
    """

    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    count = serializers.IntegerField()
    items = serializers.IntegerField()
    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    pool = serializers.IntegerField(allow_null=True)
    projected = serializers.IntegerField(allow_null=True)
    projected_low = serializers.IntegerField(allow_null=True)
    projected_high = serializers.IntegerField(allow_null=True)


@extend_schema_field(LabelShareSerializer(many=True))
class SharesField(serializers.Field[Any, Any, Any, Any]):
    """The shares of the labels as a list."""

    def to_representation(self, shares: Shares) -> list[dict[str, Any]]:
        rows = []
        for label, share in shares.items():
            low, high = share.interval or (None, None)
            value, lowest, highest = share.projected or (None, None, None)
            of_sample = {"count": share.count, "items": share.items, "value": share.value}
            of_pool = {"projected": value, "projected_low": lowest, "projected_high": highest}
            rows.append({"label": label, "low": low, "high": high, "pool": share.pool} | of_sample | of_pool)
        return rows


class DatasetSharesSerializer(serializers.Serializer[Any]):
    dataset = serializers.IntegerField(source="dataset.pk")
    name = serializers.CharField(source="dataset.name")
    shares = SharesField()


class ExtractionSharesSerializer(serializers.Serializer[Any]):
    extraction = serializers.IntegerField(source="extraction.pk")
    name = serializers.CharField(source="extraction.name")
    shares = SharesField()


class DistanceSharesSerializer(serializers.Serializer[Any]):
    edit_distance = serializers.CharField(help_text="Range of word edit distances, such as 5-8.")
    shares = SharesField()


RecallEstimateSerializer = serializer_of(RecallEstimate)


class ExtractionRecallSerializer(serializers.Serializer[Any]):
    extraction = serializers.IntegerField(source="extraction.pk")
    name = serializers.CharField(source="extraction.name")
    recall = RecallEstimateSerializer()


class BatchRecallSerializer(serializers.Serializer[Any]):
    """A batch with judged pairs of its dataset and judged pairs that no extraction of it found."""

    batch = serializers.IntegerField(source="batch.pk")
    dataset = RecallEstimateSerializer(source="whole")
    extractions = ExtractionRecallSerializer(many=True)
    signature = serializers.CharField()


PrecisionSerializer = serializer_of(
    PrecisionReport, "pairs", "counted", "signature",
    datasets=DatasetSharesSerializer(many=True),
    extractions=ExtractionSharesSerializer(many=True),
    distances=DistanceSharesSerializer(many=True),
    recall=BatchRecallSerializer(
        many=True, help_text="Recall of the extractions, from batches with rejected pairs."
    ),
)  # fmt: skip


class GoldSetPrecisionView(ObjectEndpoint):
    rows = GoldSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(responses=PrecisionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Share of each label among an extraction's pairs, and share of all paraphrases that it finds."""
        return Response(PrecisionSerializer(extraction_precision(self.object)).data)
