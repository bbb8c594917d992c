from django.db import connection
from django.test.utils import CaptureQueriesContext

from projects.models import Role
from tests.factories.corpus import ProjectFactory, member

PROJECTS = "/api/v1/projects/"


def test_pages_follow_one_another_by_key(people):
    for number in range(5):
        member(ProjectFactory(slug=f"p{number}"), Role.VIEWER, "viewer")
    client = people.client("viewer")
    slugs, cursor, pages = [], "0", 0
    while cursor is not None:
        page = client.get(PROJECTS, {"limit": 4, "cursor": cursor}).data
        slugs += [project["slug"] for project in page["items"]]
        cursor, pages = page["next"], pages + 1
    assert slugs == ["dams", "p0", "p1", "p2", "p3", "p4"]
    assert pages == 2


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
