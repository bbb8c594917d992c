"""Figures over answers: agreement with intervals, progress and speed of the work, phenomena by dataset."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.agreement import (
    PERIODS,
    agreement_report,
)
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import phenomena_means
from annotation.services.progress import PersonWork, ProjectWork, Work, project_work
from annotation.services.subclusters import (
    PARTITION_FIGURES,
    AnnotatorAgreement,
    ClusterAgreement,
    agreement_of,
    overall,
)
from paragold.agreement.partitions import SIGNATURE, PairCounts
from paragold.agreement.samples import MeanCount
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, WholeListSerializer, serializer_of
from projects.errors import PublicError
from projects.models import PhenomenaScope, Scheme
from projects.permissions import check_manage


class AgreementFilters(StrictSerializer):
    batch = IdField(required=False, help_text="One judging batch; default: all of a scheme.")
    scheme = serializers.ChoiceField(
        choices=Scheme.choices,
        required=False,
        help_text="Rule by which answers become gold; by default that of the project.",
    )
    by = serializers.ChoiceField(choices=list(PERIODS), default="tenths", help_text="The periods.")


class AgreementView(ProjectEndpoint):
    checks = {"GET": check_see_answers}

    def get(self, request: Request, slug: str) -> Response:
        """Agreement over the items whose answers I may see."""
        chosen = self.filters(AgreementFilters)
        batches = Batch.objects.filter(project=self.project, kind=BatchKind.JUDGE)
        if "batch" in chosen:
            batches = batches.filter(pk=chosen["batch"])
            if not batches:
                raise Http404("The project has no judging batch with this number.")
        else:
            batches = batches.current().filter(scheme=chosen.get("scheme", self.project.scheme))
        report = agreement_report(
            project=self.project,
            batches=list(batches),
            items=visible_items(request.user, self.project),
            by=chosen["by"],
        )
        return Response(
            {
                "scheme": report.scheme,
                "labels": report.labels,
                "items": report.items,
                "overall": report.overall,
                "first_pass": report.first_pass,
                "second_pass": report.second_pass,
                "pairs": report.pairs,
                "confusion": report.confusion,
                "batches": [
                    {"batch": batch.pk, "agreement": estimates, "first_pass": first_pass}
                    for batch, estimates, first_pass in report.batches
                ],
                "periods": [
                    {
                        "period": period.name,
                        "first": period.first,
                        "last": period.last,
                        "agreement": estimates,
                    }
                    for period, estimates in report.periods
                ],
                "passes": report.passes,
                "signature": report.signature,
            }
        )


PartitionFiguresSerializer = serializer_of(PairCounts, *PARTITION_FIGURES)
AnnotatorAgreementSerializer = serializer_of(
    AnnotatorAgreement, "first", "second", "headlines", "same", "mean_adjusted_rand",
    all=PartitionFiguresSerializer(),
    clusters=serializer_of(ClusterAgreement, "item", "number", "headlines", *PARTITION_FIGURES)(many=True),
)  # fmt: skip


class SubclusterAgreementSerializer(serializers.Serializer[Any]):
    overall = PartitionFiguresSerializer()
    annotators = AnnotatorAgreementSerializer(many=True)
    signature = serializers.CharField()


class SubclusterAgreementView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"GET": check_see_answers}

    @extend_schema(responses=SubclusterAgreementSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Adjusted Rand index and pairwise precision, recall and F of every two annotators, by pseudonym."""
        self.filters()
        if self.object.kind != BatchKind.SPLIT:
            raise PublicError("Agreement on sub-clusters needs a batch for splitting.")
        items = visible_items(request.user, self.project).filter(batch=self.object)
        rows = agreement_of(self.object, items.order_by().values_list("pk", flat=True))
        report = {"overall": overall(rows), "annotators": rows, "signature": SIGNATURE}
        return Response(SubclusterAgreementSerializer(report).data)


WorkSerializer = serializer_of(Work, "answers", "days", "hours", "per_day", "per_hour")
PersonWorkSerializer = serializer_of(
    PersonWork, "username", "left", "skipped", "flagged", work=WorkSerializer()
)


class BatchWorkSerializer(serializers.Serializer[Any]):
    batch = serializers.IntegerField(source="batch.pk")
    wanted = serializers.IntegerField(source="progress.expected")
    answered = serializers.IntegerField(source="progress.answered")
    left = serializers.IntegerField(source="progress.waiting")
    missing = serializers.IntegerField(
        source="progress.missing",
        help_text="Open but not expected: the batch is closed, or its second pass runs.",
    )
    skipped = serializers.IntegerField()
    flagged = serializers.IntegerField()


ProjectWorkSerializer = serializer_of(
    ProjectWork, "left", "days_left", "days",
    total=WorkSerializer(),
    batches=BatchWorkSerializer(many=True),
    people=PersonWorkSerializer(many=True),
)  # fmt: skip


class WorkFilters(StrictSerializer):
    kind = serializers.ChoiceField(choices=BatchKind.choices, default=BatchKind.JUDGE)


class WorkView(ProjectEndpoint):
    checks = {"GET": check_manage}

    @extend_schema(operation_id="work_retrieve", parameters=[WorkFilters], responses=ProjectWorkSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Work done by each person, its pace, and the work left."""
        work = project_work(self.project, self.filters(WorkFilters)["kind"])
        return Response(ProjectWorkSerializer(work).data)


MeanCountSerializer = serializer_of(MeanCount, phenomenon=serializers.CharField())


class DatasetPhenomenaSerializer(serializers.Serializer[Any]):
    dataset = serializers.IntegerField()
    name = serializers.CharField()
    base = serializers.ChoiceField(
        choices=PhenomenaScope.values[1:],
        help_text="every_pair: pairs of random batches with counts in every pair; paraphrases: pairs that "
        "an annotator labelled paraphrase or partial paraphrase.",
    )
    judged = serializers.IntegerField(help_text="How many pairs of this base are judged.")
    pairs = serializers.IntegerField(help_text="How many of them have counts of phenomena.")
    means = MeanCountSerializer(many=True)
    signature = serializers.CharField()


class PhenomenaMeansSerializer(WholeListSerializer):
    items = DatasetPhenomenaSerializer(many=True)


class CountedInSerializer(StrictSerializer):
    count_phenomena = serializers.ChoiceField(choices=PhenomenaScope.choices)


class PhenomenaView(ProjectEndpoint):
    pagination_class = None  # a plain list, which the OpenAPI document is to say
    checks = {"GET": check_see_answers}

    @extend_schema(operation_id="phenomena_retrieve", responses=PhenomenaMeansSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """The mean number of each phenomenon per dataset, over the items whose answers I may see."""
        self.filters()
        rows = [
            {
                "dataset": means.dataset.pk,
                "name": means.dataset.name,
                "base": means.base,
                "judged": means.judged,
                "pairs": means.pairs,
                "means": [{"phenomenon": name, **asdict(means.means[name])} for name in Phenomenon.values],
                "signature": means.signature,
            }
            for means in phenomena_means(visible_items(request.user, self.project))
        ]
        return Response(PhenomenaMeansSerializer({"items": rows}).data)


class BatchPhenomenaView(ObjectEndpoint):
    rows = Batch.objects.all()
    checks = {"PUT": check_manage}

    @extend_schema(request=CountedInSerializer, responses=CountedInSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Set in which pairs of a batch phenomena are counted. Existing counts stay."""
        fields = self.body(CountedInSerializer)
        ask_phenomena(batch=self.object, scope=fields["count_phenomena"])
        return Response(fields)
