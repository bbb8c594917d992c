"""Storing links, suggesting them, and the second look at those on which people differ."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.models import SuggestedLinks
from alignment.services.batches import (
    current_links,
    latest_job,
    reasons_for,
    set_suggester,
    suggester_choices,
)
from alignment.services.link_agreement import own_second_looks
from alignment.services.linking import save_alignment
from annotation.api.assignments import AnswerEndpoint, AnswerSerializer, stores
from annotation.api.items import QUEUE_LIMIT, ItemKind, ItemSerializer, QueueBatchSerializer, item_payload
from annotation.models import Assignment, AssignmentState, Batch, BatchKind
from annotation.permissions import own_assignment, own_batch
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import ListField, StrictSerializer, WholeListSerializer, refuse_unknown
from projects.errors import PublicError
from projects.permissions import check_manage


def links_payload(assignment: Assignment) -> dict[str, Any]:
    alignment = getattr(assignment, "alignment", None)
    links = alignment.links.all() if alignment else []
    return {
        "links": [[link.a, link.b, link.strength, link.origin] for link in links],
        "null_a": alignment.null_a if alignment else [],
        "null_b": alignment.null_b if alignment else [],
        "suggestions": current_links(assignment.item),
    }


LINK_ITEMS = ItemKind(links_payload, ("alignment__links", "item__suggested_links"))


MAX_TOKENS_OF_PAIR = 10_000
MAX_LINKS_OF_PAIR = 10_000


class AlignmentSerializer(AnswerSerializer):
    """`links` are [a, b, "sure" | "possible", "drawn" | "accepted" | "imported"], token indices from 0.

    Only links imported for this assignment can be "imported".
    """

    links = ListField(
        child=ListField(child=serializers.JSONField(), min_length=4, max_length=4),
        max_length=MAX_LINKS_OF_PAIR,
    )
    null_a = ListField(child=serializers.IntegerField(min_value=0), max_length=MAX_TOKENS_OF_PAIR, default=[])
    null_b = ListField(child=serializers.IntegerField(min_value=0), max_length=MAX_TOKENS_OF_PAIR, default=[])
    submitted = serializers.BooleanField(default=False)


@stores(AlignmentSerializer)
class AlignmentView(AnswerEndpoint):
    """Store my whole link set for an item, as a draft or submitted."""

    serializer_class = AlignmentSerializer
    save = staticmethod(save_alignment)
    with_sentences = True


class SecondLookSerializer(ItemSerializer):
    """`disputed` are the links [a, b] on which annotators differed; without who drew them."""

    disputed = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class SecondPassSerializer(WholeListSerializer):
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    items = SecondLookSerializer(many=True)


class SecondPassParameters(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=QUEUE_LIMIT, default=10)


def second_pass_payload(batch: Batch, user: Any, *, limit: int) -> dict[str, Any]:
    """As the queue of a batch; the items are those to look at again, whatever their state is."""
    looks = own_second_looks(batch, user)
    waiting = [look for look in looks if not look.done]
    return {
        "batch": QueueBatchSerializer(batch).data,
        "total": len(looks),
        "done": len(looks) - len(waiting),
        "skipped": 0,
        "paused": False,
        "items": [
            item_payload(look.assignment)
            | {"state": AssignmentState.OPEN.value, "suggestions": [], "disputed": look.disputed}
            for look in waiting[:limit]
        ],
        "next": None,
    }


class SecondPassView(APIView):
    """My pairs of a batch on whose links people differ, once everybody has submitted them."""

    @extend_schema(parameters=[SecondPassParameters], responses=SecondPassSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The pairs that I have not submitted again; a submission through `alignment/` ends each."""
        batch = own_batch(request.user, pk)
        if batch.kind != BatchKind.LINK:
            raise PublicError("Only linking batches have a second pass.")
        refuse_unknown(request.query_params, ["limit"], "filter")
        parameters = SecondPassParameters(data=request.query_params)
        parameters.is_valid(raise_exception=True)
        limit = parameters.validated_data["limit"]
        return Response(second_pass_payload(batch, request.user, limit=limit))


class SuggesterSerializer(StrictSerializer):
    suggester = serializers.CharField(
        max_length=40, allow_blank=True, help_text="One of the settings; empty: no suggestions."
    )


class SuggestionsSerializer(serializers.Serializer[Any]):
    """`pairs` have suggestions of this suggester; `job` is the latest job for them."""

    suggester = serializers.CharField()
    settings = serializers.DictField(
        child=serializers.CharField(), help_text="Aligners that can be chosen, each with its label."
    )
    pairs = serializers.IntegerField()
    job = serializers.IntegerField(allow_null=True)


class SuggestionsView(ObjectEndpoint):
    """Suggestions are drawn at once where that is quick, by a job where it takes an aligner to be trained."""

    rows = Batch.objects.filter(kind="link")
    checks = {"GET": check_manage, "PUT": check_manage}

    @extend_schema(operation_id="batches_suggestions_retrieve", responses=SuggestionsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The suggester of the batch, and the available ones."""
        self.filters()
        return Response(_suggestions_json(self.object))

    @extend_schema(request=SuggesterSerializer, responses=SuggestionsSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set the suggester and compute its links for every pair; accepted links stay."""
        setting = self.body(SuggesterSerializer)["suggester"]
        set_suggester(batch=self.object, by=self.caller, setting=setting)
        return Response(_suggestions_json(self.object))


class SuggestionReasonSerializer(serializers.Serializer[Any]):
    a = serializers.IntegerField(help_text="Token of the first sentence, from 0.")
    b = serializers.IntegerField()
    reason = serializers.CharField(help_text="Reason in words; empty if the aligner gives none.")


class SuggestionReasonsSerializer(serializers.Serializer[Any]):
    links = SuggestionReasonSerializer(many=True)


class SuggestionReasonsView(APIView):
    @extend_schema(operation_id="assignments_suggestions_retrieve", responses=SuggestionReasonsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The reason for each link that is suggested to me for this pair."""
        item = own_assignment(request.user, pk, with_sentences=False).item
        links = [{"a": a, "b": b, "reason": reason} for a, b, reason in reasons_for(item)]
        return Response({"links": links})


def _suggestions_json(batch: Batch) -> dict[str, Any]:
    job = latest_job(batch)
    drawn = SuggestedLinks.objects.filter(item__batch=batch, setting=batch.suggester)
    return {
        "suggester": batch.suggester,
        "settings": dict(suggester_choices(batch.project)),
        "pairs": drawn.values("item").distinct().count(),
        "job": job.pk if job else None,
    }
