"""The phrase pairs of gold links and of runs of aligners."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, GoldAlignmentSet
from alignment.services.phrase_tables import MAX_TEXT, ROWS_CACHED, most_frequent, narrowed
from alignment.views.phrases import tsv_response
from annotation.permissions import check_see_gold
from paragold.aligners.phrases import PhraseSpec
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import LARGEST_SEED, SpecSerializer


class PhraseFilter(SpecSerializer):
    spec_class = PhraseSpec
    text = serializers.CharField(
        default="", allow_blank=True, max_length=MAX_TEXT, help_text="Text contained in either phrase."
    )
    min_count = serializers.IntegerField(
        default=1, min_value=1, max_value=LARGEST_SEED, help_text="Sentence pairs that have the phrase pair."
    )


class PhrasePairSerializer(serializers.Serializer[Any]):
    """Relative frequencies are 0 to 1."""

    first = serializers.CharField()
    second = serializers.CharField()
    count = serializers.IntegerField(help_text="In how many sentence pairs the phrases correspond.")
    second_given_first = serializers.FloatField()
    first_given_second = serializers.FloatField()


class PhrasePairsEndpoint(ObjectEndpoint):
    checks = {"GET": check_see_gold}

    @extend_schema(parameters=[PhraseFilter], responses=PhrasePairSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        filters = self.filters(PhraseFilter)
        table, _ = most_frequent(self.object, filters["spec"])
        pairs = narrowed(table.pairs, text=filters["text"], min_count=filters["min_count"])
        return self.paged(pairs, PhrasePairSerializer)


class PhraseFileEndpoint(ObjectEndpoint):
    checks = {"GET": check_see_gold}

    @extend_schema(
        parameters=[PhraseFilter],
        responses={(200, "text/tab-separated-values"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> StreamingHttpResponse:
        return tsv_response(self.object, **self.filters(PhraseFilter))


LIST = (
    f"Phrase pairs consistent with the links, among the {ROWS_CACHED:,} most frequent; highest counts first."
)
FILE = "All phrase pairs as lines of tab-separated values below a header, highest counts first."
GOLD: QuerySet[GoldAlignmentSet] = GoldAlignmentSet.objects.select_related("project")
RUNS: QuerySet[AlignerRun] = AlignerRun.objects.select_related("project", "job")


@extend_schema_view(get=extend_schema(operation_id="gold_alignment_phrase_pairs_list", description=LIST))
class GoldPhrasePairsView(PhrasePairsEndpoint):
    rows = GOLD


@extend_schema_view(get=extend_schema(operation_id="gold_alignment_phrase_pairs_file", description=FILE))
class GoldPhraseFileView(PhraseFileEndpoint):
    rows = GOLD


@extend_schema_view(get=extend_schema(operation_id="aligner_run_phrase_pairs_list", description=LIST))
class RunPhrasePairsView(PhrasePairsEndpoint):
    rows = RUNS


@extend_schema_view(get=extend_schema(operation_id="aligner_run_phrase_pairs_file", description=FILE))
class RunPhraseFileView(PhraseFileEndpoint):
    rows = RUNS
