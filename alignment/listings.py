"""The long lists of alignment: sets of gold links, and exports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from alignment.models import GoldAlignmentSet
from annotation.listings import GoldFilters, value_of
from annotation.services.freezing import SECOND_PASS
from projects.listings import ArchivedFilter, ListFilters, Listing, SortFilter, TextFilter
from projects.models import Project


def _gold_cells(project: Project, rows: list[GoldAlignmentSet]) -> Iterator[Sequence[Any]]:
    for row in rows:
        counts = [row.counts.get(name) for name in ("pairs", "sure", "possible_only")]
        second = value_of(row.agreement.get(SECOND_PASS, {}), "value")
        agreement = (value_of(row.agreement, "value"), second, row.agreement.get("pairs"))
        yield row.pk, row.name, row.version, row.rule, *counts, *agreement, row.frozen_at.isoformat()


GOLD_LINKS = Listing(
    name="gold-links",
    noun="set of gold links",
    plural="sets of gold links",
    rows=lambda user, project: project.gold_alignment_sets.select_related("batch"),
    filters=GoldFilters,
    head=(
        *("gold_alignment_set", "name", "version", "rule", "pairs", "sure", "possible_only"),
        *("agreement", "agreement_second_pass", "agreement_pairs", "frozen_at"),
    ),
    cells=_gold_cells,
)


class ExportFilters(ListFilters):
    q = TextFilter(label="Name", field_name="name", lookup_expr="icontains")
    archived = ArchivedFilter()
    sort = SortFilter({"id": "pk", "name": "name", "size": "bytes"})
    not_narrowing = ("sort", "archived")


EXPORTS = Listing(
    name="exports",
    noun="export",
    rows=lambda user, project: project.exports.select_related("created_by"),
    filters=ExportFilters,
    head=("export", "name", "file", "bytes", "sha256", "written_by", "written_at"),
    cells=lambda project, rows: (
        (
            *(row.pk, row.name, row.filename, row.bytes, row.sha256),
            *(row.created_by.username if row.created_by else "", row.created_at.isoformat()),
        )
        for row in rows
    ),
)
