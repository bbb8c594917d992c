"""Matching headlines within their clusters."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.headline_matching import launch_headline_matching
from corpus.specs import ProjectHeadlineSpec
from projects.api.endpoint import ProjectEndpoint
from projects.api.spec_serializer import SpecSerializer
from projects.permissions import check_manage

from .extractions import ExtractionSerializer


class NewHeadlineMatchingSerializer(SpecSerializer):
    spec_class = ProjectHeadlineSpec
    leave_out = ("language",)
    name = serializers.CharField(max_length=70, default="", allow_blank=True)


class HeadlineMatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewHeadlineMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match the first sentences of the articles of a cluster by a job; findings keep their cosine."""
        fields = self.body(NewHeadlineMatchingSerializer)
        extraction = launch_headline_matching(project=self.project, by=self.caller, **fields)
        return Response(ExtractionSerializer(extraction).data, status=status.HTTP_201_CREATED)
