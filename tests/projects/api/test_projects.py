from django.db import connection
from django.test.utils import CaptureQueriesContext

from projects.models import Role
from tests.factories.corpus import ProjectFactory, member

PROJECTS = "/api/v1/projects/"


def test_a_longer_list_costs_no_more_queries(people):
    def queries():
        with CaptureQueriesContext(
            connection,
        ) as context:
            client.get(PROJECTS)
        return len(context)

    client = people.client("viewer")
    few = queries()
    for _ in range(5):
        member(ProjectFactory(), Role.VIEWER, "viewer")
    assert queries() == few
