import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import Experiment, ExperimentCell
from alignment.services.gold_links import BOOTSTRAP_SEED, linked_pairs
from paragold.metrics.link_comparison import by_difference, compare_links
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_for_module(module_database):
    dataset = dataset_of(ProjectFactory(), 6)
    gold = linked_gold(dataset.project, 24, name="<links>")
    return experiment([dataset], [gold])


@pytest.fixture
def made(made_for_module):
    return Experiment.objects.get(pk=made_for_module.pk)


@pytest.fixture
def gold(made):
    return made.gold_sets.get()


@pytest.fixture
def client(db):
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


@pytest.fixture
def asked(made, gold):
    """The settings of the HMM, as A, and of the identity baseline, as B."""
    hmm, identity = (
        ExperimentCell.objects.get(row__experiment=made, row__aligner=name) for name in ("hmm", "identity")
    )
    return {"gold_set": gold.pk, "a": f"cell:{hmm.pk}", "b": f"cell:{identity.pk}"}


def test_the_numbers_are_those_of_the_library(client, made, gold, asked):
    a, b = (ExperimentCell.objects.get(pk=asked[side].removeprefix("cell:")) for side in "ab")
    pairs, expected = compare_links(
        linked_pairs(gold), a.link_lists, b.link_lists, language="en", seed=BOOTSTRAP_SEED
    )
    assert expected["scores"]["a"]["all"]["aer"] == a.aer
    page = client.get(reverse("aligners-compare", args=[made.project.slug]), asked)
    assert page.status_code == 200
    assert page.context["comparison"]["totals"] == expected["totals"]
    address = reverse("aligners-compare", args=[made.project.slug])
    answer = client.get(address, asked | {"format": "json"})
    assert answer.status_code == 200, answer.content
    summary, listed = answer.json()["comparison"], answer.json()["pairs"]
    assert client.get(address, asked | {"format": "json", "outcome": "only_a"}).json()["pairs"] == []
    assert summary["scores"]["a"]["all"]["aer"] == a.aer
    assert summary["tests"]["all"]["p"] == expected["tests"]["all"]["p"]
    assert [pair["number"] for pair in listed] == [pair["number"] for pair in by_difference(pairs)]
    assert sum(row["only_b"] for row in summary["links"]) == expected["totals"]["only_b"] > 0
    # The baseline draws what this gold has, so that only it is right where they differ.
    assert expected["totals"]["only_a"] == 0
