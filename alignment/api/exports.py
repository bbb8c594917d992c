"""Exports of gold and of datasets: made once for the same content, then downloaded as often as wanted."""

from __future__ import annotations

from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.listings import ExportFilters
from alignment.models import Export
from alignment.services.dataset_exports import export_dataset
from alignment.services.export_store import export_of
from alignment.services.gold_exports import export_file, request_gold_export
from alignment.specs import DatasetExportSpec, GoldExportSpec
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint, SortedPagination
from projects.api.serializers import (
    IdField,
    RowSerializer,
    SeedField,
    SpecSerializer,
    StrictSerializer,
    with_rows,
)
from projects.downloads import zip_response
from projects.errors import PublicError
from projects.permissions import check_manage


class SplitsSerializer(StrictSerializer):
    train = serializers.IntegerField(min_value=0, max_value=100)
    dev = serializers.IntegerField(min_value=0, max_value=100)
    test = serializers.IntegerField(min_value=0, max_value=100)
    seed = SeedField(default=1)


class CardSerializer(SpecSerializer):
    """Splits, and licence and limits for the data card."""

    splits = SplitsSerializer(required=False, help_text="Percentages of the pairs; they sum to 100.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: field for name, field in super().get_fields().items() if name != "seed"}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        fields = dict(attrs)
        if splits := fields.pop("splits", None):
            fields |= {"splits": "{train}/{dev}/{test}".format(**splits), "seed": splits["seed"]}
        return super().validate(fields)


class NewDatasetExportSerializer(CardSerializer):
    spec_class = DatasetExportSpec
    dataset = IdField()


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
        job = export_dataset(by=self.caller, **fields)
        return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)


class ExportSerializer(RowSerializer[Export]):
    class Meta:
        model = Export
        fields = ("id", "name", "filename", "sha256", "bytes", "manifest", "created_at", "archived_at")


class NewExportSerializer(CardSerializer):
    spec_class = GoldExportSpec
    gold_set = IdField(required=False, allow_null=True)
    gold_alignments = IdField(required=False, allow_null=True)


@extend_schema_view(get=extend_schema(operation_id="exports_list"))
class ExportsView(RemovableListEndpoint):
    """The exports of the project."""

    filterset_class = ExportFilters
    pagination_class = SortedPagination
    checks = {"GET": check_manage, "POST": check_manage}
    rows = Export.objects.all()
    serializer_class = ExportSerializer

    @extend_schema(request=NewExportSerializer, responses={201: ExportSerializer, 202: JobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Write a gold set, gold links or both. The same content returns the existing export.

        201 with the export; for more than 2,000 pairs 202 with the job that writes it, whose
        `parameters.export` is the export when it is done.
        """
        fields = with_rows(
            self.body(NewExportSerializer),
            gold_set=self.project.gold_sets.all(),
            gold_alignments=self.project.gold_alignment_sets.all(),
        )
        fields["gold_links"] = fields.pop("gold_alignments", None)
        job = request_gold_export(project=self.project, by=self.caller, **fields)
        made = export_of(job)
        if made is None:
            return Response(JobSerializer(job).data, status=status.HTTP_202_ACCEPTED)
        return Response(ExportSerializer(made).data, status=status.HTTP_201_CREATED)


class ExportDownloadView(ObjectEndpoint):
    rows = Export.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> FileResponse:
        """The zip file; a missing one is made again."""
        try:
            path = export_file(export=self.object)
        except PublicError as error:
            raise Http404(str(error)) from error
        return zip_response(path, self.object.filename, self.project)


class ExportView(RemovableEndpoint):
    """One export."""

    rows = Export.objects.all()
    checks = {"GET": check_manage, "DELETE": check_manage}
    serializer_class = ExportSerializer
