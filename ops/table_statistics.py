"""How many rows SQLite takes tables to have, by which it chooses the indexes of a query."""

from django.core.cache import cache
from django.db import connection

SECONDS = 3600
ROWS_OF_AN_INDEX = 400
"""Looked at, so that large tables take no longer than small ones: hundredths of a second in all."""


def refresh_statistics() -> None:
    """Once an hour. Without it a batch drawn today is taken for as small as those of the first day, and a
    page of its answers takes seconds. PostgreSQL does this itself."""
    if connection.vendor == "sqlite" and cache.add("table-statistics", True, SECONDS):
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA analysis_limit={ROWS_OF_AN_INDEX}")
            cursor.execute("ANALYZE")
