"""Gold links, trained aligners, their runs and scores, experiments and exports as resources."""

from __future__ import annotations

from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop as _
from rest_framework import serializers

from alignment.forms import MERGING
from alignment.models import (
    AlignerRun,
    AutomaticAlignment,
    Evaluation,
    Experiment,
    Export,
    GoldAlignment,
    GoldAlignmentSet,
    TrainedAligner,
)
from alignment.services.experiment_tables import tables_of, training_set
from alignment.services.trained_aligners.launching import new_gold_pairs
from annotation.forms import RULES
from annotation.permissions import check_see_gold
from annotation.presenters import bare_percent, percent
from annotation.resources import GoldFilters, count, frozen_columns
from annotation.services.freezing import SECOND_PASS
from corpus.resources import PairSentenceSerializer, dataset_link
from jobs.resources import state_of
from projects.api.serializers import RowSerializer
from projects.columns import Column, Link, Quiet, number
from projects.listings import (
    ArchivedFilters,
    ListFilters,
    ListPage,
    NamedFilters,
    Resource,
    SortFilter,
    grouped,
)
from projects.permissions import check_manage

SHORT_RULES = {name: text.partition(":")[0] for name, text in (RULES | MERGING).items()}


class GoldAlignmentSetSerializer(RowSerializer[GoldAlignmentSet]):
    class Meta:
        model = GoldAlignmentSet
        fields = (
            "id", "name", "version", "batch", "rule", "model_annotators", "agreement", "counts", "lineage",
            "signature", "frozen_at", "archived_at",
        )  # fmt: skip


class GoldAlignmentSerializer(RowSerializer[GoldAlignment]):
    """`links` are [a, b, "sure" | "possible"], token indices from 0; no single annotator's links."""

    a = PairSentenceSerializer(source="item.pair.sentence_a")
    b = PairSentenceSerializer(source="item.pair.sentence_b")
    links = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))

    class Meta:
        model = GoldAlignment
        fields = ("id", "item", "a", "b", "links")


def by_pass(gold_set: GoldAlignmentSet) -> tuple[str, str]:
    """The agreement of the first pass, and that of the second one; "" where there was none."""
    second = gold_set.agreement.get(SECOND_PASS)
    return percent(gold_set.agreement["value"]), percent(second["value"]) if second else ""


def _agreement(gold_set: GoldAlignmentSet) -> tuple[Any, ...]:
    first, second = by_pass(gold_set)
    n = f"n {gold_set.agreement['pairs']:,}"
    if not second:
        return (first, Quiet(n))
    return (first, Quiet(gettext("first pass, %(n)s") % {"n": n}), second, Quiet(gettext("second pass")))


GOLD_LINKS = Resource(
    name="gold-links",
    noun="set of gold links",
    plural="sets of gold links",
    objects=GoldAlignmentSet.objects.select_related("batch"),
    check=check_see_gold,
    filters=GoldFilters,
    serializer=GoldAlignmentSetSerializer,
    order="-frozen",
    columns=frozen_columns(
        _("Gold links"),
        "gold-links",
        lambda row: SHORT_RULES.get(row.rule, row.rule),
        count("pairs", _("Pairs"), "gold-links"),
        count("sure", _("Sure links")),
        count("possible_only", _("Possible only")),
        number(_("Agreement"), _agreement),
    ),
)


class EvaluationSerializer(RowSerializer[Evaluation]):
    """`scores` has precision, recall and aer, shares from 0 to 1, for all, identical and other words."""

    gold_set = serializers.IntegerField(source="gold_set_id")

    class Meta:
        model = Evaluation
        fields = ("id", "gold_set", "aligner", "scores", "signature", "created_at")


EVALUATIONS = Resource(
    name="evaluations",
    noun="score of an aligner",
    plural="scores of aligners",
    objects=Evaluation.objects.filter(gold_set__in=GoldAlignmentSet.objects.all()),
    project_path=("gold_set", "project"),
    check=check_see_gold,
    filters=ListFilters,
    serializer=EvaluationSerializer,
)


class TrainedAlignerSerializer(RowSerializer[TrainedAligner]):
    """`iterations` have the log-likelihoods of both directions (natural logarithm); `learning_curve` the
    scores on held-out pairs by number of gold pairs; `sha256` is "" until the training has ended.
    `transfers` say whether the starting point, and then each of `other_gold`, named by `gold`, `helps` by
    cross-validation on the gold links: `aer` with it and `aer_alone` without, fractions from 0 to 1, on so
    many `pairs`, and the `variance` of the prior (0: unchanged weights; null: not used). `links` is how many
    links between different words the gold has for each that the starting point draws, `to_several` the share
    of its links that tie one word to several (null where there are too few).
    `pairs_held_out` are pairs of held-out clusters: they are for testing, and were left out of the `pairs`
    that it was trained on.
    `new_gold_pairs` are those of the newest version of its gold links that it was not trained on.
    """

    gold_set = serializers.IntegerField(source="gold_set_id", allow_null=True)
    new_gold_pairs = serializers.SerializerMethodField()

    class Meta:
        model = TrainedAligner
        fields = (
            "id", "job", "name", "version", "aligner", "parameters", "datasets", "texts", "gold_set",
            "other_gold", "new_gold_pairs", "pairs",
            "pairs_held_out", "iterations", "learning_curve", "transfers", "signature", "sha256", "bytes",
            "created_at", "archived_at",
        )  # fmt: skip

    def get_new_gold_pairs(self, trained: TrainedAligner) -> int:
        return new_gold_pairs(trained)


def _gold_link(gold_set: GoldAlignmentSet) -> Link:
    return Link(gold_set, "gold-links", gold_set.pk)


def _trained_on(trained: TrainedAligner) -> Any:
    return [*map(dataset_link, trained.datasets.all())] or Quiet(gettext("gold sentences only"))


def _scores(trained: TrainedAligner) -> Any:
    """Its scores, which the page adds to the rows: on each set of gold links."""
    scores: Any = trained.listed_scores  # type: ignore[attr-defined]  # set by the page
    shown = (
        (
            _gold_link(score.gold_set),
            format_html("<b>{}</b>", bare_percent(score.scores["all"]["aer"])),
            Quiet(gettext("(%(learned)s learned from)") % {"learned": grouped(learned)}) if learned else None,
        )
        for score, learned in scores
    )
    return [*shown] or Quiet(gettext("not scored"))


TRAINED_ALIGNERS = Resource(
    name="trained-aligners",
    noun="trained aligner",
    objects=TrainedAligner.objects.select_related("job", "gold_set").prefetch_related(
        "datasets", "texts", "other_gold"
    ),
    check=check_see_gold,
    filters=NamedFilters,
    serializer=TrainedAlignerSerializer,
    order="-id",
    columns=(
        Column(_("Name"), lambda row: Link(row, "aligner", row.pk), "name"),
        Column(_("Aligner"), "aligner"),
        Column(_("Trained on"), _trained_on),
        Column(
            _("Learned from"),
            lambda row: _gold_link(row.gold_set) if row.gold_set else Quiet(gettext("no gold links")),
        ),
        number(_("Sentence pairs"), "pairs"),
        number(_("Seconds"), lambda row: f"{row.job.seconds:.1f}" if row.ready else ""),
        Column(_("AER on gold links, %"), _scores),
        Column(_("State"), lambda row: state_of(row.job)),
    ),
)


class AlignerRunSerializer(RowSerializer[AlignerRun]):
    """Its job has the progress."""

    gold_set = serializers.IntegerField(source="gold_set_id", allow_null=True)

    class Meta:
        model = AlignerRun
        fields = ("id", "job", "trained", "dataset", "gold_set", "created_at", "archived_at")


class AutomaticAlignmentSerializer(RowSerializer[AutomaticAlignment]):
    """`links` are [a, b], token indices from 0."""

    links = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), source="link_list"
    )

    class Meta:
        model = AutomaticAlignment
        fields = ("id", "pair", "links")


ALIGNER_RUNS = Resource(
    name="aligner-runs",
    noun="run of a trained aligner",
    plural="runs of trained aligners",
    objects=AlignerRun.objects.select_related("trained", "dataset", "gold_set", "job"),
    check=check_see_gold,
    filters=ArchivedFilters,
    serializer=AlignerRunSerializer,
)


class ExperimentSerializer(RowSerializer[Experiment]):
    gold_sets = serializers.PrimaryKeyRelatedField[Any](many=True, read_only=True)

    class Meta:
        model = Experiment
        fields: tuple[str, ...] = (
            "id", "job", "name", "gold_sets", "test_sentences", "held_out_sentences", "created_at",
            "archived_at",
        )  # fmt: skip


class ExperimentTableSerializer(ExperimentSerializer):
    """`tables`: for each set of gold links its trainings, in `rows`, with their `scores` by words (all,
    identical, non_identical): rates and intervals, the paired `test` against the lowest AER (approximate
    randomisation), its p corrected for the number of tests (`p_holm`), `best`, and the rows that it is
    significantly `better` than; `errors` counts missing and false links by kind. Shares are from 0 to 1.
    """

    tables = serializers.SerializerMethodField()

    class Meta(ExperimentSerializer.Meta):
        fields = (*ExperimentSerializer.Meta.fields, "tables")

    def get_tables(self, experiment: Experiment) -> list[dict[str, Any]]:
        return tables_of(experiment)


def _training_sets(experiment: Experiment) -> Any:
    sets = {training_set(row) for row in experiment.rows.all() if row.dataset}
    return sorted(sets) or Quiet("none")


EXPERIMENTS = Resource(
    name="experiments",
    noun="experiment",
    objects=Experiment.objects.select_related("job", "created_by").prefetch_related(
        "gold_sets", "rows__dataset"
    ),
    check=check_see_gold,
    filters=NamedFilters,
    serializer=ExperimentSerializer,
    detail=ExperimentTableSerializer,
    page=ListPage(
        _("Experiments"),
        _(
            "Which training set makes the better aligner? Aligners are trained on each dataset and scored "
            "on gold links, as in table 1 of Dolan, Quirk & Brockett (2004) and table 3 of Brockett & Dolan "
            "(2005)."
        ),
        above=None,
        empty=(
            _("No experiment yet"),
            _(
                "A table of precision, recall and alignment error rate is shown here, with a row for each "
                "training set and aligner."
            ),
        ),
        begin=(_("New experiment"), "launch", "run-experiment"),
    ),
    order="-id",
    columns=(
        Column(_("Name"), lambda row: Link(row, "experiment", row.pk), "name"),
        Column(_("Training sets"), _training_sets),
        Column(_("Test sets"), lambda row: [*map(_gold_link, row.gold_sets.all())]),
        number(_("Trainings"), lambda row: len(row.rows.all())),
        Column(_("Requested"), "created_at", "id"),
        Column(_("State"), lambda row: state_of(row.job)),
    ),
)


class ExportSerializer(RowSerializer[Export]):
    class Meta:
        model = Export
        fields = (
            "id", "name", "filename", "sha256", "bytes", "manifest", "created_at", "archived_at",
        )  # fmt: skip


class ExportFilters(NamedFilters):
    sort = SortFilter({"id": "pk", "name": "name", "size": "bytes"})


EXPORTS = Resource(
    name="exports",
    noun="export",
    objects=Export.objects.select_related("created_by", "project"),
    check=check_manage,
    filters=ExportFilters,
    serializer=ExportSerializer,
    order="-id",
    columns=(
        Column(_("Export"), sort="name"),
        Column(_("File")),
        number(_("Size"), sort="size"),
        number(_("Written"), sort="id"),
        Column(_("sha256")),
        Column(_("Delete")),
    ),
)
