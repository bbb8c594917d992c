"""The phrase pairs of gold links and of runs of aligners."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, GoldAlignmentSet
from alignment.services.phrase_tables import MAX_TEXT, most_frequent, narrowed
from annotation.permissions import check_see_gold
from paragold.aligners.phrases import PhraseSpec
from projects.api.endpoint import KeySetPagination, ObjectEndpoint
from projects.api.serializers import LARGEST_SEED, SpecSerializer


class PhraseFilter(SpecSerializer):
    spec_class = PhraseSpec
    text = serializers.CharField(default="", allow_blank=True, max_length=MAX_TEXT)
    min_count = serializers.IntegerField(default=1, min_value=1, max_value=LARGEST_SEED)


class PhrasePairsEndpoint(ObjectEndpoint):
    """Phrase pairs consistent with the links, the highest counts first, a page at a time."""

    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        filters = self.filters(PhraseFilter)
        table, _ = most_frequent(self.object, filters["spec"])
        pairs = narrowed(table.pairs, text=filters["text"], min_count=filters["min_count"])
        pages = KeySetPagination()
        return pages.get_paginated_response(pages.paginate_queryset(pairs, request))


class GoldPhrasePairsView(PhrasePairsEndpoint):
    rows = GoldAlignmentSet.objects.select_related("project")


class RunPhrasePairsView(PhrasePairsEndpoint):
    rows = AlignerRun.objects.select_related("project", "job")
