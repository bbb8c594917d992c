"""Classifiers: training them, their figures and files, applying them, and why they decide as they do."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import ClassifierRun, PairScore, TrainedClassifier
from annotation.permissions import check_see_gold
from annotation.services.classifiers.inspection import (
    audit_of,
    model_of,
    shown_figures,
)
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from corpus.api.uploads import LimitedBody, uploaded
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from jobs.models import JobState
from projects.api.endpoint import ObjectEndpoint, checked
from projects.api.serializers import (
    IdField,
    RowSerializer,
    SpecSerializer,
    with_rows,
)
from projects.downloads import attachment
from projects.permissions import check_manage


class ClassifierSerializer(RowSerializer[TrainedClassifier]):
    """`figures` are the cross-validation results; they are added while the job runs."""

    state = serializers.CharField(source="job.state")
    figures = serializers.SerializerMethodField()

    class Meta:
        model = TrainedClassifier
        fields = (
            "id", "name", "version", "job", "state", "gold_set", "imported_from", "lexicon", "parameters",
            "sha256", "figures", "notes", "signature", "archived_at",
        )  # fmt: skip

    def get_figures(self, classifier: TrainedClassifier) -> dict[str, Any]:
        return shown_figures(classifier)


class ClassifierFromFileSerializer(SpecSerializer):
    """Training and test data of a classifier, its features, and how it is fitted."""

    spec_class = TrainingSpec
    leave_out = ("language",)
    name = serializers.CharField(max_length=80)
    lexicon = IdField(required=False, help_text="Lexicon of word association; without one this class is off.")
    bootstrap = IdField(required=False, help_text="A dataset: measure the effect of bootstrapping on it.")
    aligned = IdField(
        required=False,
        help_text="A dataset: for each row of the ablation, train an aligner on the pairs accepted from "
        "it, and measure its alignment error rate. The project needs gold links.",
    )
    file = serializers.FileField(
        max_length=255,
        help_text="Labelled pairs: label TAB sentence TAB sentence, or the format of the Microsoft "
        "Research Paraphrase Corpus.",
    )
    encoding = serializers.CharField(default="utf-8", max_length=40)


@extend_schema_view(get=extend_schema(operation_id="classifiers_list"))
class ClassifiersView(LimitedBody, RemovableListEndpoint):
    """The classifiers of the project, every version."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = TrainedClassifier.objects.select_related("job").defer("model", "imported_pairs")
    serializer_class = ClassifierSerializer
    parser_classes = (MultiPartParser,)

    @extend_schema(
        request={"multipart/form-data": ClassifierFromFileSerializer}, responses={201: ClassifierSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Train the next version on a `file` of labelled pairs; `operations/train-classifier/` takes gold."""
        # Of a form that leaves something out the defaults hold, as for JSON.
        sent = cast(QueryDict, request.data)
        form: dict[str, Any] = {name: sent[name] for name in sent}
        if "classes" in form:
            form["classes"] = sent.getlist("classes")
        fields = checked(ClassifierFromFileSerializer, form, context={"texts": True})
        del fields["file"]
        rows = {
            "lexicon": self.project.lexicons.filter(job__state=JobState.DONE),
            "bootstrap": self.project.datasets.all(),
            "aligned": self.project.datasets.all(),
        }
        with uploaded(request) as (path, filename):
            given = with_rows(fields, **rows) | {"pairs": path, "filename": filename}
            classifier = launch_training(project=self.project, by=self.caller, **given)
        return self.created(ClassifierSerializer, classifier)


class ClassifierView(RemovableEndpoint):
    """One classifier with its figures."""

    rows = TrainedClassifier.objects.select_related("job").defer("model", "imported_pairs")
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = ClassifierSerializer


class ClassifierFileView(ObjectEndpoint):
    rows = TrainedClassifier.objects.all()
    checks = {"GET": check_manage}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Its numbers as npz, for `paragold classify-pairs --model`. 400 before it is trained."""
        model_of(self.object)
        name = f"classifier-{self.object.pk}-v{self.object.version}.npz"
        return HttpResponse(
            bytes(self.object.model),
            content_type="application/octet-stream",
            headers=attachment(name, self.project),
        )


class ClassifierRunSerializer(RowSerializer[ClassifierRun]):
    state = serializers.CharField(source="job.state")
    counts = serializers.DictField(source="job.counts", child=serializers.IntegerField())

    class Meta:
        model = ClassifierRun
        fields = (
            "id", "classifier", "dataset", "job", "state", "threshold", "name", "counts", "refined",
            "archived_at",
        )  # fmt: skip


class AuditedRunSerializer(serializers.Serializer[Any]):
    run = ClassifierRunSerializer()
    audit = serializers.DictField(
        allow_null=True, help_text="Unjudged pairs drawn at random, compared with the run's decisions."
    )


class PairScoreSerializer(RowSerializer[PairScore]):
    class Meta:
        model = PairScore
        fields = ("id", "pair", "decision", "probability")


@extend_schema_view(get=extend_schema(operation_id="classifier_runs_list"))
class ClassifierRunsView(RemovableListEndpoint):
    """Runs of the project's classifiers."""

    checks = {"GET": check_see_gold}
    rows = ClassifierRun.objects.select_related("job").prefetch_related("refined")
    project_path = ("classifier", "project")
    serializer_class = ClassifierRunSerializer


class ClassifierRunView(RemovableEndpoint):
    rows = ClassifierRun.objects.select_related("job").prefetch_related("refined")
    project_path = ("classifier", "project")
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = AuditedRunSerializer

    def get(self, request: Request, pk: int) -> Response:
        """One run with its counts, its refined datasets and its audit."""
        answer = {"run": self.object, "audit": audit_of(self.object)}
        return Response(AuditedRunSerializer(answer).data)


class ClassifierRunScoresView(ObjectEndpoint):
    rows = ClassifierRun.objects.all()
    project_path = ("classifier", "project")
    checks = {"GET": check_see_gold}

    @extend_schema(operation_id="classifier_run_scores_list", responses=PairScoreSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The decision and the probability of every pair."""
        self.filters()
        return self.paged(self.object.scores.all(), PairScoreSerializer)
