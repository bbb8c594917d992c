"""Scores of aligners: each on a set of gold links."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.resources import EVALUATIONS, EvaluationSerializer
from alignment.services.gold_links import STRENGTHS
from alignment.services.scoring import score_aligner
from paragold.aligners.registry import untrained_ids
from projects.api.endpoint import ResourceList
from projects.api.serializers import IdField, StrictSerializer, with_rows


class NewEvaluationSerializer(StrictSerializer):
    gold_set = IdField()
    aligner = serializers.ChoiceField(choices=untrained_ids())
    strengths = serializers.ChoiceField(choices=list(STRENGTHS), default="as_drawn")


class EvaluationsView(ResourceList):
    resource = EVALUATIONS

    @extend_schema(request=NewEvaluationSerializer, responses={201: EvaluationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Score an aligner. The same one on the same gold returns the existing evaluation."""
        gold = self.project.gold_alignment_sets.all()
        fields = with_rows(self.body(NewEvaluationSerializer), gold_set=gold)
        return self.created(EvaluationSerializer, score_aligner(**fields))
