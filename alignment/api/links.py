"""Storing an annotator's word links."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from alignment.services.linking import save_alignment
from annotation.api.assignments import (
    IDEMPOTENCY_KEY,
    AcknowledgementSerializer,
    AnswerSerializer,
    idempotency_key,
    present,
)
from annotation.api.items import StaleSerializer
from annotation.permissions import own_assignment

MOST_TOKENS = 10_000


class AlignmentSerializer(AnswerSerializer):
    """`links` are [a, b, "sure" | "possible", "drawn" | "accepted" | "imported"], token indices from 0.

    Only links that were imported for this assignment may say so.
    """

    links = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(), min_length=4, max_length=4),
        max_length=MOST_TOKENS * 10,
    )
    null_a = serializers.ListField(
        child=serializers.IntegerField(min_value=0), max_length=MOST_TOKENS, default=[]
    )
    null_b = serializers.ListField(
        child=serializers.IntegerField(min_value=0), max_length=MOST_TOKENS, default=[]
    )
    submitted = serializers.BooleanField(default=False)


class AlignmentView(APIView):
    """Store my whole link set for an item, as a draft or submitted."""

    @extend_schema(
        request=AlignmentSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses={200: AcknowledgementSerializer, 409: StaleSerializer},
    )
    def put(self, request: Request, pk: int) -> Response:
        assignment = own_assignment(request.user, pk)
        body = AlignmentSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields: dict[str, Any] = body.validated_data
        return Response(
            save_alignment(
                assignment=assignment,
                by=assignment.annotator,
                key=idempotency_key(request),
                describe=present,
                **fields,
            )
        )
