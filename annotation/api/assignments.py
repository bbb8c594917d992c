"""Endpoints of the judging and splitting pages: queue, history, items, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.contrib.auth.models import User
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation.api.items import (
    QUEUE_LIMIT,
    ContextSerializer,
    HistorySerializer,
    ItemSerializer,
    QueueSerializer,
    StaleSerializer,
    history_payload,
    item_payload,
    queue_payload,
)
from annotation.models import MAX_COUNT, Assignment, BatchKind, Phenomenon
from annotation.permissions import check_ready, own_assignment, own_batch
from annotation.schemes import Label
from annotation.services.answers import save_judgement
from annotation.services.key_bindings import own_keys, save_keys
from annotation.services.subclusters import save_placements
from annotation.shortcuts import PAGES, all_keys
from annotation.specs import MAX_HEADLINES
from corpus.models import Sentence
from projects.api.endpoint import checked, checked_filters
from projects.api.serializers import LARGEST_SEED, DictField, ListField, StrictSerializer, WholeListSerializer
from projects.errors import PublicError
from projects.kept_plans import kept_plans
from projects.submissions import idempotency_key as idempotency_key

CONTEXT_SENTENCES = 2
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key", OpenApiTypes.UUID, OpenApiParameter.HEADER, required=True,
    description="Sent again with the same key, an answer is stored once and gets the same acknowledgement. "
    "Another answer with the same key is refused (422).",
)  # fmt: skip


class PageParameters(StrictSerializer):
    """Which of one's own items are shown: `limit` after the first `cursor`."""

    limit = serializers.IntegerField(
        min_value=1, max_value=QUEUE_LIMIT, default=10, help_text="Number of items."
    )
    cursor = serializers.IntegerField(
        min_value=0, max_value=LARGEST_SEED, default=0, help_text="`next` of the previous page."
    )

    @classmethod
    def of(cls, request: Request) -> dict[str, Any]:
        """Raises ValidationError."""
        return checked(cls, request.query_params.dict(), context={"texts": True})


class HistoryFilters(PageParameters):
    show = serializers.ChoiceField(
        choices=[*Label.values, "done", "skipped", "flagged"],
        required=False,
        help_text="Only answers with this label, or only given, skipped or flagged ones.",
    )
    q = serializers.CharField(
        required=False, max_length=200, help_text="Words of the sentences, the headlines or your comment."
    )


class AnswerSerializer(StrictSerializer):
    """Fields of every answer; `version` is the one that the annotator saw."""

    version = serializers.IntegerField(min_value=0)
    skipped = serializers.BooleanField(default=False)
    flagged = serializers.BooleanField(default=False)
    comment = serializers.CharField(default="", allow_blank=True, trim_whitespace=False)
    milliseconds = serializers.IntegerField(min_value=0, default=0)


class PhenomenaSerializer(StrictSerializer):
    """How often each occurs in a paraphrase or partial paraphrase."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            name: serializers.IntegerField(default=0, min_value=0, max_value=MAX_COUNT)
            for name in Phenomenon.values
        }


class JudgementSerializer(AnswerSerializer):
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    phenomena = PhenomenaSerializer(required=False)


class AcknowledgementSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    right = serializers.CharField(required=False, help_text="In a training: the right label.")
    passed = serializers.BooleanField(
        required=False, help_text="Of the last answer of a training: whether it is passed."
    )


class QueueView(APIView):
    """My open items of a batch, in order, then those that I skipped, with my progress."""

    @extend_schema(parameters=[PageParameters], responses=QueueSerializer)
    def get(self, request: Request, pk: int) -> Response:
        with kept_plans():
            batch = own_batch(request.user, pk)
            check_ready(batch)
            return Response(queue_payload(batch, request.user, **PageParameters.of(request)))


class HistoryView(APIView):
    """My answered and skipped items of a batch, the latest first."""

    @extend_schema(parameters=[HistoryFilters], responses=HistorySerializer)
    def get(self, request: Request, pk: int) -> Response:
        batch = own_batch(request.user, pk)
        return Response(history_payload(batch, request.user, **HistoryFilters.of(request)))


class AssignmentView(APIView):
    """One of my items, with my present answer."""

    @extend_schema(responses=ItemSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(item_payload(own_assignment(request.user, pk)))


class ContextView(APIView):
    """Where the two sentences of one of my items come from, with the sentences around them.

    Who decides on the item sees that I have looked.
    """

    @extend_schema(responses=ContextSerializer)
    def get(self, request: Request, pk: int) -> Response:
        assignment = own_assignment(request.user, pk)
        item = assignment.item
        if item.batch.kind == BatchKind.SPLIT:
            raise PublicError("This item is a cluster; it contains its headlines and sources.")
        pair = item.pair
        Assignment.objects.filter(pk=assignment.pk, context_opened=False).update(context_opened=True)
        return Response(
            {
                "cluster": pair.cluster.key,
                "a": sentence_context(pair.sentence_a),
                "b": sentence_context(pair.sentence_b),
            }
        )


def sentence_context(sentence: Sentence) -> dict[str, Any]:
    article = sentence.article
    near = range(max(0, sentence.number - CONTEXT_SENTENCES), sentence.number + CONTEXT_SENTENCES + 1)
    around = dict(article.sentences.filter(number__in=near).values_list("number", "text"))
    return {
        "source": article.source,
        "published": article.published,
        "title": article.title,
        "url": article.url,
        "before": [around[n] for n in near if n < sentence.number and n in around],
        "after": [around[n] for n in near if n > sentence.number and n in around],
    }


class AnswerEndpoint(APIView):
    """Stores an answer to one of my items. save: the service; serializer_class: what it takes."""

    serializer_class: ClassVar[type[AnswerSerializer]]
    save: ClassVar[Callable[..., dict[str, Any]]]
    with_sentences = False

    def put(self, request: Request, pk: int) -> Response:
        assignment = own_assignment(request.user, pk, with_sentences=self.with_sentences)
        body = self.serializer_class(data=request.data)
        body.is_valid(raise_exception=True)
        stored = type(self).save(
            assignment=assignment,
            by=request.user,
            key=idempotency_key(request),
            describe=present,
            **body.validated_data,
        )
        return Response(stored)


def stores(serializer: type[AnswerSerializer]) -> Any:
    """The schema of an endpoint that stores answers, for the OpenAPI document."""
    responses = {200: AcknowledgementSerializer, 409: StaleSerializer}
    schema = extend_schema(request=serializer, parameters=[IDEMPOTENCY_KEY], responses=responses)
    return extend_schema_view(put=schema)


@stores(JudgementSerializer)
class JudgementView(AnswerEndpoint):
    """Store, skip or retract my judgement of an item."""

    serializer_class = JudgementSerializer
    save = staticmethod(save_judgement)

    def put(self, request: Request, pk: int) -> Response:
        with kept_plans():
            return super().put(request, pk)


class PlacementsSerializer(AnswerSerializer):
    """`placements` are [headline, group], both from 1, the group null for none; what is missing is open."""

    placements = ListField(
        child=ListField(child=serializers.JSONField(allow_null=True), min_length=2, max_length=2),
        max_length=MAX_HEADLINES,
    )
    submitted = serializers.BooleanField(default=False)


@stores(PlacementsSerializer)
class PlacementsView(AnswerEndpoint):
    """Store where I put all headlines of a cluster, as a draft or submitted."""

    serializer_class = PlacementsSerializer
    save = staticmethod(save_placements)


def present(assignment: Assignment) -> dict[str, Any]:
    """The stored item, for an annotator who answered an older version of it."""
    return item_payload(Assignment.objects.with_sentences().get(pk=assignment.pk))


class KeysSerializer(StrictSerializer):
    page = serializers.ChoiceField(choices=list(PAGES), help_text="Page that the keys are for.")
    keys = DictField(
        max_length=100,
        child=serializers.CharField(max_length=40),
        help_text="Chord of each action, such as Shift+KeyJ; without any the defaults return.",
    )


class BoundActionSerializer(serializers.Serializer[Any]):
    action = serializers.CharField()
    meaning = serializers.CharField()
    keys = serializers.ListField(
        child=serializers.CharField(),
        help_text="Keys of the action, as chords such as Shift+KeyJ or printed characters.",
    )
    own = serializers.BooleanField(help_text="Whether the person chose this key; else it is the default.")


class KeyPageSerializer(serializers.Serializer[Any]):
    page = serializers.CharField()
    actions = BoundActionSerializer(many=True)


class KeyBindingsSerializer(WholeListSerializer):
    items = KeyPageSerializer(many=True)


class KeyBindingsView(APIView):
    """My keys on the annotation pages."""

    @extend_schema(responses=KeyBindingsSerializer)
    def get(self, request: Request) -> Response:
        checked_filters(request)
        return Response({"items": bound_pages(request.user), "next": None})

    @extend_schema(request=KeysSerializer, responses=KeyBindingsSerializer)
    def put(self, request: Request) -> Response:
        body = KeysSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        save_keys(user=cast(User, request.user), **body.validated_data)
        return Response({"items": bound_pages(request.user), "next": None})


def bound_pages(user: Any) -> list[dict[str, Any]]:
    """Every page with keys, its actions in order, and the keys that each has for this user."""
    own = own_keys(user)
    return [
        {
            "page": name,
            "actions": [
                {
                    "action": shortcut.action,
                    "meaning": shortcut.help,
                    "keys": all_keys(shortcut, own.get(name, {})),
                    "own": shortcut.action in own.get(name, {}),
                }
                for shortcut in page.shortcuts
            ],
        }
        for name, page in PAGES.items()
    ]
