"""Word aligners: how they score on gold links; training, fetching, explaining and applying them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, AutomaticAlignment, Evaluation, GoldAlignmentSet, TrainedAligner
from alignment.services.aligner_comparison import compare_aligners, link_sources
from alignment.services.gold_links import STRENGTHS
from alignment.services.phrase_tables import MAX_TEXT, most_frequent, narrowed
from alignment.services.scoring import score_aligner
from alignment.services.trained_aligners.applying import ExplainedLink, explain_pair
from alignment.services.trained_aligners.launching import new_gold_pairs
from annotation.permissions import check_see_gold
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.aligners.phrases import COLUMNS, PhraseSpec
from paragold.aligners.registry import ALIGNERS, untrained_ids
from paragold.metrics.link_comparison import KINDS, OUTCOMES, as_json, by_difference
from projects.api.endpoint import KeySetPagination, ListEndpoint, ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import (
    LARGEST_ID,
    LARGEST_SEED,
    IdField,
    RowSerializer,
    SpecSerializer,
    StrictSerializer,
    with_rows,
)
from projects.permissions import check_manage


class AlignersView(ProjectEndpoint):
    """The word aligners with their parameters, for the page of their scores."""

    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str) -> Response:
        self.filters()
        language = self.project.language
        methods = [
            {
                "name": method.id,
                "learns_from_pairs": method.learns_from_pairs,
                "learns_from_gold": method.learns_from_gold,
                "parameters": method.parameters().as_json() | method.settings_for(language),
            }
            for method in ALIGNERS
        ]
        return Response({"aligners": methods})


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


class ExplanationFilter(StrictSerializer):
    pair = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_ID)
    link = serializers.RegexField(r"^\d{1,6}-\d{1,6}$", required=False, help_text="One link only: 3-4.")


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


class ExplanationView(TrainedAlignerEndpoint):
    """The reasons for and against each candidate link of a pair."""

    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        filters = self.filters(ExplanationFilter)
        if "pair" not in filters:
            return Response({"pair": None, "links": []})
        pair, links = explain_pair(trained=self.object, pair=str(filters["pair"]))
        if "link" in filters:
            links = [link for link in links if filters["link"] == "{}-{}".format(*link.why.link)]
        return Response({"pair": pair.pk, "links": [_explained(link) for link in links]})


def _explained(link: ExplainedLink) -> dict[str, Any]:
    return {
        "link": link.why.link,
        "word_a": link.word_a,
        "word_b": link.word_b,
        "drawn": link.why.drawn,
        "probability": link.why.probability,
        "threshold": link.why.threshold,
        "start": link.why.start,
        "sources": [{"name": name, "contribution": amount} for name, amount in link.why.sources],
        "reasons": [
            {"name": name, "value": value, "contribution": contribution}
            for name, value, contribution in link.why.weighty
        ],
        "rule": link.why.rule,
    }


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


class ComparisonFilter(StrictSerializer):
    """`a` and `b`: `cell:3` (an experiment's training), `run:4` (of a trained aligner) or an aligner without
    training such as `identity`.
    """

    gold_set = IdField(required=False)
    a = serializers.CharField(max_length=40, required=False)
    b = serializers.CharField(max_length=40, required=False)
    outcome = serializers.ChoiceField(choices=list(OUTCOMES), required=False)
    kind = serializers.ChoiceField(choices=list(KINDS), required=False)


class ComparisonView(ProjectEndpoint):
    """Two aligners compared on gold links: who is right where."""

    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str) -> Response:
        """Without `a` and `b` the aligners that can be compared."""
        filters = self.filters(ComparisonFilter)
        gold = self.project.gold_alignment_sets.current()
        gold_set = with_rows(filters, gold_set=gold).get("gold_set") or gold.first()
        if gold_set is None:
            return Response({"gold_set": None, "aligners": {}})
        answer: dict[str, Any] = {"gold_set": gold_set.pk, "aligners": dict(link_sources(gold_set))}
        if not {"a", "b"} <= filters.keys():
            return Response(answer)
        sides = {side: filters[side] for side in ("a", "b")}
        compared, summary = compare_aligners(project=self.project, gold_set=gold_set, **sides)
        chosen = {name: filters.get(name, "") for name in ("outcome", "kind")}
        pairs = by_difference(compared, **chosen)
        answer["comparison"] = summary
        return Response(answer | {"pairs": [as_json(pair) for pair in pairs]})


class PhraseFilter(SpecSerializer):
    spec_class = PhraseSpec
    text = serializers.CharField(default="", allow_blank=True, max_length=MAX_TEXT)
    min_count = serializers.IntegerField(default=1, min_value=1, max_value=LARGEST_SEED)


class PhrasePairsEndpoint(ObjectEndpoint):
    """Phrase pairs consistent with the links, the highest counts first, a page at a time."""

    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        filters = self.filters(PhraseFilter)
        table, *_ = most_frequent(self.object, filters["spec"])
        pairs = narrowed(table, text=filters["text"], min_count=filters["min_count"])
        pages = KeySetPagination()
        page = pages.paginate_queryset(pairs, request)
        return pages.get_paginated_response([dict(zip(COLUMNS, pair, strict=True)) for pair in page])


class GoldPhrasePairsView(PhrasePairsEndpoint):
    rows = GoldAlignmentSet.objects.select_related("project")


class RunPhrasePairsView(PhrasePairsEndpoint):
    rows = AlignerRun.objects.select_related("project", "job")
