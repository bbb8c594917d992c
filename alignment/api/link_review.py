"""Storing links and why they are suggested; deciding disputed links; how far annotators agree on links."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.models import Strength
from alignment.services.batches import offered_row, reasons_for
from alignment.services.link_review import LinkReview, adjudicate_links, link_review
from alignment.services.linking import save_alignment
from alignment.services.second_pass import content_of, shown_look
from annotation.api.assignments import AnswerEndpoint, AnswerSerializer, stores
from annotation.api.items import ItemKind, ItemSentenceSerializer, pair_payload
from annotation.api.review import ReviewDecisionFields, ReviewEndpoint
from annotation.models import Assignment, AssignmentState, Decision
from annotation.permissions import own_assignment
from projects.api.serializers import ListField, RowSerializer

MAX_TOKENS_OF_PAIR = 10_000
MAX_LINKS_OF_PAIR = 10_000


class DisputedLinkSerializer(serializers.Serializer[Any]):
    """`strengths` has one entry for each annotator; null: the link was not drawn."""

    a = serializers.IntegerField()
    b = serializers.IntegerField()
    strengths = serializers.ListField(
        child=serializers.ChoiceField(choices=Strength.choices, allow_null=True)
    )


class LinkDecisionSerializer(RowSerializer[Decision]):
    """`links` are [a, b, "sure" | "possible"], token indices from 0."""

    links = serializers.ListField(
        source="content", child=serializers.ListField(child=serializers.JSONField())
    )

    class Meta:
        model = Decision
        fields = ("item", "version", "links", "comment", "decided_at")


class LinkReviewSerializer(serializers.Serializer[Any]):
    """People appear under their pseudonyms. `basis` and `version` are to be sent with the decision."""

    item = serializers.IntegerField()
    number = serializers.IntegerField()
    a = ItemSentenceSerializer()
    b = ItemSentenceSerializer()
    annotators = serializers.ListField(child=serializers.CharField())
    comments = serializers.ListField(child=serializers.CharField())
    agreed = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))
    disputed = DisputedLinkSerializer(many=True)
    decision = LinkDecisionSerializer(allow_null=True)
    version = serializers.IntegerField(help_text="Version of the current decision, 0 for none.")
    basis = serializers.ListField(child=serializers.IntegerField())


class NewLinkDecisionSerializer(ReviewDecisionFields):
    """`links` are those to keep, [a, b, "sure" | "possible"]: every agreed one, and disputed ones."""

    links = ListField(
        child=ListField(child=serializers.JSONField(), min_length=3, max_length=3),
        max_length=MAX_LINKS_OF_PAIR,
    )


def review_payload(review: LinkReview) -> dict[str, Any]:
    """The review as JSON, as the page and the API show it."""
    return {
        "item": review.item.pk,
        "number": review.item.number,
        **pair_payload(review.item.pair, review.item.batch.project),
        "annotators": review.annotators,
        "comments": review.comments,
        "agreed": review.agreed,
        "disputed": [{"a": link.a, "b": link.b, "strengths": link.strengths} for link in review.disputed],
        "decision": LinkDecisionSerializer(review.decision).data if review.decision else None,
        "version": review.version,
        "basis": review.basis,
    }


@extend_schema_view(
    get=extend_schema(responses=LinkReviewSerializer),
    put=extend_schema(request=NewLinkDecisionSerializer, responses=LinkDecisionSerializer),
)
class LinkReviewView(ReviewEndpoint):
    """An adjudicator decides the links of pairs that everybody has linked, but none of the own."""

    new_serializer = NewLinkDecisionSerializer
    serializer = LinkDecisionSerializer
    review = staticmethod(lambda item: review_payload(link_review(item)))
    decide = staticmethod(adjudicate_links)


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
