"""The same people in every test of who may do what, and clients logged in as each of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from rest_framework.test import APIClient

from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, UserFactory, member

ROLES = ("anonymous", "stranger", "viewer", "annotator", "adjudicator", "manager", "admin")


def by_role(statuses):
    """Statuses parted by spaces, in the order of ROLES."""
    return dict(zip(ROLES, (int(status) for status in statuses.split()), strict=True))


@dataclass
class People:
    """A project with a person for each role and a second annotator; a stranger manages another project."""

    project: Project
    foreign: Project
    users: dict[str, User] = field(default_factory=dict)

    def __getitem__(self, role):
        return self.users[role]

    @property
    def annotators(self):
        return [self.users["annotator"], self.users["second"]]

    def client(self, role):
        """A client with the session of that person, or with none for "anonymous"."""
        client = APIClient()
        if role != "anonymous":
            client.force_login(self.users[role])
        return client


def drained(response):
    """The response, read to its end if it is a stream, so that its file is closed."""
    if response.streaming:
        list(response.streaming_content)
    return response


def make_people():
    people = People(
        project=ProjectFactory(slug="dams", name="Dams"),
        foreign=ProjectFactory(slug="bridges", name="Bridges"),
    )
    for role in (Role.VIEWER, Role.ANNOTATOR, Role.ADJUDICATOR, Role.MANAGER):
        people.users[role.value] = member(people.project, role, role.value)
    people.users["second"] = member(people.project, Role.ANNOTATOR, "second")
    people.users["stranger"] = member(people.foreign, Role.MANAGER, "stranger")
    people.users["admin"] = UserFactory(username="admin", is_superuser=True, is_staff=True)
    return people


@pytest.fixture
def people(db):
    return make_people()


@pytest.fixture(autouse=True)
def fresh_cache():
    """Figures are cached by ids, which come again in the next test."""
    cache.clear()


@pytest.fixture(autouse=True)
def no_templates_kept(monkeypatch):
    """The client copies what every template of a page was given, which nobody asks for in these tests."""
    monkeypatch.setattr("django.test.client.store_rendered_templates", lambda *given, **named: None)
