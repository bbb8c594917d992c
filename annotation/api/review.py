"""What people said about the items of a batch, and the adjudicator's word on them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Adjudication, Batch, BatchKind, Item, Label
from annotation.permissions import check_see_answers, visible_items
from annotation.services.answers import COMMENT_LIMIT
from annotation.services.obstacles import check_adjudicate
from annotation.services.review import adjudicate, log_seeing_answers, review_items
from corpus.api.pairs import PairSentenceSerializer
from projects.api.endpoint import ObjectEndpoint
from projects.api.paging import KeySetPagination
from projects.api.serializers import StrictSerializer
from projects.errors import PublicError
from projects.permissions import can_manage
from projects.views.project_view import anybody_in_it


class VoteSerializer(serializers.Serializer[Any]):
    """`label` is null while open or when skipped; people appear under their pseudonyms."""

    annotator = serializers.CharField()
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    comment = serializers.CharField()
    flagged = serializers.BooleanField()
    skipped = serializers.BooleanField()
    milliseconds = serializers.IntegerField()
    at = serializers.CharField()


class AdjudicationSerializer(serializers.ModelSerializer[Adjudication]):
    class Meta:
        model = Adjudication
        fields = ("item", "label", "comment", "version", "decided_at")
        read_only_fields = fields


class ReviewedItemSerializer(serializers.Serializer[Any]):
    item = serializers.IntegerField(source="item.pk")
    number = serializers.IntegerField(source="item.number")
    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    disputed = serializers.BooleanField()
    votes = VoteSerializer(many=True)
    adjudication = AdjudicationSerializer(allow_null=True)


class ReviewFilters(StrictSerializer):
    disputed = serializers.BooleanField(
        default=True, help_text="Only the items on which people differ (default), or all."
    )


class ReviewView(ObjectEndpoint):
    """Managers see every item and leave a trace; adjudicators see items that everybody has answered and that
    they did not annotate."""

    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(
        operation_id="review_list", parameters=[ReviewFilters], responses=ReviewedItemSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The answers of everybody, by item."""
        if self.object.kind != BatchKind.JUDGE:
            raise PublicError("Only judging batches are reviewed; links are merged into gold alignments.")
        chosen = self.filters(ReviewFilters)
        items = visible_items(request.user, self.project).filter(batch=self.object)
        if chosen["disputed"]:
            labels = Count("assignments__judgement__label", distinct=True)
            items = items.annotate(labels=labels).filter(labels__gt=1)
        paginator = KeySetPagination()
        page = paginator.paginate_queryset(items, request, self)
        if can_manage(request.user, self.project):
            log_seeing_answers(batch=self.object, by=self.caller)
        reviewed = review_items([self.object], items=[item.pk for item in page])
        by_item = {entry.item.pk: entry for entry in reviewed}
        entries = [by_item[item.pk] for item in page]
        return paginator.get_paginated_response(ReviewedItemSerializer(entries, many=True).data)


class DecisionSerializer(StrictSerializer):
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    comment = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, max_length=COMMENT_LIMIT
    )
    version = serializers.IntegerField(
        min_value=0, help_text="The version of the decision that you saw; 0 for none."
    )


class ItemAdjudicationView(ObjectEndpoint):
    """An adjudicator decides items that everybody has answered, but none of the own."""

    rows = Item.objects.all()
    project_path = ("batch", "project")
    checks = {"PUT": anybody_in_it}

    @extend_schema(request=DecisionSerializer, responses=AdjudicationSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Settle an item."""
        check_adjudicate(request.user, self.object)
        decision = adjudicate(item=self.object, by=self.caller, **self.body(DecisionSerializer))
        return Response(AdjudicationSerializer(decision).data)
