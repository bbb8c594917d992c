"""Counting what an extraction would find, without storing it."""

from __future__ import annotations

from math import isfinite
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.services.dry_run import DryRun, dry_run
from corpus.services.presets import criteria_from
from paragold.extraction.kernels import NAMES
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import SeedField, StrictSerializer
from projects.permissions import check_manage


class NewDryRunSerializer(StrictSerializer):
    preset = serializers.CharField(
        max_length=40,
        default=RECOMMENDED,
        help_text=f"{names_with_purposes()}, or a preset that the project saved.",
    )
    settings = serializers.DictField(
        default=dict, help_text="Parameters of the preset to replace, such as max_edit_distance."
    )
    sample = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=1_000_000_000,
        help_text="Clusters to look at; null: all, if time allows.",
    )
    seed = SeedField(default=1)
    kernel = serializers.ChoiceField(choices=("", *NAMES), default="")
    seconds = serializers.FloatField(
        default=4.0, min_value=0.1, max_value=20.0, help_text="After these no further cluster is begun."
    )


class ExampleSerializer(serializers.Serializer[Any]):
    a = serializers.CharField()
    b = serializers.CharField()
    edit_distance = serializers.IntegerField()
    shared_words = serializers.IntegerField()


class ExampleBinSerializer(serializers.Serializer[Any]):
    low = serializers.IntegerField(help_text="Edit distance, inclusive.")
    high = serializers.IntegerField(help_text="Edit distance, inclusive.")
    pairs = serializers.IntegerField(help_text="In the sample.")
    examples = ExampleSerializer(many=True)


class DryRunSerializer(serializers.Serializer[Any]):
    """`low` and `high` are a 95 % interval; `high` is null when one cluster of several was looked at."""

    pairs = serializers.FloatField(help_text="To be expected of the whole corpus.")
    low = serializers.FloatField()
    high = serializers.FloatField(allow_null=True)
    bytes = serializers.FloatField(help_text="That they would take in this database.")
    clusters = serializers.IntegerField()
    sampled = serializers.IntegerField(help_text="Clusters that were looked at.")
    found = serializers.IntegerField(help_text="Pairs in the sample.")
    seconds = serializers.FloatField()
    distances = serializers.DictField(
        child=serializers.IntegerField(), help_text="Pairs in the sample by edit distance."
    )
    bins = ExampleBinSerializer(many=True)


class ExtractionDryRunView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        operation_id="extractions_dry_run", request=NewDryRunSerializer, responses=DryRunSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count what an extraction would find, on a sample of clusters or on all; nothing is stored."""
        fields = self.body(NewDryRunSerializer)
        criteria = criteria_from(self.project, fields.pop("preset"), fields.pop("settings"))
        counted = dry_run(project=self.project, criteria=criteria, **fields)
        return Response(DryRunSerializer(_plain(counted)).data)


def _plain(counted: DryRun) -> dict[str, Any]:
    expected = counted.projection
    return {
        "pairs": expected.pairs,
        "low": expected.low,
        "high": expected.high if isfinite(expected.high) else None,
        "bytes": counted.disk,
        "clusters": counted.clusters,
        "sampled": counted.sampled,
        "found": counted.found,
        "seconds": counted.seconds,
        "distances": {str(distance): pairs for distance, pairs in sorted(counted.distances.items())},
        "bins": counted.bins,
    }
