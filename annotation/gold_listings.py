"""The gold of a project as long lists: sets of judged pairs, and sub-clusters of headlines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.models import GoldSet, GoldSubclusterSet, Label
from projects.listings import ArchivedFilter, ListFilters, Listing, SortFilter, TextFilter
from projects.models import Project


class GoldFilters(ListFilters):
    q = TextFilter(label="Name", field_name="name", lookup_expr="icontains")
    archived = ArchivedFilter()
    sort = SortFilter({"id": "pk", "frozen": "frozen_at", "name": "name", "rule": "rule"})
    not_narrowing = ("sort", "archived")


def value_of(agreement: Mapping[str, Any], name: str) -> float | None:
    """A coefficient of a gold set, None where it is undefined or was not computed."""
    figure = agreement.get(name)
    return figure["value"] if isinstance(figure, Mapping) else figure


def _set_cells(project: Project, rows: list[GoldSet]) -> Iterator[Sequence[Any]]:
    for row in rows:
        figures = [value_of(row.agreement, name) for name in COEFFICIENTS]
        counts = (row.counts.get("pairs"), row.counts.get(Label.PARAPHRASE, 0))
        yield row.pk, row.name, row.version, row.rule, *counts, *figures, row.frozen_at.isoformat()


COEFFICIENTS = ("observed", "cohen_kappa", "krippendorff_alpha")
GOLD_SETS = Listing(
    name="gold-sets",
    noun="gold set",
    rows=lambda user, project: project.gold_sets.all(),
    filters=GoldFilters,
    head=("gold_set", "name", "version", "rule", "pairs", "paraphrases", *COEFFICIENTS, "frozen_at"),
    cells=_set_cells,
)


def _subcluster_cells(project: Project, rows: list[GoldSubclusterSet]) -> Iterator[Sequence[Any]]:
    for row in rows:
        counts = [row.counts.get(name) for name in SUBCLUSTER_COUNTS]
        figures = (row.agreement.get("adjusted_rand"), row.agreement.get("f1"))
        yield row.pk, row.name, row.version, row.rule, *counts, *figures, row.frozen_at.isoformat()


SUBCLUSTER_COUNTS = ("clusters", "subclusters", "grouped", "headlines")
GOLD_SUBCLUSTERS = Listing(
    name="gold-subclusters",
    noun="gold set",
    rows=lambda user, project: project.gold_subcluster_sets.all(),
    filters=GoldFilters,
    head=(
        *("gold_set", "name", "version", "rule", *SUBCLUSTER_COUNTS),
        *("adjusted_rand", "f1", "frozen_at"),
    ),
    cells=_subcluster_cells,
)
