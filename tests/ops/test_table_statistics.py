"""SQLite is kept informed of how large its tables are; once an hour is enough."""

import pytest
from django.core.cache import cache
from django.db import connection

from ops.table_statistics import refresh_statistics
from tests.factories.corpus import ProjectFactory

pytestmark = pytest.mark.django_db


def rows_by_statistics():
    with connection.cursor() as cursor:
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = 'projects_project' LIMIT 1")
        return [int(stat.split()[0]) for (stat,) in cursor.fetchall()]


def test_tables_are_counted_once_an_hour():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL counts its tables itself")
    cache.delete("table-statistics")
    ProjectFactory.create_batch(3)
    refresh_statistics()
    assert rows_by_statistics() == [3]
    ProjectFactory()
    refresh_statistics()
    assert rows_by_statistics() == [3]
    cache.delete("table-statistics")
    refresh_statistics()
    assert rows_by_statistics() == [4]
