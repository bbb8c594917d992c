"""External datasets: folders of pairs in parts, attached and sampled."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import ExternalDataset
from corpus.services.external_datasets import attach, sample
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import RowSerializer, SeedField, StrictSerializer, WholeListSerializer
from projects.permissions import check_manage, check_read_corpus


class ExternalDatasetSerializer(RowSerializer[ExternalDataset]):
    state = serializers.CharField(source="job.state")

    class Meta:
        model = ExternalDataset
        fields = (
            "id", "name", "address", "size", "manifest_sha256", "manifest", "distances", "job", "state",
            "archived_at",
        )  # fmt: skip


class NewExternalDatasetSerializer(StrictSerializer):
    address = serializers.CharField(max_length=1000)
    name = serializers.CharField(max_length=80, default="", allow_blank=True)


@extend_schema_view(get=extend_schema(operation_id="external_datasets_list"))
class ExternalDatasetsView(RemovableListEndpoint):
    """The external datasets of the project."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = ExternalDataset.objects.select_related("job")
    serializer_class = ExternalDatasetSerializer

    @extend_schema(request=NewExternalDatasetSerializer, responses={201: ExternalDatasetSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Attach a folder of pairs in parts that an administrator allows; a job checks its hashes."""
        fields = self.body(NewExternalDatasetSerializer)
        made = attach(project=self.project, by=self.caller, **fields)
        return self.created(ExternalDatasetSerializer, made)


class ExternalDatasetView(RemovableEndpoint):
    """One external dataset."""

    rows = ExternalDataset.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = ExternalDatasetSerializer


class SampleFilters(StrictSerializer):
    seed = SeedField(default=1)
    size = serializers.IntegerField(min_value=1, max_value=100, default=10)


class SampledPairSerializer(serializers.Serializer[Any]):
    part = serializers.CharField(help_text="Name of the Parquet file.")
    row = serializers.IntegerField(help_text="Row in the part, from 0.")
    values = serializers.DictField(help_text="The pair's columns.")


class SampleSerializer(WholeListSerializer):
    items = SampledPairSerializer(many=True)


class ExternalSampleView(ObjectEndpoint):
    checks = {"GET": check_read_corpus}
    rows = ExternalDataset.objects.select_related("job")

    @extend_schema(
        operation_id="external_datasets_sample", parameters=[SampleFilters], responses=SampleSerializer
    )
    def get(self, request: Request, pk: int) -> Response:
        """Pairs of the folder, drawn at random by a seed; nothing is stored."""
        return Response(SampleSerializer({"items": sample(self.object, **self.filters(SampleFilters))}).data)
