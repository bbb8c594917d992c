"""Experiments: aligners trained on several sets of pairs, scored on several sets of gold links."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers

from alignment.models import Experiment
from alignment.services.experiment_tables import tables_of
from annotation.permissions import check_see_gold
from jobs.api.removal import RemovableEndpoint, RemovableListEndpoint
from projects.api.serializers import (
    RowSerializer as StoredRow,
)
from projects.permissions import check_manage


class ExperimentSerializer(StoredRow[Experiment]):
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
