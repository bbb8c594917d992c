"""Exports of gold and of datasets: made once for the same content, then downloaded as often as wanted."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_of
from alignment.services.exporting import ExportOptions
from alignment.services.gold_exports import export_file, request_gold_export
from alignment.services.gold_files import formats
from alignment.services.gold_links import STRENGTHS
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.formats.pairs.files import PAIR_FORMATS
from paragold.formats.pairs.splits import Splits, splits_from
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, SeedField, StrictSerializer, with_rows
from projects.errors import PublicError
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
        fields = with_rows(self.body(NewDatasetExportSerializer), dataset=self.project.datasets.all())
        splits = splits_from(fields.pop("splits", None))
        job = export_dataset(by=self.caller, splits=splits, **fields)
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class ExportSerializer(serializers.ModelSerializer[Export]):
    class Meta:
        model = Export
        fields = ("id", "name", "filename", "sha256", "bytes", "manifest", "created_at", "archived_at")
        read_only_fields = fields


class NewExportSerializer(CardSerializer):
    gold_set = IdField(required=False, allow_null=True)
    gold_alignments = IdField(required=False, allow_null=True)
    format = serializers.ChoiceField(choices=list(formats()), default="all")
    strengths = serializers.ChoiceField(choices=list(STRENGTHS), default="as_drawn")
    approved_only = serializers.BooleanField(
        default=False, help_text="Leaves out pairs on which annotators differ and no adjudicator decided."
    )


@extend_schema_view(get=extend_schema(operation_id="exports_list"))
class ExportsView(RemovableListEndpoint):
    """The exports of the project."""

    checks = {"GET": check_manage, "POST": check_manage}
    rows = Export.objects.all()
    serializer_class = ExportSerializer

    @extend_schema(request=NewExportSerializer, responses={201: ExportSerializer, 202: JobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Write a gold set, gold alignments or both. The same content gives the export that exists.

        201 with the export; for more than 2,000 pairs 202 with the job that writes it, whose
        `parameters.export` is the export when it is done.
        """
        fields = self.body(NewExportSerializer)
        gold = {"gold_set": self.project.gold_sets, "gold_alignments": self.project.gold_alignment_sets}
        fields = with_rows(fields, **{name: rows.all() for name, rows in gold.items()})
        job = request_gold_export(
            project=self.project,
            by=self.caller,
            gold_set=fields.pop("gold_set", None),
            gold_links=fields.pop("gold_alignments", None),
            options=ExportOptions(
                wanted=fields.pop("format"), splits=splits_from(fields.pop("splits", None)), **fields
            ),
        )
        made = export_of(job)
        if made is None:
            return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
        return Response(ExportSerializer(made).data, status=status.HTTP_201_CREATED)


class ExportDownloadView(ObjectEndpoint):
    rows = Export.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> FileResponse:
        """The zip file; one that is gone from the disk is made again."""
        try:
            path = export_file(export=self.object)
        except PublicError as error:
            raise Http404(str(error)) from error
        return FileResponse(
            path.open("rb"), as_attachment=True, filename=self.object.filename, content_type="application/zip"
        )


class ExportView(RemovableEndpoint):
    """One export."""

    rows = Export.objects.all()
    checks = {"GET": check_manage, "DELETE": check_manage}
    serializer_class = ExportSerializer
