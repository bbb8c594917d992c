import pytest

from annotation.models import GoldSet
from paragold.text import wordnet
from tests.factories.classifiers import learnable_dataset, learnable_gold
from tests.factories.corpus import ProjectFactory
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet


@pytest.fixture(autouse=True)
def small_wordnet(tmp_path, monkeypatch):
    monkeypatch.setenv(
        wordnet.ENVIRONMENT_VARIABLE, str(write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS))
    )


@pytest.fixture(scope="module")
def gold_of_module(module_database):
    project = ProjectFactory()
    return learnable_gold(project, learnable_dataset(project))


@pytest.fixture
def gold(gold_of_module):
    return GoldSet.objects.get(pk=gold_of_module.pk)


@pytest.fixture
def project(gold):
    return gold.project


@pytest.fixture
def dataset(gold):
    return gold.batches.get().dataset
