"""A project with one person in each role, and clients that are logged in as them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, UserFactory, member


@pytest.fixture
def project(db) -> Project:
    return ProjectFactory(slug="dams", name="Dams")


@pytest.fixture
def people(project) -> dict[str, User]:
    """By role; "second" is another annotator, "stranger" has no role here."""
    roles = {
        "manager": Role.MANAGER,
        "adjudicator": Role.ADJUDICATOR,
        "annotator": Role.ANNOTATOR,
        "second": Role.ANNOTATOR,
        "viewer": Role.VIEWER,
    }
    found = {name: member(project, role, f"{name}-person") for name, role in roles.items()}
    return found | {"stranger": UserFactory(username="stranger-person")}


@pytest.fixture
def annotators(people) -> list[User]:
    return [people["annotator"], people["second"]]


@pytest.fixture
def as_(people) -> Callable[[str], Client]:
    """A client logged in as the person of that role."""

    def log_in(role: str) -> Client:
        client = Client()
        client.force_login(people[role])
        return client

    return log_in
