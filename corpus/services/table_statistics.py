"""Telling PostgreSQL's planner how large the tables are after rows came in bulk."""

from __future__ import annotations

from django.db import connection, models


def refresh_statistics(*tables: type[models.Model]) -> None:
    """Analyse the tables, on PostgreSQL; other databases do without.

    Just loaded, they look empty to the planner, who would then look every row up by itself. May be called
    within the transaction that loads them.
    """
    if connection.vendor != "postgresql":
        return
    names = ", ".join(connection.ops.quote_name(table._meta.db_table) for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {names}")
