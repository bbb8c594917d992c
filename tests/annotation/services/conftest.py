import pytest

from projects.models import Role
from tests.factories.corpus import member


@pytest.fixture
def manager(project):
    return member(project, Role.MANAGER, "mira")


@pytest.fixture
def adjudicator(project):
    return member(project, Role.ADJUDICATOR, "adj")


@pytest.fixture
def three(project):
    """Annotators."""
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben", "cas")]
