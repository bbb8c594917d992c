import pytest

from tests.factories.corpus import ProjectFactory

from .linking_page import LinkingPage, paraphrases

# Words:        0   1    2    3      4   5      6      7
TEXT_A = "Police shot three gunmen in a market ."
TEXT_B = "Three armed men were killed by officers ."
EQUAL = [(2, 0), (7, 7)]  # what the identity aligner suggests


@pytest.fixture
def project():
    return ProjectFactory(guidelines="SURE is *sure*.")


@pytest.fixture
def batch(project, ada):
    """One pair."""
    return paraphrases(project, [ada], [(TEXT_A, TEXT_B)])


@pytest.fixture
def suggested(project, ada):
    """One pair, with suggestions."""
    return paraphrases(project, [ada], [(TEXT_A, TEXT_B)], suggester="identity")


@pytest.fixture
def three(project, ada):
    """Three short pairs."""
    texts = [(f"Dam {n} broke", f"The dam {n} burst") for n in ("one", "two", "three")]
    return paraphrases(project, [ada], texts)


@pytest.fixture
def page(ada, new_context):
    return LinkingPage.of(ada, new_context)
