"""Extractions of candidate pairs, by presets or by matching, and counting what they would find."""

from __future__ import annotations

from math import isfinite
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.models import Extraction, ProjectPreset
from corpus.services.dry_run import DryRun, ExampleBin, dry_run
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.matching import estimate, launch_matching
from corpus.services.presets import NAME_LENGTH, criteria_from, delete_preset, save_preset
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.api.jobs import JobSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.extraction.presets import PRESETS, RECOMMENDED, Preset, names_with_purposes
from projects.api.endpoint import Endpoint, ListEndpoint, ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import (
    MAX_PARAMETERS,
    DictField,
    RowSerializer,
    SeedField,
    SpecSerializer,
    StrictSerializer,
    WholeListSerializer,
    serializer_of,
)
from projects.permissions import check_manage, check_read_corpus


class ExtractionSerializer(RowSerializer[Extraction]):
    job = JobSerializer()

    class Meta:
        model = Extraction
        fields = ("id", "name", "preset", "criteria", "signature", "job", "archived_at")


class CriteriaSerializer(StrictSerializer):
    """What to extract: a preset with some of its parameters replaced."""

    preset = serializers.CharField(
        max_length=NAME_LENGTH,
        default=RECOMMENDED,
        help_text=f"{names_with_purposes()}, or a preset that the project saved.",
    )
    settings = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Parameters of the preset to replace, such as max_edit_distance.",
    )


class NewExtractionSerializer(CriteriaSerializer):
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even if very many pairs are expected."
    )


@extend_schema_view(get=extend_schema(operation_id="extractions_list"))
class ExtractionsView(RemovableListEndpoint):
    """The extractions of the project, each with its job."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = Extraction.objects.select_related("job")
    serializer_class = ExtractionSerializer

    @extend_schema(request=NewExtractionSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Launch an extraction. The job is stored at once, even if no worker is running."""
        fields = self.body(NewExtractionSerializer)
        extraction = launch_extraction(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


class ExtractionView(RemovableEndpoint):
    """One extraction, with its job."""

    rows = Extraction.objects.select_related("job")
    checks = {"GET": check_read_corpus, "DELETE": check_manage}
    serializer_class = ExtractionSerializer


class NewDryRunSerializer(CriteriaSerializer):
    sample = serializers.IntegerField(
        default=None,
        allow_null=True,
        min_value=1,
        max_value=1_000_000_000,
        help_text="Clusters to examine; null: all, if time allows.",
    )
    seed = SeedField(default=1)
    seconds = serializers.FloatField(
        default=4.0, min_value=0.1, max_value=20.0, help_text="No cluster is started after this time."
    )


ExampleBinSerializer = serializer_of(ExampleBin)


class DryRunSerializer(serializers.Serializer[DryRun]):
    """`low` and `high` are a 95 % interval; `high` is null when one cluster of several was looked at."""

    pairs = serializers.FloatField(
        source="projection.pairs", help_text="Expected number of pairs in the whole corpus."
    )
    low = serializers.FloatField(source="projection.low")
    high = serializers.SerializerMethodField()
    bytes = serializers.FloatField(
        source="disk", help_text="Expected size of these pairs in the database, in bytes."
    )
    clusters = serializers.IntegerField()
    sampled = serializers.IntegerField(help_text="How many clusters were examined.")
    found = serializers.IntegerField(help_text="How many pairs were found in the sample.")
    seconds = serializers.FloatField()
    distances = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="How many pairs of the sample have each word edit distance.",
    )
    bins = ExampleBinSerializer(many=True)

    def get_high(self, counted: DryRun) -> float | None:
        return counted.projection.high if isfinite(counted.projection.high) else None


class ExtractionDryRunView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(
        operation_id="extractions_dry_run", request=NewDryRunSerializer, responses=DryRunSerializer
    )
    def post(self, request: Request, slug: str) -> Response:
        """Count what an extraction would find, on a sample of clusters or on all; nothing is stored."""
        fields = self.body(NewDryRunSerializer)
        criteria = criteria_from(self.project, fields.pop("preset"), fields.pop("settings"))
        counted = dry_run(project=self.project, criteria=criteria, **fields)
        return Response(DryRunSerializer(counted).data)


class NewMatchingSerializer(SpecSerializer):
    spec_class = ProjectMatchingSpec
    name = serializers.CharField(max_length=70, default="", allow_blank=True)
    confirmed = serializers.BooleanField(
        default=False, help_text="Launch even if very many pairs are expected."
    )


class MatchingEstimateRequestSerializer(SpecSerializer):
    spec_class = ProjectMatchingSpec
    sample_seed = SeedField(
        default=1, help_text="Random seed of the samples: another seed draws other texts."
    )


class MatchingEstimateSerializer(serializers.Serializer[Any]):
    """`low` and `high` are a 95 % interval. All but `sentences` are null where `reason` says why."""

    sentences = serializers.IntegerField(help_text="How many sentences are to be matched.")
    reason = serializers.CharField(help_text="Why there is no estimate; else empty.")
    pairs = serializers.IntegerField(
        allow_null=True, help_text="Expected pairs; fewer with at most one partner."
    )
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    complete = serializers.BooleanField(
        allow_null=True, help_text="All texts were compared: `pairs` is exact."
    )
    texts = serializers.IntegerField(allow_null=True, help_text="How many distinct texts there are.")
    rows = serializers.IntegerField(allow_null=True, help_text="How many texts the first sample has.")
    columns = serializers.IntegerField(allow_null=True, help_text="How many texts the second sample has.")
    found = serializers.IntegerField(
        allow_null=True, help_text="How many matches there are between the samples."
    )


class MatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match sentences by a job: an extraction whose pairs have score and Jaccard."""
        fields = self.body(NewMatchingSerializer)
        extraction = launch_matching(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


class MatchingEstimateView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=MatchingEstimateRequestSerializer, responses=MatchingEstimateSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """What a matching would find, from a sample; nothing is stored."""
        fields = self.body(MatchingEstimateRequestSerializer)
        result = estimate(project=self.project, spec=fields["spec"], seed=fields["sample_seed"])
        names = ("pairs", "low", "high", "complete", "texts", "rows", "columns", "found")
        figures = {name: getattr(result.expected, name, None) for name in names}
        values = {"sentences": result.sentences, "reason": result.reason, **figures}
        return Response(MatchingEstimateSerializer(values).data)


class NewHeadlineMatchingSerializer(SpecSerializer):
    spec_class = ProjectHeadlineSpec
    leave_out = ("language",)
    name = serializers.CharField(max_length=70, default="", allow_blank=True)


class HeadlineMatchingsView(ProjectEndpoint):
    checks = {"POST": check_manage}

    @extend_schema(request=NewHeadlineMatchingSerializer, responses={201: ExtractionSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Match the first sentences of the articles of a cluster by a job; findings keep their cosine."""
        fields = self.body(NewHeadlineMatchingSerializer)
        extraction = launch_headline_matching(project=self.project, by=self.caller, **fields)
        return self.created(ExtractionSerializer, extraction)


PresetSerializer = serializer_of(
    Preset, "name", "source", "description", "purpose",
    criteria=serializers.DictField(source="criteria.as_json"),
)  # fmt: skip


class PresetListSerializer(WholeListSerializer):
    items = PresetSerializer(many=True)


class PresetsView(Endpoint):
    @extend_schema(operation_id="presets_list", responses=PresetListSerializer)
    def get(self, request: Request) -> Response:
        """The presets of the papers; `settings` of an extraction can change them."""
        self.filters()
        return Response(PresetListSerializer({"items": PRESETS.values()}).data)


class ProjectPresetSerializer(RowSerializer[ProjectPreset]):
    """`base` is the preset of the papers that it was made from; `criteria` are all parameters."""

    class Meta:
        model = ProjectPreset
        fields = ("id", "name", "base", "criteria", "created_at")


class NewPresetSerializer(StrictSerializer):
    name = serializers.CharField(max_length=NAME_LENGTH)
    preset = serializers.CharField(max_length=NAME_LENGTH, help_text="Name of the preset to start from.")
    settings = DictField(
        max_length=MAX_PARAMETERS,
        default=dict,
        help_text="Parameters of that preset to replace, such as max_edit_distance.",
    )


@extend_schema_view(get=extend_schema(operation_id="project_presets_list"))
class ProjectPresetsView(ListEndpoint):
    """The project's saved presets; extractions use them by name, like those of the papers."""

    checks = {"GET": check_read_corpus, "POST": check_manage}
    rows = ProjectPreset.objects.all()
    serializer_class = ProjectPresetSerializer

    @extend_schema(request=NewPresetSerializer, responses={201: ProjectPresetSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Save a preset. It never changes: another set of parameters needs another name."""
        saved = save_preset(project=self.project, by=self.caller, **self.body(NewPresetSerializer))
        return self.created(ProjectPresetSerializer, saved)


class ProjectPresetView(ObjectEndpoint):
    checks = {"DELETE": check_manage}
    rows = ProjectPreset.objects.all()

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Delete a preset. Extractions store their own parameters."""
        delete_preset(preset=self.object)
        return Response(status=status.HTTP_204_NO_CONTENT)
