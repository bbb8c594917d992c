"""Trained aligners applied to datasets and gold alignments: the links that they drew."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import AlignerRun, AutomaticAlignment
from alignment.services.trained_aligners.applying import apply_aligner, run_archive
from annotation.permissions import check_see_gold
from jobs.api.removal import ArchivedFilter, RemovableEndpoint, listed
from paragold.formats.links.registry import LINK_FORMATS
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, found
from projects.permissions import check_manage


class AlignerRunSerializer(serializers.ModelSerializer[AlignerRun]):
    """How far it is, its job says."""

    gold_alignments = serializers.IntegerField(source="gold_set_id", allow_null=True)

    class Meta:
        model = AlignerRun
        fields = ("id", "job", "trained", "dataset", "gold_alignments", "created_at", "archived_at")
        read_only_fields = fields


class NewAlignerRunSerializer(StrictSerializer):
    """Either `dataset` or `gold_alignments`, which then are scored as well."""

    trained = IdField()
    dataset = IdField(required=False, allow_null=True)
    gold_alignments = IdField(required=False, allow_null=True)


class AutomaticAlignmentSerializer(serializers.ModelSerializer[AutomaticAlignment]):
    """`links` are [a, b], token indices from 0."""

    links = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), source="link_list"
    )

    class Meta:
        model = AutomaticAlignment
        fields = ("id", "pair", "links")
        read_only_fields = fields


class FormatFilter(StrictSerializer):
    file_format = serializers.ChoiceField(choices=LINK_FORMATS.ids(), default=LINK_FORMATS.ids()[0])


class AlignerRunsView(ProjectEndpoint):
    checks = {"GET": check_see_gold, "POST": check_manage}

    @extend_schema(
        operation_id="aligner_runs_list",
        parameters=[ArchivedFilter],
        responses=AlignerRunSerializer(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        """What trained aligners were applied to, newest first."""
        chosen = self.filters(ArchivedFilter)
        return self.paged(listed(self.project.aligner_runs.all(), **chosen), AlignerRunSerializer)

    @extend_schema(request=NewAlignerRunSerializer, responses={201: AlignerRunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Draw the links of all pairs by a job. The same aligner on the same pairs: the run that exists."""
        fields = self.body(NewAlignerRunSerializer)
        chosen: dict[str, Any] = {
            "trained": found(self.project.trained_aligners.all(), [fields["trained"]], field="trained")[0]
        }
        if fields.get("dataset"):
            datasets = self.project.datasets.all()
            chosen["dataset"] = found(datasets, [fields["dataset"]], field="dataset")[0]
        if fields.get("gold_alignments"):
            gold = self.project.gold_alignment_sets.all()
            chosen["gold_set"] = found(gold, [fields["gold_alignments"]], field="gold_alignments")[0]
        run = apply_aligner(project=self.project, by=self.caller, **chosen)
        return Response(AlignerRunSerializer(run).data, status=status.HTTP_201_CREATED)


class AlignerRunEndpoint(ObjectEndpoint):
    rows = AlignerRun.objects.select_related("trained", "dataset", "gold_set", "job")


class AlignerRunView(AlignerRunEndpoint, RemovableEndpoint):
    checks = {"GET": check_see_gold, "DELETE": check_manage}

    @extend_schema(responses=AlignerRunSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One run of a trained aligner."""
        return Response(AlignerRunSerializer(self.object).data)


class AutomaticAlignmentsView(AlignerRunEndpoint):
    checks = {"GET": check_see_gold}

    @extend_schema(
        operation_id="automatic_alignments_list", responses=AutomaticAlignmentSerializer(many=True)
    )
    def get(self, request: Request, pk: int) -> Response:
        """The pairs with the links that were drawn."""
        self.filters()
        return self.paged(self.object.alignments.all(), AutomaticAlignmentSerializer)


class AlignerRunFilesView(AlignerRunEndpoint):
    checks = {"GET": check_manage}

    @extend_schema(parameters=[FormatFilter], responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The links and their text as a zip file with a manifest; the same run gives the same bytes."""
        wanted = self.filters(FormatFilter)["file_format"]
        data = run_archive(self.object, wanted)
        disposition = f'attachment; filename="{self.project.slug}-links-{pk}-{wanted}.zip"'
        headers = {"Content-Disposition": disposition}
        return HttpResponse(data, content_type="application/zip", headers=headers)
