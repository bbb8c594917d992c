"""The shape of `items.py`'s payloads, for the OpenAPI description."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from annotation.models import AssignmentState, BatchKind, Label
from projects.api.serializers import WholeListSerializer
from projects.models import Scheme


class ItemSentenceSerializer(serializers.Serializer[Any]):
    """`starts` are the offsets of the tokens in `text`, in code points."""

    text = serializers.CharField()
    tokens = serializers.ListField(child=serializers.CharField())
    starts = serializers.ListField(child=serializers.IntegerField())
    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=["ltr", "rtl", "auto"])


class ItemHeadlineSerializer(serializers.Serializer[Any]):
    """The title of an article of a cluster; `number` names it in placements and sub-clusters."""

    number = serializers.IntegerField(help_text="From 1.")
    text = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    published = serializers.CharField()
    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=["ltr", "rtl", "auto"])


class ItemSerializer(serializers.Serializer[Any]):
    """The sentences `a` and `b` belong to judging and linking batches; `label` to judging batches; `links`
    [a, b, strength, origin], `null_a`, `null_b` and `suggestions` [a, b] to linking batches; `headlines` and
    `placements` [number, group or null for none] to batches for splitting."""

    assignment = serializers.IntegerField()
    position = serializers.IntegerField(help_text="From 1.")
    version = serializers.IntegerField(help_text="Send it with the answer.")
    state = serializers.ChoiceField(choices=AssignmentState.choices)
    flagged = serializers.BooleanField()
    comment = serializers.CharField()
    a = ItemSentenceSerializer(required=False)
    b = ItemSentenceSerializer(required=False)
    headlines = ItemHeadlineSerializer(many=True, required=False)
    placements = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(allow_null=True)), required=False
    )
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True, required=False)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    first = serializers.CharField(
        required=False,
        help_text="In a second pass: your answer of the first; people differ on this item.",
    )
    links = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()), required=False)
    null_a = serializers.ListField(child=serializers.IntegerField(), required=False)
    null_b = serializers.ListField(child=serializers.IntegerField(), required=False)
    suggestions = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), required=False
    )


class QueueProjectSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class QueueBatchSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=BatchKind.choices)
    scheme = serializers.ChoiceField(choices=Scheme.choices)
    project = QueueProjectSerializer()


class HistorySerializer(WholeListSerializer):
    items = ItemSerializer(many=True)


class QueueSerializer(HistorySerializer):
    """`done` of `total` are the caller's own items."""

    batch = QueueBatchSerializer()
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    skipped = serializers.IntegerField()
    paused = serializers.BooleanField(help_text="A manager gives you no items of this batch for now.")


class SentenceContextSerializer(serializers.Serializer[Any]):
    """`before` and `after` are the sentences around, nearest to it last and first."""

    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    published = serializers.CharField()
    title = serializers.CharField()
    url = serializers.CharField()
    before = serializers.ListField(child=serializers.CharField())
    after = serializers.ListField(child=serializers.CharField())


class ContextSerializer(serializers.Serializer[Any]):
    cluster = serializers.CharField()
    a = SentenceContextSerializer()
    b = SentenceContextSerializer()


class StaleSerializer(serializers.Serializer[Any]):
    """The version that was sent is not the latest any more: `current` is what is stored now."""

    detail = serializers.CharField()
    current = ItemSerializer()
