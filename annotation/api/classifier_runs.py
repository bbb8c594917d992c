"""Classifiers applied to datasets: the scores, the refined datasets, the audit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import ClassifierRun, PairScore
from annotation.permissions import check_see_gold
from annotation.services.classifiers.applying import freeze_at, launch_application
from annotation.services.classifiers.audit import audit_of
from corpus.api.pairs import DatasetSerializer
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, found
from projects.permissions import check_manage


class IntervalField(serializers.ListField):
    """A share and its 95 % interval, 0 to 1."""

    child = serializers.FloatField()


class AuditSerializer(serializers.Serializer[Any]):
    """Pairs drawn at random from what had not been judged, against the run's decisions."""

    pairs = serializers.IntegerField()
    waiting = serializers.IntegerField(help_text="Without a gold label as yet.")
    accepted = serializers.IntegerField()
    paraphrases = serializers.IntegerField()
    both = serializers.IntegerField()
    precision = IntervalField(allow_null=True)
    recall = IntervalField(allow_null=True)


class ClassifierRunSerializer(serializers.ModelSerializer[ClassifierRun]):
    state = serializers.CharField(source="job.state")
    counts = serializers.DictField(source="job.counts", child=serializers.IntegerField())

    class Meta:
        model = ClassifierRun
        fields = (
            "id",
            "classifier",
            "dataset",
            "job",
            "state",
            "threshold",
            "name",
            "counts",
            "refined",
            "archived_at",
        )
        read_only_fields = fields


class AuditedRunSerializer(serializers.Serializer[Any]):
    run = ClassifierRunSerializer()
    audit = AuditSerializer(allow_null=True)


class NewRunSerializer(StrictSerializer):
    classifier = IdField()
    dataset = IdField()
    threshold = serializers.FloatField(min_value=0, max_value=1, default=0.5)
    name = serializers.CharField(max_length=80, required=False, help_text="Of the refined dataset.")


class RefinedSerializer(StrictSerializer):
    threshold = serializers.FloatField(min_value=0, max_value=1)
    name = serializers.CharField(max_length=80)


class PairScoreSerializer(serializers.ModelSerializer[PairScore]):
    class Meta:
        model = PairScore
        fields = ("id", "pair", "decision", "probability")
        read_only_fields = fields


@extend_schema_view(get=extend_schema(operation_id="classifier_runs_list"))
class ClassifierRunsView(RemovableListEndpoint):
    """What classifiers of the project were applied to."""

    checks = {"GET": check_see_gold, "POST": check_manage}
    rows = ClassifierRun.objects.select_related("job").prefetch_related("refined")
    project_path = ("classifier", "project")
    serializer_class = ClassifierRunSerializer

    @extend_schema(request=NewRunSerializer, responses={201: ClassifierRunSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Apply a classifier to a dataset; what it accepts from `threshold` on becomes a dataset."""
        fields: dict[str, Any] = self.body(NewRunSerializer)
        rows = self.project.classifiers.all()
        fields["classifier"] = found(rows, [fields["classifier"]], field="classifier")[0]
        fields["dataset"] = found(self.project.datasets.all(), [fields["dataset"]], field="dataset")[0]
        run = launch_application(by=self.caller, **fields)
        return Response(ClassifierRunSerializer(run).data, status=status.HTTP_201_CREATED)


class ClassifierRunView(RemovableEndpoint):
    rows = ClassifierRun.objects.select_related("job").prefetch_related("refined")
    project_path = ("classifier", "project")
    checks = {"GET": check_see_gold, "DELETE": check_manage}

    @extend_schema(responses=AuditedRunSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One run with its counts, its refined datasets and its audit."""
        audit = audit_of(self.object)
        answer = {"run": self.object, "audit": asdict(audit) if audit else None}
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


class ClassifierRunDatasetsView(ObjectEndpoint):
    rows = ClassifierRun.objects.all()
    project_path = ("classifier", "project")
    checks = {"POST": check_manage}

    @extend_schema(request=RefinedSerializer, responses={201: DatasetSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Freeze another dataset from the scores, with another threshold."""
        dataset = freeze_at(run=self.object, **self.body(RefinedSerializer))
        return Response(DatasetSerializer(dataset).data, status=status.HTTP_201_CREATED)
