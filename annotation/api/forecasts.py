"""What a freeze will leave out, as the API says it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class LeftOutSerializer(serializers.Serializer[Any]):
    """`code` is the name of this number in a gold set's counts."""

    code = serializers.CharField()
    items = serializers.IntegerField()
    reason = serializers.CharField()


class ForecastSerializer(serializers.Serializer[Any]):
    """Of `items` items, `frozen` would be in the gold set now; `left_out` says why the others would not."""

    items = serializers.IntegerField()
    frozen = serializers.IntegerField()
    left_out = LeftOutSerializer(many=True)
