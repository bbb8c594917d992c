from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from projects.models import Project, Role
from tests.factories.corpus import ProjectFactory, member


@pytest.fixture
def project(transactional_db: None) -> Project:
    return ProjectFactory(slug="dams", name="Dams", guidelines="Same event, *same* claim.")


@pytest.fixture
def ada(project: Project) -> User:
    return member(project, Role.ANNOTATOR, "ada")


@pytest.fixture
def annotators(project: Project) -> list[User]:
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
