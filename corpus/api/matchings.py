"""Matching sentences by the words they share."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.extraction.criteria import CLUSTERS
from corpus.matching.settings import (
    LARGEST_SEED,
    METHODS,
    MOST_PERMUTATIONS,
    MOST_STOP_WORDS,
    MatchSettings,
)
from corpus.matching.word_sets import STOP_WORDS
from corpus.permissions import check_manage
from corpus.services.matching import SCOPES
from corpus.services.matching_estimate import estimate, launch_within_cap

from .endpoint import ProjectEndpoint
from .extractions import ExtractionSerializer
from .serializers import SeedField, StrictSerializer


class MatchingSettingsSerializer(StrictSerializer):
    method = serializers.ChoiceField(
        choices=METHODS,
        default="minhash",
        help_text="minhash: share of equal keys; exact: Jaccard; bands: Jaccard, for very many sentences.",
    )
    threshold = serializers.FloatField(min_value=0.01, max_value=1, default=0.33)
    permutations = serializers.IntegerField(
        min_value=1, max_value=MOST_PERMUTATIONS, default=128, help_text="Of minhash."
    )
    greedy = serializers.BooleanField(default=False, help_text="One partner at most for each sentence.")
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, default=1)
    stop_words = serializers.ListField(
        child=serializers.CharField(max_length=200),
        max_length=MOST_STOP_WORDS,
        required=False,
        help_text="Stop words, instead of determiners and the possessive.",
    )
    scope = serializers.ChoiceField(
        choices=list(SCOPES), default="clusters", help_text="Within clusters, or across the project."
    )
    clusters = serializers.ChoiceField(
        choices=CLUSTERS, default="all", help_text="`with_imported`: all, and imported pairs too."
    )


class NewMatchingSerializer(MatchingSettingsSerializer):
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even when very many pairs are to be expected."
    )


class MatchingEstimateSerializer(serializers.Serializer[Any]):
    """`low` and `high` are a 95 % interval. All but `sentences` are null where `reason` says why."""

    sentences = serializers.IntegerField(help_text="That would be matched.")
    reason = serializers.CharField(help_text="Why nothing is estimated; else empty.")
    pairs = serializers.IntegerField(
        allow_null=True, help_text="Expected; with one partner at most there are fewer."
    )
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(
        allow_null=True, help_text="Everything was compared: `pairs` is a count, no estimate."
    )
    texts = serializers.IntegerField(allow_null=True, help_text="Distinct texts.")
    rows = serializers.IntegerField(allow_null=True, help_text="Texts drawn to be compared.")
    columns = serializers.IntegerField(allow_null=True, help_text="Texts drawn to compare them with.")
    found = serializers.IntegerField(allow_null=True, help_text="Matches of a row with a column.")


class MatchingEstimateRequestSerializer(MatchingSettingsSerializer):
    sample_seed = SeedField(default=1, help_text="Another one draws other texts.")


def _asked(fields: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a launch or an estimate."""
    settings = {name: fields.pop(name) for name in ("method", "threshold", "permutations", "greedy", "seed")}
    words = fields.pop("stop_words", None)
    settings["stop_words"] = STOP_WORDS if words is None else frozenset(word.lower() for word in words)
    return {**fields, "settings": MatchSettings(**settings)}


class MatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match sentences by a job: an extraction whose findings keep score and Jaccard."""
        asked = _asked(self.body(NewMatchingSerializer))
        extraction = launch_within_cap(project=self.project, by=self.caller, **asked)
        return Response(ExtractionSerializer(extraction).data, status=status.HTTP_201_CREATED)


class MatchingEstimateView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=MatchingEstimateRequestSerializer, responses=MatchingEstimateSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """What a matching would find, from a sample; nothing is stored."""
        fields = self.body(MatchingEstimateRequestSerializer)
        seed = fields.pop("sample_seed")
        found = estimate(project=self.project, seed=seed, **_asked(fields))
        names = ("pairs", "low", "high", "complete", "texts", "rows", "columns", "found")
        figures = {name: getattr(found.expected, name, None) for name in names}
        values = {"sentences": found.sentences, "reason": found.reason, **figures}
        return Response(MatchingEstimateSerializer(values).data)
