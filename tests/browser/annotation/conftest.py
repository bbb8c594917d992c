import pytest

from projects.models import Role
from tests.factories.corpus import ProjectFactory, member

from .judging_page import JudgingPage


@pytest.fixture
def project(transactional_db):
    return ProjectFactory(slug="dams", name="Dams", guidelines="Same event, *same* claim.")


@pytest.fixture
def annotators(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def page(ada, batch, new_context):
    return JudgingPage.of(ada, new_context).open(batch)
