"""Agreement of annotators on the links of a batch."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.services.link_agreement import PASSES, as_json, batch_agreement
from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from projects.api.endpoint import ObjectEndpoint
from projects.errors import PublicError


class LinkAgreementFiguresSerializer(serializers.Serializer[Any]):
    """Shares from 0 to 1, null where undefined; `shared`, `same` and `drawn` count links."""

    agreement = serializers.FloatField(allow_null=True)
    first_against_second = serializers.FloatField(allow_null=True)
    second_against_first = serializers.FloatField(allow_null=True)
    f1_sure = serializers.FloatField(allow_null=True)
    f1_all = serializers.FloatField(allow_null=True)
    shared = serializers.IntegerField()
    same = serializers.IntegerField()
    drawn = serializers.IntegerField()
    pairs = serializers.IntegerField()


class LinkAnnotatorPairSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    all = LinkAgreementFiguresSerializer()
    identical = LinkAgreementFiguresSerializer()
    non_identical = LinkAgreementFiguresSerializer()


class LinkClassSerializer(serializers.Serializer[Any]):
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    target = serializers.CharField()
    drawn = serializers.IntegerField()
    disputed = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class DisputedWordsSerializer(serializers.Serializer[Any]):
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    target = serializers.CharField()
    disputed = serializers.IntegerField()
    drawn = serializers.IntegerField()


class LinkPassSerializer(serializers.Serializer[Any]):
    annotators = LinkAnnotatorPairSerializer(many=True)
    classes = LinkClassSerializer(many=True)
    words = DisputedWordsSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        return {"pass": serializers.ChoiceField(choices=PASSES), **super().get_fields()}


class BatchLinkAgreementSerializer(serializers.Serializer[Any]):
    passes = LinkPassSerializer(many=True)
    revised = serializers.IntegerField(help_text="Answers changed once everybody's were in.")
    signature = serializers.CharField()


class LinkAgreementView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(responses=BatchLinkAgreementSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """AER in both directions, F1, word classes and disputed words; people under their pseudonyms."""
        self.filters()
        if self.object.kind != BatchKind.LINK:
            raise PublicError("Only linking batches have links to agree on.")
        items = visible_items(request.user, self.project).filter(batch=self.object)
        return Response(as_json(batch_agreement(self.object, set(items.values_list("pk", flat=True)))))
