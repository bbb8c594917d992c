"""Matching headlines within their clusters."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.errors import PublicError
from corpus.permissions import check_manage
from corpus.services.headline_matching import launch_headline_matching
from paragold.extraction.criteria import CLUSTERS
from paragold.matching.headline_links import LARGEST_PK1, METHODS, WEIGHTS, HeadlineSettings
from paragold.matching.headline_pairs import LOWER, UPPER, PairwiseThresholds
from paragold.matching.kmeans import PK1_THRESHOLD

from .endpoint import ProjectEndpoint
from .extractions import ExtractionSerializer
from .serializers import StrictSerializer


class NewHeadlineMatchingSerializer(StrictSerializer):
    method = serializers.ChoiceField(
        choices=METHODS,
        default="pairwise",
        help_text="pairwise: two thresholds, the context in between; kmeans: k-means with PK1.",
    )
    upper = serializers.FloatField(min_value=0, max_value=1, default=UPPER, help_text="Of pairwise.")
    lower = serializers.FloatField(min_value=0, max_value=1, default=LOWER, help_text="Of pairwise.")
    closure = serializers.BooleanField(default=False, help_text="Pairwise: add what links imply.")
    pk1 = serializers.FloatField(
        min_value=-LARGEST_PK1, max_value=LARGEST_PK1, default=PK1_THRESHOLD, help_text="Of kmeans."
    )
    weights = serializers.ChoiceField(
        choices=WEIGHTS, default="cluster", help_text="IDF within each cluster, or over the whole project."
    )
    clusters = serializers.ChoiceField(
        choices=CLUSTERS, default="all", help_text="`with_imported`: all, and imported pairs too."
    )
    name = serializers.CharField(max_length=70, default="", allow_blank=True)


class HeadlineMatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewHeadlineMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match the first sentences of the articles of a cluster by a job; findings keep their cosine."""
        asked = self.body(NewHeadlineMatchingSerializer)
        try:
            thresholds = PairwiseThresholds(asked.pop("upper"), asked.pop("lower"))
        except ValueError as error:
            raise PublicError(str(error), field="lower") from error
        clusters, name = asked.pop("clusters"), asked.pop("name")
        extraction = launch_headline_matching(
            project=self.project,
            by=self.caller,
            settings=HeadlineSettings(thresholds=thresholds, **asked),
            clusters=clusters,
            name=name,
        )
        return Response(ExtractionSerializer(extraction).data, status=status.HTTP_201_CREATED)
