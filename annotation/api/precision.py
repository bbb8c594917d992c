"""The precision of extractions, estimated from a gold set."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import GoldSet
from annotation.permissions import check_see_gold
from annotation.services.precision import Shares, extraction_precision
from annotation.services.recall import recall_estimates
from projects.api.endpoint import ObjectEndpoint


class LabelShareSerializer(serializers.Serializer[Any]):
    """`count` of `items` pairs; the share from 0 to 1 with its 95 % interval (Wilson)."""

    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    count = serializers.IntegerField()
    items = serializers.IntegerField()
    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class ExtractionSharesSerializer(serializers.Serializer[Any]):
    extraction = serializers.IntegerField()
    name = serializers.CharField()
    shares = LabelShareSerializer(many=True)


class DistanceSharesSerializer(serializers.Serializer[Any]):
    edit_distance = serializers.CharField(help_text="A range of words, such as 5-8.")
    shares = LabelShareSerializer(many=True)


class RecallSerializer(serializers.Serializer[Any]):
    """The share of all paraphrases that was found, 0 to 1, null when none was judged, with its interval.

    `found` of `all` paraphrases are estimates.
    """

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField()
    high = serializers.FloatField()
    found = serializers.FloatField()
    all = serializers.FloatField()


class ExtractionRecallSerializer(serializers.Serializer[Any]):
    extraction = serializers.IntegerField()
    name = serializers.CharField()
    recall = RecallSerializer()


class BatchRecallSerializer(serializers.Serializer[Any]):
    """A batch with judged pairs that its dataset holds and judged ones that no extraction of it found."""

    batch = serializers.IntegerField()
    dataset = RecallSerializer()
    extractions = ExtractionRecallSerializer(many=True)
    signature = serializers.CharField()


class PrecisionSerializer(serializers.Serializer[Any]):
    """`counted` of the gold set's `pairs` were drawn at random; only they are in the shares."""

    pairs = serializers.IntegerField()
    counted = serializers.IntegerField()
    extractions = ExtractionSharesSerializer(many=True)
    distances = DistanceSharesSerializer(many=True)
    recall = BatchRecallSerializer(many=True, help_text="From batches that hold rejected pairs.")
    signature = serializers.CharField()


class GoldSetPrecisionView(ObjectEndpoint):
    rows = GoldSet.objects.all()
    checks = {"GET": check_see_gold}

    @extend_schema(responses=PrecisionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """What share of an extraction's pairs has which label, and what share of all paraphrases it finds."""
        report = extraction_precision(self.object)
        rows = {
            "pairs": report.pairs,
            "counted": report.counted,
            "extractions": [
                {"extraction": found.pk, "name": found.name, "shares": shares_json(shares)}
                for found, shares in report.extractions
            ],
            "distances": [
                {"edit_distance": name, "shares": shares_json(shares)} for name, shares in report.distances
            ],
            "recall": [
                {
                    "batch": found.batch.pk,
                    "dataset": found.whole,
                    "extractions": [
                        {"extraction": method.pk, "name": method.name, "recall": estimate}
                        for method, estimate in found.extractions
                    ],
                    "signature": found.signature,
                }
                for found in recall_estimates(self.object)
            ],
            "signature": report.signature,
        }
        return Response(PrecisionSerializer(rows).data)


def shares_json(shares: Shares) -> list[dict[str, Any]]:
    """The shares of pairs that there are: of none there is no interval, and no row either."""
    found = []
    for label, share in shares.items():
        low, high = share.interval or (None, None)
        fields = {"count": share.count, "items": share.items, "value": share.value, "low": low, "high": high}
        found.append({"label": label, **fields})
    return found
