"""A project with one person in each role, and clients that are logged in as them."""

import pytest
from django.test import Client

from projects.models import Role
from tests.factories.corpus import ProjectFactory, UserFactory, member


@pytest.fixture
def project(db):
    return ProjectFactory(slug="dams", name="Dams")


@pytest.fixture
def people(project):
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
def annotators(people):
    return [people["annotator"], people["second"]]


@pytest.fixture
def as_(people):
    """A client logged in as the person of that role."""

    def log_in(role):
        client = Client()
        client.force_login(people[role])
        return client

    return log_in
