"""Table 2 of Wubben et al. (2009) for a gold set of sub-clusters."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import GoldSubclusterSet
from annotation.permissions import check_see_gold
from annotation.services.subclusters.scores import scores_of
from annotation.specs import SubclusterScoresSpec
from paragold.matching.table_2 import as_json
from projects.api.endpoint import ObjectEndpoint
from projects.api.spec_serializer import SpecSerializer


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
        return Response(as_json(scores))
