"""Analyses that answer at their pages with `?format=json`: two aligners compared, phrase pairs."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, GoldAlignmentSet
from alignment.services.aligner_comparison import compare_aligners, link_sources
from alignment.services.phrase_tables import MAX_TEXT, most_frequent, narrowed
from annotation.permissions import check_see_gold
from paragold.aligners.phrases import PhraseSpec
from paragold.metrics.link_comparison import KINDS, OUTCOMES, by_difference
from projects.api.endpoint import KeySetPagination, ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import LARGEST_SEED, IdField, SpecSerializer, StrictSerializer, with_rows


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
        return Response(answer | {"pairs": [pair.as_json() for pair in pairs]})


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
