"""Two aligners on one set of gold links, link by link."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import GoldAlignmentSet
from alignment.services.aligner_comparison import compare_aligners
from annotation.permissions import check_see_gold
from paragold.metrics.link_comparison import KINDS, OUTCOMES, STRENGTHS, by_difference
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import StrictSerializer

from .experiments import KindSerializer


class ComparisonFilter(StrictSerializer):
    """`a` and `b`: `cell:3` (an experiment's training), `run:4` (of a trained aligner) or an aligner without
    training such as `identity`.
    """

    a = serializers.CharField(max_length=40)
    b = serializers.CharField(max_length=40)
    outcome = serializers.ChoiceField(choices=list(OUTCOMES), required=False, help_text="Only such pairs.")
    kind = serializers.ChoiceField(choices=list(KINDS), required=False, help_text="Only such errors.")


class RatesSerializer(serializers.Serializer[Any]):
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    aer = serializers.FloatField(allow_null=True)
    aer_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class PairedTestSerializer(serializers.Serializer[Any]):
    aer_difference = serializers.FloatField(help_text="AER of a minus that of b.")
    difference_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    p = serializers.FloatField()


class RatesByWordsSerializer(serializers.Serializer[Any]):
    all = RatesSerializer()
    identical = RatesSerializer()
    non_identical = RatesSerializer()


class TestsByWordsSerializer(serializers.Serializer[Any]):
    all = PairedTestSerializer(allow_null=True)
    identical = PairedTestSerializer(allow_null=True)
    non_identical = PairedTestSerializer(allow_null=True)


class BothRatesSerializer(serializers.Serializer[Any]):
    a = RatesByWordsSerializer()
    b = RatesByWordsSerializer()


class OutcomeRowSerializer(serializers.Serializer[Any]):
    strength = serializers.ChoiceField(choices=list(STRENGTHS), help_text="In the gold.")
    identical = serializers.BooleanField()
    both_right = serializers.IntegerField()
    only_a = serializers.IntegerField()
    only_b = serializers.IntegerField()
    both_wrong = serializers.IntegerField()


class PossibleSerializer(serializers.Serializer[Any]):
    both = serializers.IntegerField()
    only_a = serializers.IntegerField()
    only_b = serializers.IntegerField()
    none = serializers.IntegerField()


class BothErrorsSerializer(serializers.Serializer[Any]):
    a = KindSerializer(many=True)
    b = KindSerializer(many=True)


class ComparedLinkSerializer(serializers.Serializer[Any]):
    link = serializers.ListField(child=serializers.IntegerField(), help_text="Token indices from 0.")
    strength = serializers.ChoiceField(choices=list(STRENGTHS))
    a = serializers.BooleanField(help_text="Whether a drew it.")
    b = serializers.BooleanField()
    outcome = serializers.ChoiceField(choices=list(OUTCOMES))
    kind_a = serializers.CharField(help_text="Kind of the error of a; empty where it is right.")
    kind_b = serializers.CharField()


class ComparedPairSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Place in the gold alignments, from 1.")
    key = serializers.CharField()
    difference = serializers.IntegerField(help_text="Links only a has right minus those only b has right.")
    links = ComparedLinkSerializer(many=True, help_text="Those on which at least one is wrong.")


class ComparisonSerializer(serializers.Serializer[Any]):
    """Rates and shares are from 0 to 1. POSSIBLE links are right either way; `possible`: who drew them."""

    pairs = serializers.IntegerField()
    scores = BothRatesSerializer()
    tests = TestsByWordsSerializer()
    test = serializers.CharField()
    links = OutcomeRowSerializer(many=True)
    possible = PossibleSerializer()
    errors = BothErrorsSerializer()  # type: ignore[assignment]  # a field of that name, not the framework's
    signature = serializers.CharField()
    listed = ComparedPairSerializer(many=True, help_text="The largest difference first.")


class ComparisonView(ObjectEndpoint):
    rows = GoldAlignmentSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(parameters=[ComparisonFilter], responses=ComparisonSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Compare the links of two aligners on these gold alignments: who is right where."""
        filters = self.filters(ComparisonFilter)
        compared = compare_aligners(
            project=self.project, gold_set=self.object, a=filters["a"], b=filters["b"]
        )
        pairs = by_difference(
            compared.pairs, outcome=filters.get("outcome", ""), kind=filters.get("kind", "")
        )
        summary = compared.summary() | {"listed": [pair.as_json() for pair in pairs]}
        return Response(ComparisonSerializer(summary).data)
