from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from projects.models import Project, Role
from tests.factories.corpus import member


@pytest.fixture
def people(project: Project) -> list[User]:
    """Two annotators."""
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def manager(project: Project) -> User:
    return member(project, Role.MANAGER, "mira")


@pytest.fixture
def adjudicator(project: Project) -> User:
    return member(project, Role.ADJUDICATOR, "adj")
