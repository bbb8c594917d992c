"""Many counts in one query."""

from __future__ import annotations

from typing import Any

from django.db.models import IntegerField, QuerySet, Subquery

from projects.models import Project


class _Count(Subquery):
    """How many rows a query has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"
    output_field = IntegerField()


def count_all(project: Project, **rows: QuerySet[Any]) -> dict[str, int]:
    """How many rows each of the queries has, by its name; all of them in one query."""
    counts = [_Count(query.order_by().values("pk")) for query in rows.values()]
    numbers = Project.everything.filter(pk=project.pk).order_by().values_list(*counts).get()
    return dict(zip(rows, numbers, strict=True))
