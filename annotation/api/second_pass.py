"""The second pass of a batch: its agreement before and after, starting it, ending it."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch
from annotation.services.second_pass import end_second_pass, second_pass_summary, start_second_pass
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import StrictSerializer
from projects.permissions import check_manage


class JudgingSecondPassSerializer(serializers.Serializer[Any]):
    """`after` is the agreement now, until the pass has ended. `looks` are disputed answers."""

    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    before = serializers.DictField()
    after = serializers.DictField()
    looks = serializers.IntegerField()
    decided = serializers.IntegerField()
    changed = serializers.IntegerField()
    withheld = serializers.IntegerField(
        help_text="Open answers that annotators are not asked for until it has ended."
    )
    signature = serializers.CharField()


class SecondPassMoveSerializer(StrictSerializer):
    move = serializers.ChoiceField(choices=["start", "end"])
    anyway = serializers.BooleanField(
        default=False,
        help_text="Start without the answers that are missing; they are withheld until it ends.",
    )


class SecondPassView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_manage, "POST": check_manage}

    @extend_schema(responses=JudgingSecondPassSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """The second pass of a batch."""
        self.filters()
        return self._summary()

    @extend_schema(request=SecondPassMoveSerializer, responses=JudgingSecondPassSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Start the second pass, or end it."""
        fields = self.body(SecondPassMoveSerializer)
        if fields["move"] == "start":
            start_second_pass(batch=self.object, by=self.caller, anyway=fields["anyway"])
        else:
            end_second_pass(batch=self.object, by=self.caller)
        return self._summary()

    def _summary(self) -> Response:
        summary = second_pass_summary(self.object)
        if summary is None:
            raise Http404("This batch has had no second pass.")
        return Response(JudgingSecondPassSerializer(summary).data)
