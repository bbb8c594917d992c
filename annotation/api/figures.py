"""What answers come to: agreement with intervals, progress and speed of the work, phenomena by dataset."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.models import Batch, BatchKind, Phenomenon
from annotation.permissions import check_see_answers, visible_items
from annotation.services.agreement import PERIODS, AgreementReport, agreement_report
from annotation.services.batches import ask_phenomena
from annotation.services.dataset_figures import phenomena_means
from annotation.services.progress import project_work
from annotation.services.subclusters import agreement_of
from annotation.services.subclusters import as_json as agreement_json
from projects.api.endpoint import ObjectEndpoint, ProjectEndpoint
from projects.api.serializers import IdField, StrictSerializer, WholeListSerializer
from projects.errors import PublicError
from projects.models import PhenomenaScope, Scheme
from projects.permissions import check_manage


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
    alpha_ordinal = EstimateSerializer(
        required=False, help_text="Krippendorff's alpha of ordered labels; only in the three-way scheme."
    )


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
    """Agreement on the first labels and on the present ones."""

    first = EstimatesSerializer()
    last = EstimatesSerializer()
    changed = serializers.IntegerField()
    labels = serializers.IntegerField()


class AgreementSerializer(serializers.Serializer[Any]):
    """`confusion` counts every two labels of an item once in each order; its rows are `labels`."""

    scheme = serializers.ChoiceField(choices=Scheme.choices)
    labels = serializers.ListField(
        child=serializers.CharField(),
        help_text="Labels of the scheme, from unrelated to paraphrase, as the confusion matrices have them.",
    )
    items = serializers.IntegerField(help_text="How many items have two or more labels.")
    overall = EstimatesSerializer()
    pairs = TwoAnnotatorsSerializer(many=True)
    confusion = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))
    batches = serializers.SerializerMethodField()
    periods = serializers.SerializerMethodField()
    passes = BothPassesSerializer(
        allow_null=True,
        help_text="Agreement on the first and on the present labels; null if no label was changed.",
    )
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
    batch = IdField(required=False, help_text="One judging batch; default: all of a scheme.")
    scheme = serializers.ChoiceField(
        choices=Scheme.choices,
        required=False,
        help_text="Rule by which answers become gold; by default that of the project.",
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
                raise Http404("The project has no judging batch with this number.")
        else:
            batches = batches.current().filter(scheme=chosen.get("scheme", self.project.scheme))
        report = agreement_report(
            project=self.project,
            batches=list(batches),
            items=visible_items(request.user, self.project),
            by=chosen["by"],
        )
        return Response(AgreementSerializer(report).data)


class PartitionFiguresSerializer(serializers.Serializer[Any]):
    """Shares from 0 to 1 (the adjusted Rand index may be below 0), null where undefined.

    Of `pairs` of headlines of one cluster, `first` and `second` were put together by the one and the other
    annotator, `together` by both.
    """

    adjusted_rand = serializers.FloatField(allow_null=True)
    precision = serializers.FloatField(allow_null=True)
    recall = serializers.FloatField(allow_null=True)
    f1 = serializers.FloatField(allow_null=True)
    together = serializers.IntegerField()
    first = serializers.IntegerField()
    second = serializers.IntegerField()
    pairs = serializers.IntegerField()


class ClusterAgreementSerializer(PartitionFiguresSerializer):
    item = serializers.IntegerField()
    number = serializers.IntegerField()
    headlines = serializers.IntegerField()


class SubclusterAnnotatorsSerializer(serializers.Serializer[Any]):
    first = serializers.CharField()
    second = serializers.CharField()
    headlines = serializers.IntegerField()
    same = serializers.IntegerField(help_text="Clusters that both split in the same way.")
    mean_adjusted_rand = serializers.FloatField(allow_null=True)
    all = PartitionFiguresSerializer()
    clusters = ClusterAgreementSerializer(many=True)


class SubclusterAgreementSerializer(serializers.Serializer[Any]):
    overall = PartitionFiguresSerializer()
    annotators = SubclusterAnnotatorsSerializer(many=True)
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
        return Response(agreement_json(rows))


class WorkSerializer(serializers.Serializer[Any]):
    """Answers, on how many days; hours on the screen, at most 5 minutes for each. Rates may be null."""

    answers = serializers.IntegerField()
    days = serializers.IntegerField()
    hours = serializers.FloatField()
    per_day = serializers.FloatField(allow_null=True)
    per_hour = serializers.FloatField(allow_null=True)


class BatchWorkSerializer(serializers.Serializer[Any]):
    batch = serializers.IntegerField(source="batch.pk")
    wanted = serializers.IntegerField(source="progress.wanted")
    answered = serializers.IntegerField(source="progress.answered")
    left = serializers.IntegerField(source="progress.waiting")
    missing = serializers.IntegerField(
        source="progress.missing",
        help_text="Open but not expected: the batch is closed, or its second pass runs.",
    )
    skipped = serializers.IntegerField()
    flagged = serializers.IntegerField()


class PersonWorkSerializer(serializers.Serializer[Any]):
    username = serializers.CharField()
    left = serializers.IntegerField()
    skipped = serializers.IntegerField()
    flagged = serializers.IntegerField()
    work = WorkSerializer()


class DayWorkSerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    answers = serializers.IntegerField()
    people = serializers.IntegerField()


class ProjectWorkSerializer(serializers.Serializer[Any]):
    """Imported answers count as done, not as work."""

    left = serializers.IntegerField()
    days_left = serializers.FloatField(
        allow_null=True, help_text="Expected days until the end at the current pace; null without one."
    )
    total = WorkSerializer()
    batches = BatchWorkSerializer(many=True)
    people = PersonWorkSerializer(many=True)
    days = DayWorkSerializer(many=True)


class WorkFilters(StrictSerializer):
    kind = serializers.ChoiceField(choices=BatchKind.choices, default=BatchKind.JUDGE)


class WorkView(ProjectEndpoint):
    checks = {"GET": check_manage}

    @extend_schema(operation_id="work_retrieve", parameters=[WorkFilters], responses=ProjectWorkSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Work done by each person, its pace, and the work left."""
        work = project_work(self.project, self.filters(WorkFilters)["kind"])
        return Response(ProjectWorkSerializer(work).data)


class MeanCountSerializer(serializers.Serializer[Any]):
    """A mean number per pair with its 95 % bootstrap interval, null with fewer than two pairs."""

    phenomenon = serializers.CharField()
    value = serializers.FloatField()
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


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
                "dataset": found.dataset.pk,
                "name": found.dataset.name,
                "base": found.base,
                "judged": found.judged,
                "pairs": found.pairs,
                "means": [{"phenomenon": name, **asdict(found.means[name])} for name in Phenomenon.values],
                "signature": found.signature,
            }
            for found in phenomena_means(visible_items(request.user, self.project))
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
