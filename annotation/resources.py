"""Gold sets, gold sub-clusters, classifiers and their runs as resources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.template.defaultfilters import truncatechars
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation.forms import RULES
from annotation.models import (
    IMPORTED,
    Batch,
    ClassifierRun,
    GoldJudgement,
    GoldSet,
    GoldSubclusters,
    GoldSubclusterSet,
    ModelAnnotator,
    ModelAnswer,
    PairScore,
    SubclusterRule,
    TrainedClassifier,
)
from annotation.permissions import check_see_gold
from annotation.presenters import bare_percent, coefficients, decimals
from annotation.schemes import Label
from annotation.services.classifiers.inspection import audit_of, shown_figures
from corpus.resources import PairSentenceSerializer, dataset_link
from jobs.resources import state_of
from projects.api.serializers import RowSerializer
from projects.columns import Column, Link, Quiet, number
from projects.listings import ArchivedFilters, NamedFilters, Resource, SortFilter, WholeNumberFilter
from projects.permissions import check_manage


class GoldFilters(NamedFilters):
    sort = SortFilter({"id": "pk", "frozen": "frozen_at", "name": "name", "rule": "rule"})


def rule_words(rule: str) -> str:
    """The rule that decided the labels, in a sentence."""
    if rule == IMPORTED:
        return gettext("Imported: the labels came with a file and are final.")
    return RULES[rule]


def frozen_columns(label: str, page: str, rule: Callable[[Any], str], *others: Column) -> tuple[Column, ...]:
    """The columns of things that are frozen in versions."""
    return (
        Column(label, lambda row: Link(row, page, row.pk), "name"),
        Column(_("Rule"), rule, "rule"),
        *others,
        number(_("Frozen"), lambda row: row.frozen_at.date(), "frozen"),
    )


def count(name: str, label: str, page: str = "", query: str = "") -> Column:
    """One of the counts that were stored with a gold set, which may lead to a page of it."""

    def value(row: Any) -> Any:
        counted = row.counts.get(name, 0)
        return Link(counted, page, row.pk, query) if page else counted

    return number(label, value)


def _coefficient(name: str, label: str) -> Column:
    def value(row: GoldSet) -> Any:
        figure = coefficients(row.agreement).get(name)
        if figure is None:
            return "-"
        text: Any = figure.value
        if figure.undefined_because:
            text = format_html('<span title="{}">{}</span>', figure.undefined_because, text)
        which = gettext("first pass, ") if figure.second_pass else ""
        second = (figure.second_pass.value, Quiet(gettext("second pass"))) if figure.second_pass else ()
        return (text, Quiet(f"{which}n {figure.items:,}") if figure.items else None, *second)

    return number(label, value)


class GoldSetSerializer(RowSerializer[GoldSet]):
    class Meta:
        model = GoldSet
        fields = (
            "id", "name", "version", "rule", "scheme", "batches", "model_annotators", "agreement", "counts",
            "signature", "frozen_at", "archived_at",
        )  # fmt: skip


class GoldJudgementSerializer(RowSerializer[GoldJudgement]):
    """The label and the pair. Answers of single annotators are in reviews and exports, not here."""

    cluster = serializers.CharField(source="item.pair.cluster.key")
    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldJudgement
        fields = ("id", "item", "cluster", "label", "adjudicated", "a", "b")

    def get_adjudicated(self, judgement: GoldJudgement) -> bool:
        return judgement.adjudication is not None


GOLD_SETS = Resource(
    name="gold-sets",
    noun="gold set",
    objects=GoldSet.objects.prefetch_related("batches"),
    check=check_see_gold,
    filters=GoldFilters,
    serializer=GoldSetSerializer,
    order="-frozen",
    columns=frozen_columns(
        _("Gold set"),
        "gold-set",
        lambda row: rule_words(row.rule).partition(":")[0],
        count("pairs", _("Pairs"), "gold-set"),
        count(Label.PARAPHRASE, _("Paraphrases"), "gold-set", f"label={Label.PARAPHRASE}"),
        _coefficient("observed", _("Agreement")),
        _coefficient("cohen_kappa", _("Kappa")),
        _coefficient("krippendorff_alpha", _("Alpha")),
    ),
)


class GoldSubclusterSetSerializer(RowSerializer[GoldSubclusterSet]):
    class Meta:
        model = GoldSubclusterSet
        fields = (
            "id", "name", "version", "rule", "batch", "agreement", "counts", "lineage", "signature",
            "frozen_at", "archived_at",
        )  # fmt: skip


class GoldSubclustersSerializer(RowSerializer[GoldSubclusters]):
    """`subclusters` are lists of article ids. Answers of single annotators are in reviews, not here."""

    cluster_id = serializers.CharField(source="item.cluster.key")
    subclusters = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    adjudicated = serializers.SerializerMethodField()

    class Meta:
        model = GoldSubclusters
        fields = ("id", "item", "cluster_id", "subclusters", "adjudicated")

    def get_adjudicated(self, gold: GoldSubclusters) -> bool:
        return gold.adjudication is not None


GOLD_SUBCLUSTERS = Resource(
    name="gold-subclusters",
    noun="gold set",
    about="They are of sub-clusters.",
    objects=GoldSubclusterSet.objects.all(),
    check=check_see_gold,
    filters=GoldFilters,
    serializer=GoldSubclusterSetSerializer,
    order="-frozen",
    columns=frozen_columns(
        _("Gold sub-clusters"),
        "gold-subclusters",
        lambda row: SubclusterRule(row.rule).label.partition(":")[0],
        count("clusters", _("Clusters"), "gold-subclusters"),
        count("subclusters", _("Sub-clusters")),
        count("grouped", _("Headlines in them")),
        count("headlines", _("Headlines")),
        number(_("Adjusted Rand"), lambda row: decimals(row.agreement.get("adjusted_rand"))),
        number("F", lambda row: decimals(row.agreement.get("f1"))),
    ),
)


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


def _trained_on(classifier: TrainedClassifier) -> Any:
    gold_set = classifier.gold_set
    if gold_set is None:
        return truncatechars(classifier.imported_from, 40)
    return Link(gold_set, "gold-set", gold_set.pk)


def _share(name: str, label: str) -> Column:
    """A measure of cross-validation in percent; nothing before there is one."""

    def value(row: TrainedClassifier) -> str:
        measures = row.figures.get("measures")
        return bare_percent(measures[name]) if measures else ""

    return number(label, value)


CLASSIFIERS = Resource(
    name="classifiers",
    noun="classifier",
    objects=TrainedClassifier.objects.select_related("job", "gold_set").defer("model", "imported_pairs"),
    check=check_see_gold,
    filters=NamedFilters,
    serializer=ClassifierSerializer,
    order="-id",
    columns=(
        Column(_("Classifier"), lambda row: Link(row, "classifier", row.pk), "name"),
        Column(_("Trained on"), _trained_on),
        number(_("Pairs"), lambda row: row.figures.get("pairs")),
        number(_("Features"), lambda row: row.figures.get("features")),
        _share("error", _("Error, %")),
        _share("f", "F, %"),
        Column(_("State"), lambda row: state_of(row.job)),
    ),
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
    run = ClassifierRunSerializer(source="*")
    audit = serializers.SerializerMethodField(
        help_text="Unjudged pairs drawn at random, compared with the run's decisions."
    )

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_audit(self, run: ClassifierRun) -> dict[str, Any] | None:
        return audit_of(run)


class PairScoreSerializer(RowSerializer[PairScore]):
    """The decision and the probability of a pair."""

    class Meta:
        model = PairScore
        fields = ("id", "pair", "decision", "probability")


class RunFilters(ArchivedFilters):
    classifier = WholeNumberFilter(label=_("Classifier"), widget=forms.HiddenInput, help_text=_("Its id."))
    not_narrowing = ("sort", "archived", "classifier")


CLASSIFIER_RUNS = Resource(
    name="classifier-runs",
    noun="run of a classifier",
    plural="runs of classifiers",
    objects=ClassifierRun.objects.select_related("job", "dataset", "classifier").prefetch_related("refined"),
    project_path=("classifier", "project"),
    check=check_see_gold,
    filters=RunFilters,
    serializer=ClassifierRunSerializer,
    detail=AuditedRunSerializer,
    about="With its counts, its refined datasets and, of one, its audit.",
    order="-id",
    columns=(
        Column(_("Classifier"), lambda row: Link(row.classifier, "classifier-run", row.pk)),
        Column(_("Dataset"), lambda row: dataset_link(row.dataset)),
        number(_("Pairs"), "dataset.size"),
        number(_("From"), lambda row: "decision ≥ 0" if row.threshold is None else str(row.threshold)),
        number(_("Accepted"), lambda row: row.job.counts.get("accepted", 0)),
        Column(_("Refined datasets"), lambda row: [*map(dataset_link, row.refined.all())] or Quiet("none")),
        Column(_("State"), lambda row: state_of(row.job)),
    ),
)


class ModelAnnotatorSerializer(RowSerializer[ModelAnnotator]):
    """`counts` has the `pairs` that it answered, and the `failures` among them."""

    state = serializers.CharField(source="job.state")
    counts = serializers.DictField(source="job.counts", child=serializers.IntegerField())

    class Meta:
        model = ModelAnnotator
        fields = (
            "id", "name", "batch", "job", "state", "counts", "classifier", "scorer", "aligner", "parameters",
            "signature", "archived_at",
        )  # fmt: skip


class ModelAnswerSerializer(RowSerializer[ModelAnswer]):
    """A model's answer to an item, or why it failed."""

    class Meta:
        model = ModelAnswer
        fields = ("id", "item", "label", "score", "links", "seconds", "problem")


# Managers only: adjudicators decide without them.
MODEL_ANNOTATORS = Resource(
    name="model-annotators",
    noun="model that answered a batch",
    plural="models that answered a batch",
    objects=ModelAnnotator.objects.filter(batch__in=Batch.objects.all()).select_related("job"),
    project_path=("batch", "project"),
    check=check_manage,
    filters=ArchivedFilters,
    serializer=ModelAnnotatorSerializer,
    order="-id",
)
