import pytest

from alignment.models import GoldAlignmentSet
from tests.factories.corpus import ProjectFactory, dataset_of
from tests.factories.trained_aligners import linked_gold


@pytest.fixture
def var(tmp_path, settings):
    """A data folder of the test's own."""
    settings.VAR = tmp_path
    return tmp_path


@pytest.fixture(scope="module")
def gold_of_module(module_database):
    """In a project with a dataset."""
    return linked_gold(dataset_of(ProjectFactory(), pairs=8).project, 12)


@pytest.fixture
def gold(gold_of_module):
    """Of six pairs."""
    return GoldAlignmentSet.objects.get(pk=gold_of_module.pk)


@pytest.fixture
def dataset(gold, var):
    return gold.project.datasets.get(size=8)
