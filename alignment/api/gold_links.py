"""Linking batches drawn from gold sets, and the gold links frozen from what people linked."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.forms import MAX_MEGABYTES
from alignment.models import GoldAlignment, GoldAlignmentSet
from alignment.services.batches import draw_linking_batch
from alignment.services.gold_links import RULES, STRENGTHS, freeze_gold_alignments, links_forecast
from alignment.services.scoring import score_link_file
from annotation.api.batches import BatchSerializer, NewBatchFields, batch_json
from annotation.api.gold import ForecastEndpoint, ForecastSerializer, GoldSetsEndpoint
from annotation.permissions import check_see_gold
from corpus.api.articles import PairSentenceSerializer
from corpus.api.uploads import FORM_BYTES, LimitedBody
from corpus.services.uploads import on_disk
from jobs.api.removal import RemovableEndpoint
from paragold.formats.link_files import LINK_FORMATS
from paragold.problems import FileProblem
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_SEED, IdField, RowSerializer, StrictSerializer, with_rows
from projects.errors import PublicError
from projects.permissions import check_manage

from .aligners import EvaluationSerializer
from .link_imports import LinksTooLarge


class NewLinkBatchSerializer(NewBatchFields):
    gold_set = IdField()
    size = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_SEED,
        required=False,
        help_text="How many pairs are drawn; by default all paraphrases.",
    )
    suggester = serializers.CharField(
        max_length=40,
        default="",
        allow_blank=True,
        help_text="Aligner whose links are suggested, or none; `suggestions` of a batch lists the choices.",
    )


class LinkBatchesView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewLinkBatchSerializer, responses={201: BatchSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw paraphrases of a gold set at random for annotators to link."""
        fields = with_rows(self.body(NewLinkBatchSerializer), gold_set=self.project.gold_sets.all())
        batch = draw_linking_batch(project=self.project, by=self.caller, **fields)
        return Response(batch_json(batch, request.user), status=status.HTTP_201_CREATED)


class GoldAlignmentSetSerializer(RowSerializer[GoldAlignmentSet]):
    class Meta:
        model = GoldAlignmentSet
        fields = (
            "id", "name", "version", "batch", "rule", "agreement", "counts", "lineage", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class ChosenLinkBatchSerializer(StrictSerializer):
    batch = IdField()
    rule = serializers.ChoiceField(
        choices=RULES,
        required=False,
        help_text="By default adjudicated once an adjudicator has decided anything in the batch, else the "
        "papers' rule.",
    )


class NewGoldAlignmentSetSerializer(ChosenLinkBatchSerializer):
    name = serializers.CharField(max_length=80)


class GoldAlignmentSerializer(RowSerializer[GoldAlignment]):
    """`links` are [a, b, "sure" | "possible"], token indices from 0; no single annotator's links."""

    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    links = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))

    class Meta:
        model = GoldAlignment
        fields = ("id", "item", "a", "b", "links")


@extend_schema_view(
    get=extend_schema(operation_id="gold_alignments_list"),
    post=extend_schema(
        request=NewGoldAlignmentSetSerializer,
        responses={201: GoldAlignmentSetSerializer, 200: GoldAlignmentSetSerializer},
    ),
)
class GoldAlignmentSetsView(GoldSetsEndpoint):
    """The gold links of the project, every version."""

    rows = GoldAlignmentSet.objects.all()
    serializer_class = GoldAlignmentSetSerializer
    new_serializer = NewGoldAlignmentSetSerializer
    freeze = staticmethod(freeze_gold_alignments)


@extend_schema_view(
    post=extend_schema(
        operation_id="gold_alignments_forecast",
        request=ChosenLinkBatchSerializer,
        responses=ForecastSerializer,
    )
)
class GoldAlignmentForecastView(ForecastEndpoint):
    chosen_serializer = ChosenLinkBatchSerializer
    forecast = staticmethod(links_forecast)


class GoldAlignmentSetView(RemovableEndpoint):
    """One set of gold links with its agreement and counts."""

    rows = GoldAlignmentSet.objects.all()
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = GoldAlignmentSetSerializer


class LinkFileSerializer(StrictSerializer):
    file = serializers.FileField(
        max_length=255, help_text="Links for the pairs of the gold links, in their order."
    )
    name = serializers.CharField(max_length=40, help_text="Name of the program that drew the links.")
    format = serializers.ChoiceField(
        choices=LINK_FORMATS.ids(),
        required=False,
        help_text="Format of the file; by default it is recognised from the content.",
    )
    encoding = serializers.CharField(default="utf-8", max_length=40)
    strengths = serializers.ChoiceField(choices=list(STRENGTHS.items()), default="as_drawn")


class LinkFileScoresView(LimitedBody, ObjectEndpoint):
    rows = GoldAlignmentSet.objects.all()
    checks = {"POST": check_manage}
    parser_classes = (MultiPartParser,)
    max_bytes = (MAX_MEGABYTES << 20) + FORM_BYTES
    too_large = LinksTooLarge

    @extend_schema(request={"multipart/form-data": LinkFileSerializer}, responses={201: EvaluationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Score the links that another program drew."""
        fields = self.body(LinkFileSerializer)
        file, format_name = fields.pop("file"), fields.pop("format", None)
        with on_disk(file.chunks()) as path:
            try:
                evaluation = score_link_file(
                    gold_set=self.object, path=path, format_name=format_name, filename=file.name, **fields
                )
            except FileProblem as error:
                raise PublicError(str(error), field="file") from error
        return self.created(EvaluationSerializer, evaluation)


class GoldAlignmentPairsView(ObjectEndpoint):
    rows = GoldAlignmentSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(operation_id="gold_alignment_pairs_list", responses=GoldAlignmentSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The pairs with their merged links, in the order of the batch."""
        self.filters()
        rows = self.object.alignments.select_related(
            "item__pair__sentence_a__article", "item__pair__sentence_b__article"
        )
        return self.paged(rows, GoldAlignmentSerializer)
