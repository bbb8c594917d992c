"""Word aligners and how they score on gold alignments."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import Evaluation
from alignment.services.gold_links import STRENGTHS
from alignment.services.scoring import score_aligner
from annotation.permissions import check_see_gold
from paragold.aligners.registry import ALIGNERS, untrained_ids
from projects.api.endpoint import Endpoint, ListEndpoint
from projects.api.serializers import IdField, StrictSerializer, WholeListSerializer, with_rows
from projects.permissions import check_manage


class AlignerSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    signature = serializers.CharField()


class AlignerListSerializer(WholeListSerializer):
    items = AlignerSerializer(many=True)


class AlignersView(Endpoint):
    @extend_schema(operation_id="aligners_list", responses=AlignerListSerializer)
    def get(self, request: Request) -> Response:
        """The word aligners that draw links without training."""
        self.filters()
        return Response(
            {
                "items": [
                    {"name": name, "signature": ALIGNERS.get(name).train(()).signature}
                    for name in untrained_ids()
                ],
                "next": None,
            }
        )


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """`scores` has precision, recall and aer, shares from 0 to 1, for all, identical and other words."""

    gold_alignments = serializers.IntegerField(source="gold_set_id")

    class Meta:
        model = Evaluation
        fields = ("id", "gold_alignments", "aligner", "scores", "signature", "created_at")
        read_only_fields = fields


class NewEvaluationSerializer(StrictSerializer):
    gold_alignments = IdField()
    aligner = serializers.ChoiceField(choices=untrained_ids())
    strengths = serializers.ChoiceField(choices=list(STRENGTHS), default="as_drawn")


@extend_schema_view(get=extend_schema(operation_id="evaluations_list"))
class EvaluationsView(ListEndpoint):
    """Every score of an aligner on a gold alignment set of the project."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = Evaluation.objects.all()
    project_path = ("gold_set", "project")
    serializer_class = EvaluationSerializer

    @extend_schema(request=NewEvaluationSerializer, responses={201: EvaluationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Score an aligner. The same one on the same gold gives the evaluation that exists."""
        gold = self.project.gold_alignment_sets.all()
        fields = with_rows(self.body(NewEvaluationSerializer), gold_alignments=gold)
        evaluation = score_aligner(
            gold_set=fields["gold_alignments"], aligner=fields["aligner"], strengths=fields["strengths"]
        )
        return Response(EvaluationSerializer(evaluation).data, status=status.HTTP_201_CREATED)
