from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from projects.models import Project, Role
from tests.factories.corpus import member


@pytest.fixture
def manager(project: Project) -> User:
    return member(project, Role.MANAGER, "mira")


@pytest.fixture
def adjudicator(project: Project) -> User:
    return member(project, Role.ADJUDICATOR, "adj")
