"""Experiments: aligners trained on several sets of pairs, scored on several sets of gold links."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from alignment.models import Experiment, ExperimentCell, ExperimentRow
from alignment.services.experiment_errors import errors_of, worst_first
from alignment.services.experiment_tables import corrected
from annotation.permissions import check_see_gold
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from paragold.metrics.link_comparison import KINDS
from projects.api.endpoint import ObjectEndpoint
from projects.api.serializers import (
    RowSerializer as StoredRow,
)
from projects.permissions import check_manage


class KindSerializer(serializers.Serializer[Any]):
    """Errors of one kind; shares and intervals are of all missing or of all false links, from 0 to 1."""

    kind = serializers.ChoiceField(choices=list(KINDS))
    label = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    missing = serializers.IntegerField()
    missing_share = serializers.FloatField(allow_null=True)
    missing_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    false = serializers.IntegerField()
    false_share = serializers.FloatField(allow_null=True)
    false_interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)


class CellSerializer(StoredRow[ExperimentCell]):
    """`scores` has precision, recall and aer with their intervals, shares from 0 to 1, by words; `errors`
    counts missing and false links by kind.
    """

    gold_set = serializers.IntegerField(source="gold_set_id")
    errors = KindSerializer(many=True)  # type: ignore[assignment]  # a field of that name, not the framework's

    class Meta:
        model = ExperimentCell
        fields = ("id", "gold_set", "scores", "errors")


class RowSerializer(StoredRow[ExperimentRow]):
    """A training; `dataset` is null for aligners that learn nothing."""

    cells = CellSerializer(many=True)

    class Meta:
        model = ExperimentRow
        fields = (
            "number", "dataset", "aligner", "parameters", "taught_by", "other_gold",
            "transfers", "pairs", "pairs_held_out", "signature", "cells",
        )  # fmt: skip


class ExperimentSerializer(StoredRow[Experiment]):
    gold_sets = serializers.PrimaryKeyRelatedField[Any](many=True, read_only=True)

    class Meta:
        model = Experiment
        fields: tuple[str, ...] = (
            "id", "job", "name", "gold_sets", "test_sentences", "held_out_sentences", "created_at",
            "archived_at",
        )  # fmt: skip


class ExperimentTableSerializer(ExperimentSerializer):
    """`comparisons`: by gold links and words, the row with the lowest AER and the paired test of each
    other one against it (approximate randomisation): difference, its interval, p, and p_holm, corrected for
    the number of tests in the column (Holm 1979). In small tables `better` has, by row, the rows that it is
    significantly better than, by tests of every two rows, corrected for the number of all of them.
    """

    comparisons = serializers.SerializerMethodField()
    rows = RowSerializer(many=True)

    class Meta(ExperimentSerializer.Meta):
        fields = (
            "id", "job", "name", "gold_sets", "test_sentences", "held_out_sentences", "created_at",
            "comparisons", "rows", "archived_at",
        )  # fmt: skip

    def get_comparisons(self, experiment: Experiment) -> dict[str, dict[str, Any]]:
        return corrected(experiment.comparisons)


@extend_schema_view(get=extend_schema(operation_id="experiments_list"))
class ExperimentsView(RemovableListEndpoint):
    """The experiments of the project, newest first."""

    checks = {"GET": check_see_gold}
    rows = Experiment.objects.prefetch_related("gold_sets")
    serializer_class = ExperimentSerializer


class ExperimentView(RemovableEndpoint):
    """The table of an experiment."""

    rows = Experiment.objects.select_related("job")
    checks = {"GET": check_see_gold, "DELETE": check_manage}
    serializer_class = ExperimentTableSerializer


class ExperimentErrorsView(ObjectEndpoint):
    rows = ExperimentCell.objects.select_related("gold_set")
    project_path = ("row", "experiment", "project")
    checks = {"GET": check_see_gold}

    def get(self, request: Request, slug: str, pk: int) -> Response:
        """The pairs of a cell with a missing or false link, [a, b] from 0, the most wrong ones first."""
        self.filters()
        pairs = [
            {
                "number": pair.number,
                "pair": pair.pair_id,
                "missing": pair.missing,
                "false": pair.false,
                "reasons": pair.reasons,
            }
            for pair in worst_first(errors_of(self.object))
        ]
        return Response({"pairs": pairs})
