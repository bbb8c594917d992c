"""What a pair's annotators drew, the adjudicator's decision on it, and how far a batch's annotators agree."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import Strength
from alignment.services.link_agreement import PassAgreement, batch_agreement
from alignment.services.link_review import LinkReview, adjudicate_links, link_review
from annotation.api.items import ItemSentenceSerializer, sentence_payload
from annotation.api.review import ReviewDecisionFields, ReviewEndpoint
from annotation.models import Batch, BatchKind, Decision
from annotation.permissions import check_see_answers, visible_items
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import ListField, RowSerializer

from .linking import MAX_LINKS_OF_PAIR


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


class LinkAgreementView(ObjectEndpoint):
    """AER in both directions, F1, word classes and disputed words; with pseudonyms."""

    rows = Batch.objects.filter(kind=BatchKind.LINK)
    checks = {"GET": check_see_answers}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        self.filters()
        items = visible_items(request.user, self.project).filter(batch=self.object)
        agreement = batch_agreement(self.object, set(items.values_list("pk", flat=True)))
        return Response(
            {
                "passes": [_pass(one) for one in agreement.passes],
                "revised": agreement.revised,
                "signature": agreement.signature,
            }
        )


def _pass(one: PassAgreement) -> dict[str, Any]:
    return {
        "pass": one.name,
        "annotators": [{"first": pair.first, "second": pair.second, **pair.table} for pair in one.annotators],
        "classes": one.cells,
        "words": one.words,
    }
