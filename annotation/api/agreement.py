"""Agreement over judging batches, with intervals."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind
from annotation.permissions import check_see_answers, visible_items
from annotation.services.agreement import PERIODS, AgreementReport, agreement_report
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer
from projects.models import Scheme


class EstimateSerializer(serializers.Serializer[Any]):
    """A coefficient with the bounds of its 95 % interval; null where undefined, with the reason."""

    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    items = serializers.IntegerField()
    undefined_because = serializers.CharField()


class EstimatesSerializer(serializers.Serializer[Any]):
    observed = EstimateSerializer()
    fleiss_kappa = EstimateSerializer()
    alpha_nominal = EstimateSerializer()
    alpha_ordinal = EstimateSerializer(required=False, help_text="In the three-way scheme.")


class TwoAnnotatorsSerializer(serializers.Serializer[Any]):
    """Two annotators under their pseudonyms; the table's rows are the first one's labels."""

    first = serializers.CharField()
    second = serializers.CharField()
    observed = EstimateSerializer()
    kappa = EstimateSerializer()
    table = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class BatchAgreementSerializer(serializers.Serializer[Any]):
    batch = serializers.IntegerField()
    agreement = EstimatesSerializer()


class PeriodAgreementSerializer(serializers.Serializer[Any]):
    period = serializers.CharField()
    first = serializers.DateTimeField()
    last = serializers.DateTimeField()
    agreement = EstimatesSerializer()


class BothPassesSerializer(serializers.Serializer[Any]):
    """Agreement on the first labels that were given and on those that stand."""

    first = EstimatesSerializer()
    last = EstimatesSerializer()
    changed = serializers.IntegerField()
    labels = serializers.IntegerField()


class AgreementSerializer(serializers.Serializer[Any]):
    """`confusion` counts every two labels of an item once in each order; its rows are `labels`."""

    scheme = serializers.ChoiceField(choices=Scheme.choices)
    labels = serializers.ListField(child=serializers.CharField(), help_text="The scheme's, in order.")
    items = serializers.IntegerField(help_text="Items with two or more labels.")
    overall = EstimatesSerializer()
    pairs = TwoAnnotatorsSerializer(many=True)
    confusion = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    batches = serializers.SerializerMethodField()
    periods = serializers.SerializerMethodField()
    passes = BothPassesSerializer(allow_null=True, help_text="Null while no label was changed.")
    signature = serializers.CharField()

    @extend_schema_field(BatchAgreementSerializer(many=True))
    def get_batches(self, report: AgreementReport) -> list[dict[str, Any]]:
        return [
            {"batch": batch.pk, "agreement": EstimatesSerializer(found).data}
            for batch, found in report.batches
        ]

    @extend_schema_field(PeriodAgreementSerializer(many=True))
    def get_periods(self, report: AgreementReport) -> list[dict[str, Any]]:
        rows = [
            {"period": period.name, "first": period.first, "last": period.last, "agreement": found}
            for period, found in report.periods
        ]
        return list(PeriodAgreementSerializer(rows, many=True).data)


class AgreementFilters(StrictSerializer):
    batch = IdField(required=False, help_text="One judging batch; all of a scheme without it.")
    scheme = serializers.ChoiceField(
        choices=Scheme.choices, required=False, help_text="The project's by default."
    )
    by = serializers.ChoiceField(choices=list(PERIODS), default="tenths", help_text="The periods.")


class AgreementView(ProjectEndpoint):
    checks = {"GET": check_see_answers}

    @extend_schema(
        operation_id="agreement_retrieve", parameters=[AgreementFilters], responses=AgreementSerializer
    )
    def get(self, request: Request, slug: str) -> Response:
        """Agreement over the items whose answers I may see."""
        chosen = self.filters(AgreementFilters)
        batches = Batch.objects.filter(project=self.project, kind=BatchKind.JUDGE)
        if "batch" in chosen:
            batches = batches.filter(pk=chosen["batch"])
            if not batches:
                raise Http404("There is no judging batch of this number here.")
        else:
            batches = batches.current().filter(scheme=chosen.get("scheme", self.project.scheme))
        report = agreement_report(
            project=self.project,
            batches=list(batches),
            items=visible_items(request.user, self.project),
            by=chosen["by"],
        )
        return Response(AgreementSerializer(report).data)
