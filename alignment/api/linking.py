"""Storing links, and why they are suggested."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.services.batches import offered_row, reasons_for
from alignment.services.linking import save_alignment
from alignment.services.second_pass import content_of, shown_look
from annotation.api.assignments import AnswerEndpoint, AnswerSerializer, stores
from annotation.api.items import ItemKind
from annotation.models import Assignment, AssignmentState
from annotation.permissions import own_assignment
from projects.api.serializers import ListField


def links_payload(assignment: Assignment) -> dict[str, Any]:
    alignment = getattr(assignment, "alignment", None)
    content = content_of(alignment) if alignment else {"links": [], "null_a": [], "null_b": []}
    look = getattr(assignment, "second_look", None)
    if look is not None and look.second_pass.ended_at is None:
        state = AssignmentState.DONE if look.done else AssignmentState.OPEN
        return {"state": state, "suggestions": [], "offered": None} | shown_look(look, content)
    row = offered_row(assignment)
    return content | {"suggestions": row.links if row else [], "offered": row.pk if row else None}


LINK_ITEMS = ItemKind(links_payload, ("alignment__links", "alignment__offered", "item__suggested_links"))


MAX_TOKENS_OF_PAIR = 10_000
MAX_LINKS_OF_PAIR = 10_000


class AlignmentSerializer(AnswerSerializer):
    """`links` are [a, b, "sure" | "possible", "drawn" | "accepted" | "imported"], token indices from 0.

    Only links imported for this assignment can be "imported". `offered` is that of the item, which says what
    suggestions were shown; it counts in the first answer to the item.
    """

    links = ListField(
        child=ListField(child=serializers.JSONField(), min_length=4, max_length=4),
        max_length=MAX_LINKS_OF_PAIR,
    )
    null_a = ListField(child=serializers.IntegerField(min_value=0), max_length=MAX_TOKENS_OF_PAIR, default=[])
    null_b = ListField(child=serializers.IntegerField(min_value=0), max_length=MAX_TOKENS_OF_PAIR, default=[])
    submitted = serializers.BooleanField(default=False)
    offered = serializers.IntegerField(
        required=False, allow_null=True, help_text="The suggestions that were shown; null: none."
    )


@stores(AlignmentSerializer)
class AlignmentView(AnswerEndpoint):
    """Store my whole link set for an item, as a draft or submitted."""

    serializer_class = AlignmentSerializer
    save = staticmethod(save_alignment)
    with_sentences = True


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
        assignment = own_assignment(request.user, pk, with_sentences=False)
        links = [{"a": a, "b": b, "reason": reason} for a, b, reason in reasons_for(assignment)]
        return Response({"links": links})
