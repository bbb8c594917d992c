"""Whose links are suggested in a linking batch."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.models import SuggestedLinks
from alignment.services.suggestions import latest_job, reasons_for, set_suggester, suggester_choices
from annotation.models import Batch
from annotation.permissions import own_assignment
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.permissions import check_manage


class SuggesterSerializer(StrictSerializer):
    suggester = serializers.CharField(
        max_length=40, allow_blank=True, help_text="One of the settings; empty: nothing is suggested."
    )


class SuggestionsSerializer(serializers.Serializer[Any]):
    """`pairs` have suggestions of that suggester; `job` is the one that was last asked to draw them."""

    suggester = serializers.CharField()
    settings = serializers.DictField(child=serializers.CharField(), help_text="What there is, with labels.")
    pairs = serializers.IntegerField()
    job = serializers.IntegerField(allow_null=True)


class SuggestionsView(ObjectEndpoint):
    """Suggestions are drawn at once where that is quick, by a job where it takes an aligner to be trained."""

    rows = Batch.objects.filter(kind="link")
    checks = {"GET": check_manage, "PUT": check_manage}

    @extend_schema(operation_id="batches_suggestions_retrieve", responses=SuggestionsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Whose links are suggested in the batch, and whose could be."""
        self.filters()
        return Response(_told(self.object))

    @extend_schema(request=SuggesterSerializer, responses=SuggestionsSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set whose links are suggested, and have them drawn for every pair; accepted links stay."""
        setting = self.body(SuggesterSerializer)["suggester"]
        set_suggester(batch=self.object, by=self.caller, setting=setting)
        return Response(_told(self.object))


class SuggestionReasonSerializer(serializers.Serializer[Any]):
    a = serializers.IntegerField(help_text="Token of the first sentence, from 0.")
    b = serializers.IntegerField()
    reason = serializers.CharField(help_text="In words; empty where the aligner gives no reason.")


class SuggestionReasonsSerializer(serializers.Serializer[Any]):
    links = SuggestionReasonSerializer(many=True)


class SuggestionReasonsView(APIView):
    @extend_schema(operation_id="assignments_suggestions_retrieve", responses=SuggestionReasonsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """What spoke for each link that is suggested to me for this pair."""
        item = own_assignment(request.user, pk, with_sentences=False).item
        links = [{"a": a, "b": b, "reason": reason} for a, b, reason in reasons_for(item)]
        return Response({"links": links})


def _told(batch: Batch) -> dict[str, Any]:
    job = latest_job(batch)
    drawn = SuggestedLinks.objects.filter(item__batch=batch, setting=batch.suggester)
    return {
        "suggester": batch.suggester,
        "settings": dict(suggester_choices(batch.project)),
        "pairs": drawn.values("item").distinct().count(),
        "job": job.pk if job else None,
    }
