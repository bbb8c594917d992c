"""Gold sets: freezing them, and reading what is in them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import GoldJudgement, GoldSet
from annotation.permissions import check_see_gold
from annotation.services.gold import freeze_gold_set, gold_forecast
from corpus.api.pairs import PairSentenceSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, found
from projects.models import GoldRule
from projects.permissions import check_manage

from .forecasts import ForecastSerializer


class GoldSetSerializer(serializers.ModelSerializer[GoldSet]):
    class Meta:
        model = GoldSet
        fields = (
            "id", "name", "version", "rule", "scheme", "batches", "agreement", "counts", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip
        read_only_fields = fields


class ChosenBatchesSerializer(StrictSerializer):
    batches = serializers.ListField(child=IdField(), allow_empty=False, max_length=1000)
    rule = serializers.ChoiceField(
        choices=GoldRule.choices, required=False, help_text="The project's by default."
    )


class NewGoldSetSerializer(ChosenBatchesSerializer):
    name = serializers.CharField(max_length=80)


class GoldJudgementSerializer(serializers.ModelSerializer[GoldJudgement]):
    """The label and the pair. Single people's answers are in reviews and exports, not here."""

    cluster = serializers.CharField(source="item.pair.cluster.key")
    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldJudgement
        fields = ("id", "item", "cluster", "label", "adjudicated", "a", "b")
        read_only_fields = fields

    def get_adjudicated(self, judgement: GoldJudgement) -> bool:
        return judgement.adjudication is not None


@extend_schema_view(get=extend_schema(operation_id="gold_sets_list"))
class GoldSetsView(RemovableListEndpoint):
    """The gold sets of the project, every version."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = GoldSet.objects.prefetch_related("batches")
    serializer_class = GoldSetSerializer

    @extend_schema(request=NewGoldSetSerializer, responses={201: GoldSetSerializer, 200: GoldSetSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Freeze the judgements of batches as the next version of a gold set.

        200 with the latest version where nothing has changed since it was frozen.
        """
        fields: dict[str, Any] = self.body(NewGoldSetSerializer)
        fields["batches"] = found(self.project.batches.all(), fields["batches"], field="batches")
        gold_set = freeze_gold_set(project=self.project, by=self.caller, **fields)
        made = status.HTTP_200_OK if gold_set.already_frozen else status.HTTP_201_CREATED
        return Response(GoldSetSerializer(gold_set).data, status=made)


class GoldForecastView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        operation_id="gold_sets_forecast", request=ChosenBatchesSerializer, responses=ForecastSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """How many pairs a freeze of these batches would leave out, and why; nothing is stored."""
        fields: dict[str, Any] = self.body(ChosenBatchesSerializer)
        fields["batches"] = found(self.project.batches.all(), fields["batches"], field="batches")
        return Response(ForecastSerializer(gold_forecast(project=self.project, **fields)).data)


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
