import pytest

from projects.models import Role
from tests.factories.corpus import ProjectFactory, member


@pytest.fixture
def project(transactional_db):
    return ProjectFactory(slug="dams", name="Dams", guidelines="Same event, *same* claim.")


@pytest.fixture
def ada(project):
    return member(project, Role.ANNOTATOR, "ada")


@pytest.fixture
def annotators(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
