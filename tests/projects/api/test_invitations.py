"""Invitations over the API."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from django.test import Client

from projects.models import Invitation, Membership, Role
from projects.services.people import invite
from tests.permissions.people import People

ADDRESS = "/api/v1/projects/dams/invitations/"
CHOSEN = {"username": "nora", "password1": "lighthouse-keeper-9", "password2": "lighthouse-keeper-9"}


def test_the_link_of_a_new_invitation_gives_its_role(people: People) -> None:
    manager = people.client("manager")
    made = manager.post(ADDRESS, {"role": "annotator", "uses": 2}, format="json")
    assert made.status_code == 201
    assert (made.data["role"], made.data["uses_left"], made.data["created_by"]) == ("annotator", 2, "manager")
    assert manager.get(ADDRESS).data["items"] == [made.data]
    link = urlsplit(made.data["url"])
    assert link.scheme == "http" and Client().post(link.path, CHOSEN).status_code == 302
    assert Membership.objects.get(user__username="nora").role == "annotator"
    assert manager.get(ADDRESS).data["items"][0]["uses_left"] == 1


def test_a_revoked_invitation_is_not_listed_and_its_link_ends(people: People) -> None:
    manager = people.client("manager")
    made = manager.post(ADDRESS, {"role": "viewer"}, format="json").data
    assert manager.delete(f"{ADDRESS}{made['id']}/").status_code == 204
    assert manager.get(ADDRESS).data["items"] == []
    assert Client().get(urlsplit(made["url"]).path).status_code == 404
    assert manager.delete(f"{ADDRESS}{made['id']}/").status_code == 404


def test_used_up_invitations_and_those_of_other_projects_are_not_there(people: People) -> None:
    project = Membership.objects.get(user=people["manager"]).project
    used = invite(project=project, by=people["manager"], role=Role.VIEWER)
    Invitation.objects.filter(pk=used.pk).update(uses_left=0)
    assert people.client("manager").get(ADDRESS).data["items"] == []
    elsewhere = ADDRESS.replace("dams", "bridges")
    assert people.client("admin").delete(f"{elsewhere}{used.pk}/").status_code == 404
    assert Invitation.objects.filter(pk=used.pk).exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"role": "king"}, "role"),
        ({"role": "viewer", "uses": 0}, "uses"),
        ({"role": "viewer", "days": 91}, "days"),
    ],
)
def test_what_is_wrong_is_named(people: People, body: dict[str, object], field: str) -> None:
    answer = people.client("manager").post(ADDRESS, body, format="json")
    assert answer.status_code == 400 and field in answer.data
    assert not Invitation.objects.exists()
