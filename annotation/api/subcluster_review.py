"""The review of a cluster: how its annotators split it, and the adjudicator's decision on it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Item, SubclusterDecision
from annotation.services.answers import COMMENT_LIMIT
from annotation.services.obstacles import check_adjudicate
from annotation.services.subclusters.drawing import MOST
from annotation.services.subclusters.review import (
    SubclusterReview,
    adjudicate_subclusters,
    subcluster_review,
)
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.views.project_view import anybody_in_it

from .item_schema import ItemHeadlineSerializer
from .items import headlines_payload


class GroupsField(serializers.ListField):
    """Lists of the numbers of headlines."""

    child = serializers.ListField(child=serializers.IntegerField(min_value=1), max_length=MOST)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MOST, **options)


class SubclusterDecisionSerializer(serializers.ModelSerializer[SubclusterDecision]):
    subclusters = GroupsField()

    class Meta:
        model = SubclusterDecision
        fields = ("item", "version", "subclusters", "comment", "decided_at")
        read_only_fields = fields


class SubclusterReviewSerializer(serializers.Serializer[Any]):
    """People appear under their pseudonyms; `partitions`, `comments` and `flagged` are in their order.

    `shared` are the groups that everybody put together, `disputed` the headlines on which people differ.
    `basis` and `version` are to be sent with the decision.
    """

    item = serializers.IntegerField()
    number = serializers.IntegerField()
    headlines = ItemHeadlineSerializer(many=True)
    annotators = serializers.ListField(child=serializers.CharField())
    partitions = serializers.ListField(child=GroupsField())
    comments = serializers.ListField(child=serializers.CharField())
    flagged = serializers.ListField(child=serializers.BooleanField())
    shared = GroupsField()
    disputed = serializers.ListField(child=serializers.IntegerField())
    decision = SubclusterDecisionSerializer(allow_null=True)
    version = serializers.IntegerField(help_text="Of the current decision, 0 for none.")
    basis = serializers.ListField(child=serializers.IntegerField())


class NewSubclusterDecisionSerializer(StrictSerializer):
    """`subclusters` are the groups of headlines; those in none of them stand alone."""

    subclusters = GroupsField()
    version = serializers.IntegerField(min_value=0)
    basis = serializers.ListField(child=serializers.IntegerField(min_value=0), max_length=100)
    comment = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, max_length=COMMENT_LIMIT
    )


def review_payload(review: SubclusterReview) -> dict[str, Any]:
    """The review as JSON, as the page and the API show it."""
    return {
        "item": review.item.pk,
        "number": review.item.number,
        "headlines": headlines_payload(review.headlines, review.item.batch.project.language),
        "annotators": review.annotators,
        "partitions": review.partitions,
        "comments": review.comments,
        "flagged": review.flagged,
        "shared": review.shared,
        "disputed": review.disputed,
        "decision": SubclusterDecisionSerializer(review.decision).data if review.decision else None,
        "version": review.version,
        "basis": review.basis,
    }


class SubclusterReviewView(ObjectEndpoint):
    """An adjudicator decides clusters that everybody has split, but none of the own."""

    rows = Item.objects.all()
    project_path = ("batch", "project")
    checks = {"GET": anybody_in_it, "PUT": anybody_in_it}

    @extend_schema(responses=SubclusterReviewSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How the annotators split the cluster, and the decision that stands."""
        self.filters()
        check_adjudicate(request.user, self.object)
        return Response(review_payload(subcluster_review(self.object)))

    @extend_schema(request=NewSubclusterDecisionSerializer, responses=SubclusterDecisionSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Decide the sub-clusters; earlier decisions are kept as the history."""
        check_adjudicate(request.user, self.object)
        fields = self.body(NewSubclusterDecisionSerializer)
        decision = adjudicate_subclusters(item=self.object, by=self.caller, **fields)
        return Response(SubclusterDecisionSerializer(decision).data)
