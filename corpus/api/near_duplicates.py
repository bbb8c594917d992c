"""Articles of a cluster that are nearly the same text."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.near_duplicates import near_duplicates
from paragold.matching.near_articles import LEAST_SHARE
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import StrictSerializer, WholeListSerializer
from projects.permissions import check_read_corpus


class LeastShareSerializer(StrictSerializer):
    least = serializers.FloatField(default=LEAST_SHARE, min_value=0.05, max_value=1)


class NearDuplicatesSerializer(serializers.Serializer[Any]):
    first = serializers.IntegerField(source="first.pk", help_text="An article")
    second = serializers.IntegerField(source="second.pk", help_text="One that was imported later")
    share = serializers.FloatField(help_text="Of the shorter one's text that both have, 0 to 1")


class ClusterDuplicatesSerializer(WholeListSerializer):
    items = NearDuplicatesSerializer(many=True)


class NearDuplicatesView(ProjectEndpoint):
    checks = {"GET": check_read_corpus}

    @extend_schema(
        operation_id="clusters_near_duplicates",
        parameters=[OpenApiParameter("least", float, description="The minimum share of equal text; 0.5.")],
        responses=ClusterDuplicatesSerializer,
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Pairs of a cluster's articles that share much of their text, most first. Of a cluster of more than
        100 articles they are those that the checks of its imports found, at most 100 of each."""
        least = self.filters(LeastShareSerializer)["least"]
        found = near_duplicates(get_object_or_404(self.project.clusters, pk=pk), least=least)
        return Response(ClusterDuplicatesSerializer({"items": found}).data)
