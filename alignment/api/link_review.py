"""The review canvas: what a pair's annotators drew, and the adjudicator's decision on it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from alignment.models import Strength
from alignment.services.link_review import LinkReview, adjudicate_links, link_review
from annotation.api.items import ItemSentenceSerializer, sentence_payload
from annotation.api.review import ReviewDecisionFields, ReviewEndpoint
from annotation.models import Decision

from .linking import MOST_TOKENS


class DisputedLinkSerializer(serializers.Serializer[Any]):
    """`strengths` has one entry for each annotator; null: the link was not drawn."""

    a = serializers.IntegerField()
    b = serializers.IntegerField()
    strengths = serializers.ListField(
        child=serializers.ChoiceField(choices=Strength.choices, allow_null=True)
    )


class LinkDecisionSerializer(serializers.ModelSerializer[Decision]):
    """`links` are [a, b, "sure" | "possible"], token indices from 0."""

    links = serializers.ListField(
        source="content", child=serializers.ListField(child=serializers.JSONField())
    )

    class Meta:
        model = Decision
        fields = ("item", "version", "links", "comment", "decided_at")
        read_only_fields = fields


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
    version = serializers.IntegerField(help_text="Of the current decision, 0 for none.")
    basis = serializers.ListField(child=serializers.IntegerField())


class NewLinkDecisionSerializer(ReviewDecisionFields):
    """`links` are those to keep, [a, b, "sure" | "possible"]: every agreed one, and disputed ones."""

    links = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(), min_length=3, max_length=3),
        max_length=MOST_TOKENS * 10,
    )


def review_payload(review: LinkReview) -> dict[str, Any]:
    """The review as JSON, as the canvas and the API show it."""
    pair, language = review.item.pair, review.item.batch.project.language
    return {
        "item": review.item.pk,
        "number": review.item.number,
        "a": sentence_payload(pair.sentence_a, language),
        "b": sentence_payload(pair.sentence_b, language),
        "annotators": review.annotators,
        "comments": review.comments,
        "agreed": review.agreed,
        "disputed": [{"a": one.a, "b": one.b, "strengths": one.strengths} for one in review.disputed],
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
