from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ops.facts import KeptCounts, count_all, failed_jobs, remembered_since
from ops.navigation import _counted
from tests.factories.corpus import JobFactory, ProjectFactory, dataset_of

pytestmark = pytest.mark.django_db


def test_a_kept_statement_counts_what_the_queries_count():
    counts = KeptCounts(_counted)
    since = remembered_since()
    results = []
    for datasets, failed in ((1, 2), (3, 0), (0, 1)):
        project = ProjectFactory()
        for _ in range(datasets):
            dataset_of(project, 1)
        for number in range(failed):
            JobFactory(project=project, kind=f"extract {number}", state="failed")
        JobFactory(project=project, state="failed", moved_at=timezone.now() - timedelta(days=40))
        with CaptureQueriesContext(connection) as queries:
            results.append(counts.of(project, since))
        assert len(queries) == 1
        assert results[-1] == count_all(project, **_counted(project, since))
        assert failed_jobs(project).count() == failed == results[-1]["failed"]
    assert [counted["datasets"] for counted in results] == [1, 3, 0]
