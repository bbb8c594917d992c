"""The answers to the items of a batch, and an adjudicator's decisions on pairs and clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, Decision, Item
from annotation.permissions import adjudicable_items, check_see_answers, visible_items
from annotation.presenters import letter
from annotation.schemes import Label
from annotation.services.answers import COMMENT_LIMIT
from annotation.services.batch_figures import disputed_items
from annotation.services.competence import posteriors_of
from annotation.services.decisions import check_adjudicate
from annotation.services.pseudonyms import number_of
from annotation.services.review import (
    ReviewedItem,
    Vote,
    adjudicate_label,
    record_answers_seen,
    review_items,
)
from annotation.services.subclusters import SubclusterReview, adjudicate_subclusters, subcluster_review
from annotation.specs import MAX_HEADLINES
from corpus.resources import PairSentenceSerializer
from projects.api.endpoint import KeySetPagination, ObjectEndpoint, checked
from projects.api.serializers import (
    LARGEST_SEED,
    ListField,
    RowSerializer,
    StrictSerializer,
    WholeListSerializer,
)
from projects.errors import PublicError
from projects.views.project_view import any_member

from .items import (
    QUEUE_LIMIT,
    ItemHeadlineSerializer,
    ItemSentenceSerializer,
    headlines_payload,
    pair_payload,
)


class VoteSerializer(serializers.Serializer[Vote]):
    """One annotator's present answer to an item; `label` is null while open or when skipped."""

    annotator = serializers.CharField()
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    comment = serializers.CharField()
    flagged = serializers.BooleanField()
    skipped = serializers.BooleanField()
    milliseconds = serializers.IntegerField()
    at = serializers.CharField()
    context_opened = serializers.BooleanField(help_text="Whether the sentences around the pair were shown.")


class AdjudicationSerializer(RowSerializer[Decision]):
    class Meta:
        model = Decision
        fields = ("item", "label", "comment", "version", "decided_at")


class ReviewedItemSerializer(serializers.Serializer[Any]):
    item = serializers.IntegerField(source="item.pk")
    number = serializers.IntegerField(source="item.number")
    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    disputed = serializers.BooleanField()
    votes = VoteSerializer(many=True)
    adjudication = AdjudicationSerializer(source="decision", allow_null=True)


class ReviewFilters(StrictSerializer):
    disputed = serializers.BooleanField(
        default=True, help_text="Only items on which annotators disagree (default), or all."
    )


class ReviewView(ObjectEndpoint):
    """Managers see every item; adjudicators see items that everybody has answered and that
    they did not annotate."""

    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(
        operation_id="review_list", parameters=[ReviewFilters], responses=ReviewedItemSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The answers of all annotators, by item."""
        if self.object.kind != BatchKind.JUDGE:
            raise PublicError("Only judging batches are reviewed here; links are reviewed on their own page.")
        chosen = self.filters(ReviewFilters)
        items = visible_items(request.user, self.project).filter(batch=self.object)
        if chosen["disputed"]:
            items = disputed_items(items)
        paginator = KeySetPagination()
        page = paginator.paginate_queryset(items, request, self)
        record_answers_seen(batch=self.object, by=self.caller, page="review")
        reviewed = review_items([self.object], items=[item.pk for item in page])
        by_item = {entry.item.pk: entry for entry in reviewed}
        entries = [by_item[item.pk] for item in page]
        rows = ReviewedItemSerializer(entries, many=True, context={"request": request})
        return paginator.get_paginated_response(rows.data)


class LabelDecisionSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    comment = serializers.CharField()


class LabelReviewSerializer(serializers.Serializer[Any]):
    """A judged pair as its adjudicator sees it; `basis` and `version` are to be sent with the decision.

    `words`, `comments`, `flagged` and `context_opened` are in the order of `annotators`, by their letters.
    """

    item = serializers.IntegerField()
    number = serializers.IntegerField(help_text="Place of the item in its batch, from 1.")
    place = serializers.IntegerField(help_text="Place among the caller's disputed pairs, from 1.")
    pair = serializers.IntegerField()
    a = ItemSentenceSerializer()
    b = ItemSentenceSerializer()
    annotators = serializers.ListField(child=serializers.CharField())
    words = serializers.ListField(child=serializers.CharField())
    comments = serializers.ListField(child=serializers.CharField())
    flagged = serializers.ListField(child=serializers.BooleanField())
    context_opened = serializers.ListField(
        child=serializers.BooleanField(), help_text="Whether each was shown the sentences around the pair."
    )
    decision = LabelDecisionSerializer(allow_null=True)
    version = serializers.IntegerField(help_text="Version of the current decision, 0 for none.")
    basis = serializers.ListField(child=serializers.IntegerField())


def label_review_payload(entry: ReviewedItem) -> dict[str, Any]:
    """A pair with everybody's answer, people in the order of their letters, as the page decides it."""
    votes = sorted(entry.votes, key=lambda vote: number_of(vote.annotator))
    made = entry.decision
    return {
        "item": entry.item.pk,
        "number": entry.item.number,
        "pair": entry.item.pair_id,
        **pair_payload(entry.item.pair, entry.item.batch.project),
        "annotators": [letter(vote.annotator) for vote in votes],
        "words": [gettext(vote.word) for vote in votes],
        "comments": [vote.comment for vote in votes],
        "flagged": [vote.flagged for vote in votes],
        "context_opened": [vote.context_opened for vote in votes],
        "decision": {"label": made.label, "comment": made.comment} if made else None,
        "version": entry.version,
        "basis": entry.basis,
    }


BY_NUMBER, UNCERTAIN = QUEUE_ORDERS = ("number", "uncertain")


class DecisionQueueFilters(StrictSerializer):
    limit = serializers.IntegerField(min_value=1, max_value=QUEUE_LIMIT, default=10)
    after = serializers.IntegerField(
        min_value=0, max_value=LARGEST_SEED, default=0, help_text="Begin after the item of this number."
    )
    order = serializers.ChoiceField(
        choices=QUEUE_ORDERS,
        default=BY_NUMBER,
        help_text="`uncertain`: those with the lowest posterior of their label first.",
    )


class DecisionQueueSerializer(WholeListSerializer):
    """`done` of the `total` disputed pairs that the caller may decide are decided."""

    total = serializers.IntegerField()
    done = serializers.IntegerField()
    items = LabelReviewSerializer(many=True)


def decision_queue(
    batch: Batch, user: Any, *, limit: int, after: int = 0, order: str = BY_NUMBER
) -> dict[str, Any]:
    """The next `limit` undecided pairs of a batch that the user may decide: those of higher numbers than
    `after`, then the others; or the most uncertain ones, that of the number `after` last."""
    mine = disputed_items(adjudicable_items(user, batch.project).filter(batch=batch)).order_by()
    numbers = dict(mine.order_by("number").values_list("pk", "number"))
    places = {pk: place for place, pk in enumerate(numbers, 1)}
    undecided = list(mine.filter(decisions=None).values_list("pk", flat=True))
    following = sorted(undecided, key=lambda pk: (numbers[pk] <= after, numbers[pk]))
    if order == UNCERTAIN and (posteriors := posteriors_of(user, batch)):
        following.sort(key=lambda pk: (numbers[pk] == after, posteriors[pk][1] if pk in posteriors else 1.0))
    following = following[:limit]
    reviewed = {entry.item.pk: entry for entry in review_items([batch], following)} if following else {}
    return {
        "total": len(numbers),
        "done": len(numbers) - len(undecided),
        "items": [label_review_payload(reviewed[pk]) | {"place": places[pk]} for pk in following],
        "next": None,
    }


class DecisionQueueView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(parameters=[DecisionQueueFilters], responses=DecisionQueueSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The disputed pairs of a judging batch that wait for my decision."""
        if self.object.kind != BatchKind.JUDGE:
            raise PublicError("Only judging batches have labels to decide.")
        filters = checked(DecisionQueueFilters, request.query_params.dict(), context={"texts": True})
        record_answers_seen(batch=self.object, by=self.caller, page="item to decide")
        return Response(decision_queue(self.object, request.user, **filters))


class DecisionFields(StrictSerializer):
    """Fields of every decision: the versions that the adjudicator saw, and a remark."""

    version = serializers.IntegerField(
        min_value=0, help_text="Version of the decision that you saw; 0 for none."
    )
    comment = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, max_length=COMMENT_LIMIT
    )


class DecisionSerializer(DecisionFields):
    basis = ListField(
        child=serializers.IntegerField(min_value=0),
        max_length=100,
        allow_null=True,
        default=None,
        help_text="The versions of the annotators' answers that you saw; null: any.",
    )
    label = serializers.ChoiceField(choices=Label.choices)  # type: ignore[assignment]  # a field of that name, not the framework's setting


class DecisionEndpoint(ObjectEndpoint):
    """The decision on one item.

    new_serializer: of what is decided; serializer: of the decision. decide: the service that records it.
    """

    rows = Item.objects.filter(batch__in=Batch.objects.all())
    project_path = ("batch", "project")
    checks = {"PUT": any_member}
    new_serializer: ClassVar[type[StrictSerializer]]
    serializer: ClassVar[type[serializers.BaseSerializer[Any]]]
    decide: ClassVar[Callable[..., Decision]]

    def put(self, request: Request, pk: int) -> Response:
        """Decide it; earlier decisions stay in the history."""
        check_adjudicate(request.user, self.object)
        fields = self.body(self.new_serializer)
        decision = type(self).decide(item=self.object, by=self.caller, **fields)
        return Response(self.serializer(decision).data)


@extend_schema_view(put=extend_schema(request=DecisionSerializer, responses=AdjudicationSerializer))
class ItemAdjudicationView(DecisionEndpoint):
    """An adjudicator decides items that everybody has answered, but none of the own."""

    new_serializer = DecisionSerializer
    serializer = AdjudicationSerializer
    decide = staticmethod(adjudicate_label)


class ReviewDecisionFields(DecisionFields):
    """A decision on links or sub-clusters names the versions of the annotators' answers as well."""

    basis = ListField(child=serializers.IntegerField(min_value=0), max_length=100)


class ReviewEndpoint(DecisionEndpoint):
    """One item as its reviewer sees it, and the decision on it. review: the item as JSON."""

    checks = {"GET": any_member, "PUT": any_member}
    review: ClassVar[Callable[..., dict[str, Any]]]

    def get(self, request: Request, pk: int) -> Response:
        """The annotators' answers, their differences, and the latest decision."""
        self.filters()
        check_adjudicate(request.user, self.object)
        record_answers_seen(batch=self.object.batch, by=self.caller, page="item to decide")
        return Response(type(self).review(self.object))


class GroupsField(ListField):
    """Lists of the numbers of headlines."""

    child = ListField(child=serializers.IntegerField(min_value=1), max_length=MAX_HEADLINES)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=MAX_HEADLINES, **options)


class SubclusterDecisionSerializer(RowSerializer[Decision]):
    subclusters = GroupsField(source="content")

    class Meta:
        model = Decision
        fields = ("item", "version", "subclusters", "comment", "decided_at")


class SubclusterReviewSerializer(serializers.Serializer[Any]):
    """People appear under their pseudonyms; `partitions`, `comments` and `flagged` are in their order.

    `shared` are the groups that all annotators share, `disputed` the disputed headlines.
    `basis` and `version` are to be sent with the decision.
    """

    item = serializers.IntegerField(source="item.pk")
    number = serializers.IntegerField(source="item.number")
    headlines = serializers.SerializerMethodField()
    annotators = serializers.ListField(child=serializers.CharField())
    partitions = serializers.ListField(child=GroupsField())
    comments = serializers.ListField(child=serializers.CharField())
    flagged = serializers.ListField(child=serializers.BooleanField())
    shared = GroupsField()
    disputed = serializers.ListField(child=serializers.IntegerField())
    decision = SubclusterDecisionSerializer(allow_null=True)
    version = serializers.IntegerField(help_text="Version of the current decision, 0 for none.")
    basis = serializers.ListField(child=serializers.IntegerField())

    @extend_schema_field(ItemHeadlineSerializer(many=True))
    def get_headlines(self, review: SubclusterReview) -> list[dict[str, Any]]:
        return headlines_payload(review.headlines, review.item.batch.project.language)


class NewSubclusterDecisionSerializer(ReviewDecisionFields):
    """`subclusters` are the groups of headlines; the others are in no group."""

    subclusters = GroupsField()


def review_payload(review: SubclusterReview) -> dict[str, Any]:
    """The review as JSON, as the page and the API show it."""
    return dict(SubclusterReviewSerializer(review).data)


@extend_schema_view(
    get=extend_schema(responses=SubclusterReviewSerializer),
    put=extend_schema(request=NewSubclusterDecisionSerializer, responses=SubclusterDecisionSerializer),
)
class SubclusterReviewView(ReviewEndpoint):
    """An adjudicator decides clusters that everybody has split, but none of the own."""

    new_serializer = NewSubclusterDecisionSerializer
    serializer = SubclusterDecisionSerializer
    review = staticmethod(lambda item: review_payload(subcluster_review(item)))
    decide = staticmethod(adjudicate_subclusters)
