"""Datasets of candidate pairs written out by a job."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.services.dataset_exports import export_dataset
from jobs.api.jobs import JobSerializer
from paragold.formats.pairs.files import PAIR_FORMATS
from paragold.formats.pairs.splits import Splits, splits_from
from projects.api.endpoint import ProjectEndpoint
from projects.api.serializers import IdField, SeedField, StrictSerializer, found
from projects.permissions import check_manage


class SplitsSerializer(StrictSerializer):
    train = serializers.IntegerField(min_value=0, max_value=100)
    dev = serializers.IntegerField(min_value=0, max_value=100)
    test = serializers.IntegerField(min_value=0, max_value=100)
    seed = SeedField(default=1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        try:
            Splits(**attrs)
        except ValueError as error:
            raise ValidationError(str(error)) from error
        return attrs


class CardSerializer(StrictSerializer):
    """Splits, and what the data card says of licence and limits."""

    splits = SplitsSerializer(required=False, help_text="Shares of the pairs in hundredths; they sum to 100.")
    licence = serializers.CharField(default="", allow_blank=True, max_length=2000)
    limits = serializers.CharField(default="", allow_blank=True, max_length=5000)


class NewDatasetExportSerializer(CardSerializer):
    dataset = IdField()
    formats = serializers.ListField(
        child=serializers.ChoiceField(choices=PAIR_FORMATS.ids()),
        default=lambda: list(PAIR_FORMATS.ids()),
        min_length=1,
    )


class DatasetExportsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        operation_id="dataset_exports_create",
        request=NewDatasetExportSerializer,
        responses={202: JobSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Write all pairs of a dataset to files, judged or not. When the job is done the export is listed."""
        fields = self.body(NewDatasetExportSerializer)
        dataset = found(self.project.datasets.all(), [fields.pop("dataset")], field="dataset")[0]
        splits = splits_from(fields.pop("splits", None))
        job = export_dataset(dataset=dataset, by=self.caller, splits=splits, **fields)
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
