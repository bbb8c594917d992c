"""Projects, settings and members over the API."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from projects.models import Membership, Project, Role
from tests.factories.corpus import ClusterFactory, ProjectFactory, member
from tests.permissions.people import People

PROJECTS = "/api/v1/projects/"
DAMS = "/api/v1/projects/dams/"


def test_a_new_project_is_its_makers(people: People) -> None:
    body = {"slug": "floods", "name": "Floods", "scheme": "three_way", "overlap": 3, "held_out_share": 0.2}
    answer = people.client("manager").post(PROJECTS, body, format="json")
    assert answer.status_code == 201
    assert {name: answer.data[name] for name in body} == body
    assert answer.data["roles"] == ["manager"]
    assert Membership.objects.get(project__slug="floods").user == people["manager"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"slug": "no slug"}, "slug"),
        ({"scheme": "stars"}, "scheme"),
        ({"licence": "CC BY 4.0"}, "licence"),
        ({"guidelines": "a\0b"}, "guidelines"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_field_is_named_and_nothing_is_made(people: People, change: dict[str, Any], field: str) -> None:
    body = {"slug": "floods", "name": "Floods"} | change
    answer = people.client("manager").post(PROJECTS, body, format="json")
    assert answer.status_code == 400
    assert list(answer.data) == ["detail", field]
    assert Project.objects.count() == 2


def test_settings_change_one_by_one(people: People) -> None:
    people.client("manager").post(
        PROJECTS, {"slug": "dykes", "name": "D", "scheme": "three_way"}, format="json"
    )
    assert "Partial paraphrase" in Project.objects.get(slug="dykes").guidelines
    answer = people.client("manager").patch(DAMS, {"guidelines": "# How\n"}, format="json")
    assert answer.status_code == 200
    assert answer.data["guidelines"] == "# How\n"
    assert answer.data["name"] == "Dams"


def test_what_is_held_out_is_fixed_by_the_first_import(people: People) -> None:
    ClusterFactory(project=people.project)
    answer = people.client("manager").patch(DAMS, {"seed": 5}, format="json")
    assert answer.status_code == 400
    assert "seed" in answer.data["detail"]
    people.project.refresh_from_db()
    assert people.project.seed == 1


def test_an_unknown_user_or_role_is_refused(people: People) -> None:
    client = people.client("manager")
    answer = client.post(f"{DAMS}members/", {"username": "ghost", "role": "viewer"}, format="json")
    assert answer.status_code == 400
    assert "ghost" in answer.data["detail"]
    answer = client.post(f"{DAMS}members/", {"username": "viewer", "role": "king"}, format="json")
    assert (answer.status_code, "role" in answer.data) == (400, True)


def test_pages_follow_one_another_by_key(people: People) -> None:
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


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=501", "limit=x", "limit=-1", "limit=²", "cursor=x", "cursor=-5", "cursor=9" * 20],
)
def test_a_bad_page_is_refused_by_name(people: People, query: str) -> None:
    answer = people.client("viewer").get(f"{PROJECTS}?{query}")
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.data


def test_a_longer_list_costs_no_more_queries(people: People) -> None:
    def queries() -> int:
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
