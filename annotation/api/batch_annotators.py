"""Quotas and pauses of the annotators of a batch."""

from __future__ import annotations

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchAnnotator
from annotation.services.handing_over import OpenItems
from annotation.services.leasing import settle_annotator
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import LARGEST_SEED, StrictSerializer
from projects.errors import PublicError
from projects.permissions import check_manage


class BatchAnnotatorSerializer(serializers.ModelSerializer[BatchAnnotator]):
    username = serializers.CharField(source="annotator.username")

    class Meta:
        model = BatchAnnotator
        fields = ("username", "quota", "paused")
        read_only_fields = fields


class SettledSerializer(StrictSerializer):
    """What is left out stays as it is."""

    username = serializers.CharField(max_length=150)
    quota = serializers.IntegerField(
        min_value=0, max_value=LARGEST_SEED, required=False, allow_null=True, help_text="null is no limit."
    )
    paused = serializers.BooleanField(required=False)
    open_items = serializers.ChoiceField(
        choices=OpenItems.choices,
        required=False,
        help_text="For a pause: what becomes of open items. By default they are kept where assigned "
        "at once, and go back to the batch where taken as people come.",
    )
    to = serializers.CharField(max_length=150, required=False, help_text="For hand_over: the new annotator.")


class BatchAnnotatorsView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_manage, "PUT": check_manage}

    @extend_schema(operation_id="batch_annotators_list", responses=BatchAnnotatorSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The annotators of a batch with their quotas and pauses."""
        self.filters()
        return self.paged(self.object.annotators.select_related("annotator"), BatchAnnotatorSerializer)

    @extend_schema(request=SettledSerializer, responses=BatchAnnotatorSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set the quota of an annotator, pause the annotator or take up the work again."""
        fields = self.body(SettledSerializer)
        person = User.objects.filter(
            username=fields.pop("username"), pk__in=self.object.annotators.values("annotator")
        ).first()
        if person is None:
            raise PublicError("Nobody of that name takes part in this batch.", field="username")
        settled = settle_annotator(batch=self.object, by=self.caller, annotator=person, **fields)
        return Response(BatchAnnotatorSerializer(settled).data)
