"""The second pass: one's own pairs again, with the links that are in dispute."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.services.second_pass import second_pass
from annotation.api.item_schema import ItemSerializer
from annotation.api.items import QUEUE_LIMIT, batch_payload, item_payload
from annotation.models import AssignmentState, Batch, BatchKind
from annotation.permissions import own_batch
from projects.api.serializers import WholeListSerializer, refuse_unknown
from projects.errors import PublicError


class SecondLookSerializer(ItemSerializer):
    """`disputed` are the links [a, b] on which annotators differed; who drew them is not told."""

    disputed = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class SecondPassSerializer(WholeListSerializer):
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    items = SecondLookSerializer(many=True)


class SecondPassParameters(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=QUEUE_LIMIT, default=10)


def second_pass_payload(batch: Batch, user: Any, *, limit: int) -> dict[str, Any]:
    """As the queue of a batch; the items are those to look at again, whatever their state is."""
    looks = second_pass(batch, user)
    waiting = [look for look in looks if not look.done]
    return {
        "batch": batch_payload(batch),
        "total": len(looks),
        "done": len(looks) - len(waiting),
        "skipped": 0,
        "paused": False,
        "items": [
            item_payload(look.assignment)
            | {"state": AssignmentState.OPEN.value, "suggestions": [], "disputed": look.disputed}
            for look in waiting[:limit]
        ],
        "next": None,
    }


class SecondPassView(APIView):
    """My pairs of a batch on whose links people differ, once everybody has submitted them."""

    @extend_schema(parameters=[SecondPassParameters], responses=SecondPassSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The pairs that I have not submitted again; a submission through `alignment/` ends each."""
        batch = own_batch(request.user, pk)
        if batch.kind != BatchKind.LINK:
            raise PublicError("Only linking batches have a second pass.")
        refuse_unknown(request.query_params, ["limit"], "filter")
        parameters = SecondPassParameters(data=request.query_params)
        parameters.is_valid(raise_exception=True)
        limit = parameters.validated_data["limit"]
        return Response(second_pass_payload(batch, request.user, limit=limit))
