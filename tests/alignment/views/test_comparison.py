"""The page that compares two aligners, also as JSON, and what leads to it."""

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import Experiment, ExperimentCell
from alignment.services.aligner_comparison import compare_aligners, link_sources
from alignment.services.gold_links import BOOTSTRAP_SEED, linked_pairs
from alignment.services.trained_aligners.applying import apply_aligner
from jobs.services.running import run_here
from paragold.metrics.link_comparison import by_difference, compare_links
from projects.errors import PublicError
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold, trained_aligner

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


def test_a_run_and_an_aligner_without_training_are_compared(made, gold):
    run = apply_aligner(
        project=made.project, by=None, trained=trained_aligner(dataset_of(made.project, 3)), gold_set=gold
    )
    run_here(job=run.job)
    settings = [setting for setting, _ in link_sources(gold)]
    assert {f"run:{run.pk}", "identity"} <= set(settings)
    _, found = compare_aligners(project=made.project, gold_set=gold, a=f"run:{run.pk}", b="identity")
    assert found["scores"]["b"]["all"]["aer"] == 0
    assert found["scores"]["a"]["all"]["aer"] == run.trained.evaluations.get().scores["all"]["aer"]


def test_what_cannot_be_compared_is_refused(client, made, gold):
    with pytest.raises(PublicError, match="There are no links of 'cell:0'"):
        compare_aligners(project=made.project, gold_set=gold, a="cell:0", b="identity")
    with pytest.raises(PublicError, match="two different"):
        compare_aligners(project=made.project, gold_set=gold, a="identity", b="identity")
    with pytest.raises(PublicError, match="another project"):
        compare_aligners(project=ProjectFactory(), gold_set=gold, a="identity", b="identity-stem")
    address = reverse("aligners-compare", args=[made.project.slug])
    same = client.get(address, {"gold_set": gold.pk, "a": "identity", "b": "identity"})
    assert (same.status_code, "two different" in same.content.decode()) == (422, True)
    for given in ({}, {"gold_set": "x"}, {"gold_set": gold.pk, "a": "cell:0", "b": "identity"}):
        form = client.get(address, given)
        assert (form.status_code, "comparison" in form.context) == (200, False)
    choices = client.get(address, {"format": "json"}).json()
    assert choices == {"gold_set": gold.pk, "aligners": dict(link_sources(gold))}
    unknown = client.get(address, {"format": "json", "a": "identity", "b": "cell:0"})
    assert (unknown.status_code, "cell:0" in unknown.content.decode()) == (400, True)
