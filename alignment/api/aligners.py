"""Word aligners: how they score on gold links; training, fetching, explaining and applying them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, AutomaticAlignment, Evaluation, TrainedAligner
from alignment.services.gold_links import STRENGTHS
from alignment.services.scoring import score_aligner
from alignment.services.trained_aligners.launching import new_gold_pairs
from annotation.permissions import check_see_gold
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.aligners.registry import untrained_ids
from projects.api.endpoint import ListEndpoint, ObjectEndpoint
from projects.api.serializers import (
    IdField,
    RowSerializer,
    StrictSerializer,
    with_rows,
)
from projects.permissions import check_manage


class EvaluationSerializer(RowSerializer[Evaluation]):
    """`scores` has precision, recall and aer, shares from 0 to 1, for all, identical and other words."""

    gold_set = serializers.IntegerField(source="gold_set_id")

    class Meta:
        model = Evaluation
        fields = ("id", "gold_set", "aligner", "scores", "signature", "created_at")


class NewEvaluationSerializer(StrictSerializer):
    gold_set = IdField()
    aligner = serializers.ChoiceField(choices=untrained_ids())
    strengths = serializers.ChoiceField(choices=list(STRENGTHS), default="as_drawn")


@extend_schema_view(get=extend_schema(operation_id="evaluations_list"))
class EvaluationsView(ListEndpoint):
    """Every score of an aligner on a set of gold links of the project."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = Evaluation.objects.all()
    project_path = ("gold_set", "project")
    serializer_class = EvaluationSerializer

    @extend_schema(request=NewEvaluationSerializer, responses={201: EvaluationSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Score an aligner. The same one on the same gold returns the existing evaluation."""
        gold = self.project.gold_alignment_sets.all()
        fields = with_rows(self.body(NewEvaluationSerializer), gold_set=gold)
        evaluation = score_aligner(
            gold_set=fields["gold_set"], aligner=fields["aligner"], strengths=fields["strengths"]
        )
        return Response(EvaluationSerializer(evaluation).data, status=status.HTTP_201_CREATED)


class TrainedAlignerSerializer(RowSerializer[TrainedAligner]):
    """`iterations` have the log-likelihoods of both directions (natural logarithm); `learning_curve` the
    scores on held-out pairs by number of gold pairs; `sha256` is "" until the training has ended.
    `transfers` say whether the starting point, and then each of `other_gold`, named by `gold`, `helps` by
    cross-validation on the gold links: `aer` with it and `aer_alone` without, fractions from 0 to 1, on so
    many `pairs`, and the `variance` of the prior (0: unchanged weights; null: not used).
    `pairs_held_out` are pairs of held-out clusters: they are for testing, and were left out of the `pairs`
    that it was trained on.
    `new_gold_pairs` are those of the newest version of its gold links that it was not trained on.
    """

    gold_set = serializers.IntegerField(source="gold_set_id", allow_null=True)
    new_gold_pairs = serializers.SerializerMethodField()

    class Meta:
        model = TrainedAligner
        fields = (
            "id", "job", "name", "version", "aligner", "parameters", "datasets", "texts", "gold_set",
            "other_gold", "new_gold_pairs", "pairs",
            "pairs_held_out", "iterations", "learning_curve", "transfers", "signature", "sha256", "bytes",
            "created_at", "archived_at",
        )  # fmt: skip

    def get_new_gold_pairs(self, trained: TrainedAligner) -> int:
        return new_gold_pairs(trained)


@extend_schema_view(get=extend_schema(operation_id="trained_aligners_list"))
class TrainedAlignersView(RemovableListEndpoint):
    """The trained aligners of the project, newest first."""

    checks = {"GET": check_see_gold}
    rows = TrainedAligner.objects.select_related("gold_set").prefetch_related(
        "datasets", "texts", "other_gold"
    )
    serializer_class = TrainedAlignerSerializer


class TrainedAlignerEndpoint(ObjectEndpoint):
    rows = TrainedAligner.objects.select_related("job", "gold_set")


class TrainedAlignerView(TrainedAlignerEndpoint, RemovableEndpoint):
    """A trained aligner; its job has the progress."""

    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = TrainedAlignerSerializer


class AlignerRunSerializer(RowSerializer[AlignerRun]):
    """Its job has the progress."""

    gold_set = serializers.IntegerField(source="gold_set_id", allow_null=True)

    class Meta:
        model = AlignerRun
        fields = ("id", "job", "trained", "dataset", "gold_set", "created_at", "archived_at")


class AutomaticAlignmentSerializer(RowSerializer[AutomaticAlignment]):
    """`links` are [a, b], token indices from 0."""

    links = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), source="link_list"
    )

    class Meta:
        model = AutomaticAlignment
        fields = ("id", "pair", "links")


@extend_schema_view(get=extend_schema(operation_id="aligner_runs_list"))
class AlignerRunsView(RemovableListEndpoint):
    """Runs of trained aligners, newest first."""

    checks = {"GET": check_see_gold}
    rows = AlignerRun.objects.all()
    serializer_class = AlignerRunSerializer


class AlignerRunEndpoint(ObjectEndpoint):
    rows = AlignerRun.objects.select_related("trained", "dataset", "gold_set", "job")


class AlignerRunView(AlignerRunEndpoint, RemovableEndpoint):
    """One run of a trained aligner."""

    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = AlignerRunSerializer


class AutomaticAlignmentsView(AlignerRunEndpoint):
    checks = {"GET": check_see_gold}

    @extend_schema(
        operation_id="automatic_alignments_list", responses=AutomaticAlignmentSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The pairs with the links that were drawn."""
        self.filters()
        return self.paged(self.object.alignments.all(), AutomaticAlignmentSerializer)
