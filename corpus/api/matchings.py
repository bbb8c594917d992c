"""Matching sentences by the words they share."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.matching import estimate, launch_within_cap
from corpus.specs import ProjectMatchingSpec
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import SeedField
from projects.api.spec_serializer import SpecSerializer
from projects.permissions import check_manage

from .extractions import ExtractionSerializer


class NewMatchingSerializer(SpecSerializer):
    spec_class = ProjectMatchingSpec
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even when very many pairs are expected."
    )


class MatchingEstimateRequestSerializer(SpecSerializer):
    spec_class = ProjectMatchingSpec
    sample_seed = SeedField(default=1, help_text="Another one draws other texts.")


class MatchingEstimateSerializer(serializers.Serializer[Any]):
    """`low` and `high` are a 95 % interval. All but `sentences` are null where `reason` says why."""

    sentences = serializers.IntegerField(help_text="That would be matched.")
    reason = serializers.CharField(help_text="Why nothing is estimated; else empty.")
    pairs = serializers.IntegerField(
        allow_null=True, help_text="Expected; with one partner at most there are fewer."
    )
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(
        allow_null=True, help_text="Everything was compared: `pairs` is a count, no estimate."
    )
    texts = serializers.IntegerField(allow_null=True, help_text="Distinct texts.")
    rows = serializers.IntegerField(allow_null=True, help_text="Texts drawn to be compared.")
    columns = serializers.IntegerField(allow_null=True, help_text="Texts drawn to compare them with.")
    found = serializers.IntegerField(allow_null=True, help_text="Matches of a row with a column.")


class MatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match sentences by a job: an extraction whose findings keep score and Jaccard."""
        fields = self.body(NewMatchingSerializer)
        extraction = launch_within_cap(project=self.project, by=self.caller, **fields)
        return Response(ExtractionSerializer(extraction).data, status=status.HTTP_201_CREATED)


class MatchingEstimateView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=MatchingEstimateRequestSerializer, responses=MatchingEstimateSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """What a matching would find, from a sample; nothing is stored."""
        fields = self.body(MatchingEstimateRequestSerializer)
        result = estimate(project=self.project, spec=fields["spec"], seed=fields["sample_seed"])
        names = ("pairs", "low", "high", "complete", "texts", "rows", "columns", "found")
        figures = {name: getattr(result.expected, name, None) for name in names}
        values = {"sentences": result.sentences, "reason": result.reason, **figures}
        return Response(MatchingEstimateSerializer(values).data)
