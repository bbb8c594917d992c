import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import Experiment, ExperimentCell
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import QUICK, linked_gold

pytestmark = pytest.mark.django_db
HMM = {"aligner": "hmm", **QUICK}


@pytest.fixture
def dataset():
    return dataset_of(ProjectFactory(), 6)


@pytest.fixture(scope="module")
def made_for_module(module_database):
    dataset = dataset_of(ProjectFactory(), 6)
    gold = linked_gold(dataset.project, 6, name="<links> & 50 %")
    datasets = [dataset_of(dataset.project, 2), dataset]
    return experiment(datasets, [gold], aligners=[{"aligner": "identity"}, HMM])


@pytest.fixture
def made(made_for_module):
    """In another project than the dataset."""
    return Experiment.objects.get(pk=made_for_module.pk)


@pytest.fixture
def client(db):
    """Of somebody who may manage both projects."""
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


def page(client, made, name, *pk, **query):
    address = reverse(name, args=[made.project.slug, *pk])
    return client.get(address, query).content.decode()


def test_an_experiment_is_asked_for(client, dataset):
    gold = linked_gold(dataset.project, 4)
    address = reverse("launch", args=[dataset.project.slug, "run-experiment"])
    asked = {"datasets": [dataset.pk], "gold_sets": [gold.pk], "aligners": ["identity", "hmm"]}
    for wrong, message in (
        ({"gold_sets": []}, "This field is required"),
        ({"datasets": [], "aligners": ["hmm"]}, "choose a dataset"),
        ({"aligners": ["best-taught"]}, "Choose the gold links that best learns from"),
    ):
        response = client.post(address, asked | wrong)
        assert response.status_code == 422
        assert message in response.content.decode()
    response = client.post(address, asked | {"lexicon": "yes", "linking": "refined", "test_sentences": "on"})
    made = dataset.project.experiments.get()
    assert response.url == reverse("experiment", args=[dataset.project.slug, made.pk])
    assert [row.aligner_label for row in made.rows.all()] == ["hmm + lexicon, refined", "identity"]
    assert made.test_sentences
    text = page(client, made, "experiment", made.pk)
    assert "Cancel the experiment" in text
    assert "not done yet" in text


def test_a_pair_is_shown_as_its_sentences(client, made):
    cell = ExperimentCell.objects.filter(row__experiment=made).first()
    text = page(client, made, "experiment-pair", cell.pk, pair="1")
    pair = cell.gold_set.alignments.first().item.pair
    assert f"{pair.sentence_a.text}</bdi>" in text and f"{pair.sentence_b.text}</bdi>" in text
