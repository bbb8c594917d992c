"""Batches of clusters to split, an annotator's placements, agreement on them, and scores against gold."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, GoldSubclusterSet
from annotation.permissions import check_see_answers, check_see_gold, visible_items
from annotation.services.subclusters.agreement import agreement_of
from annotation.services.subclusters.agreement import as_json as agreement_json
from annotation.services.subclusters.drawing import draw_splitting_batch
from annotation.services.subclusters.placements import save_placements
from annotation.services.subclusters.scores import scores_of
from annotation.specs import MOST, SplitDrawSpec, SubclusterScoresSpec
from paragold.matching.sub_clusters import as_json as scores_json
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import SpecSerializer
from projects.errors import PublicError
from projects.permissions import check_manage

from .assignments import AnswerEndpoint, AnswerSerializer, stores
from .batches import BatchSerializer, NewBatchFields, batch_json


class NewSplitBatchSerializer(NewBatchFields, SpecSerializer):
    spec_class = SplitDrawSpec


class SplitBatchesView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewSplitBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw clusters at random for annotators to split into sub-clusters of headlines."""
        fields = self.body(NewSplitBatchSerializer)
        batch = draw_splitting_batch(project=self.project, by=self.caller, **fields)
        return Response(batch_json(batch, request.user), status=status.HTTP_201_CREATED)


class PlacementsSerializer(AnswerSerializer):
    """`placements` are [headline, group], both from 1, the group null for none; what is missing is open."""

    placements = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(allow_null=True), min_length=2, max_length=2),
        max_length=MOST,
    )
    submitted = serializers.BooleanField(default=False)


@stores(PlacementsSerializer)
class PlacementsView(AnswerEndpoint):
    """Store where I put all headlines of a cluster, as a draft or submitted."""

    serializer_class = PlacementsSerializer
    save = staticmethod(save_placements)


class PartitionFiguresSerializer(serializers.Serializer[Any]):
    """Shares from 0 to 1 (the adjusted Rand index may be below 0), null where undefined.

    Of `pairs` of headlines of one cluster, `first` and `second` were put together by the one and the other
    annotator, `together` by both.
    """

    adjusted_rand = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    together = serializers.IntegerField()
    first = serializers.IntegerField()
    second = serializers.IntegerField()
    pairs = serializers.IntegerField()


class ClusterAgreementSerializer(PartitionFiguresSerializer):
    item = serializers.IntegerField()
    number = serializers.IntegerField()
    headlines = serializers.IntegerField()


class SubclusterAnnotatorsSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    headlines = serializers.IntegerField()
    same = serializers.IntegerField(help_text="Clusters that both split alike.")
    mean_adjusted_rand = serializers.FloatField(allow_null=True)
    all = PartitionFiguresSerializer()
    clusters = ClusterAgreementSerializer(many=True)


class SubclusterAgreementSerializer(serializers.Serializer[Any]):
    overall = PartitionFiguresSerializer()
    annotators = SubclusterAnnotatorsSerializer(many=True)
    signature = serializers.CharField()


class SubclusterAgreementView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(responses=SubclusterAgreementSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Adjusted Rand index and pairwise precision, recall and F of every two annotators, by pseudonym."""
        self.filters()
        if self.object.kind != BatchKind.SPLIT:
            raise PublicError("Only batches for splitting have sub-clusters to agree on.")
        items = visible_items(request.user, self.project).filter(batch=self.object)
        rows = agreement_of(self.object, items.order_by().values_list("pk", flat=True))
        return Response(agreement_json(rows))


class ScoresOptionsSerializer(SpecSerializer):
    spec_class = SubclusterScoresSpec
    leave_out = ("method", "language")
    share = serializers.FloatField(
        min_value=0.01, max_value=0.99, default=None, help_text="Tune on this share, score on the others."
    )


class ThresholdsSerializer(serializers.Serializer[Any]):
    upper = serializers.FloatField()
    lower = serializers.FloatField()
    pk1 = serializers.FloatField()


class MethodScoresSerializer(serializers.Serializer[Any]):
    """Shares are from 0 to 1; `f` has beta 0.25."""

    method = serializers.CharField(help_text="kmeans or pairwise")
    headlines = serializers.CharField(help_text="clusters only, or all headlines")
    precision = serializers.FloatField()
    recall = serializers.FloatField()
    f = serializers.FloatField()
    right = serializers.IntegerField()
    retrieved = serializers.IntegerField()
    relevant = serializers.IntegerField()


class SubclusterScoresSerializer(serializers.Serializer[Any]):
    thresholds = ThresholdsSerializer()
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


class SubclusterScoresView(ObjectEndpoint):
    rows = GoldSubclusterSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(parameters=[ScoresOptionsSerializer], responses=SubclusterScoresSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Both methods scored against a gold set of sub-clusters, thresholds tuned on a `share` if given."""
        asked = self.filters(ScoresOptionsSerializer)
        scores = scores_of(self.object, asked["spec"], share=asked["share"], seed=asked["spec"].seed)
        return Response(scores_json(scores))
