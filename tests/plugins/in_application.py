"""The web application with the plug-ins of `installing`: `test_plugins` runs this in a process of its own."""

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import Experiment
from alignment.services.scoring import score_aligner
from corpus.imports import import_corpus
from corpus.services.extraction import launch_extraction
from jobs.models import JobState
from jobs.services.running import run_here
from ops.diagnosis import examine
from paragold.extraction.presets import RECOMMENDED
from paragold.registry import PluginError
from paragold.sources.article_sources import SourceOptions
from projects.models import Project
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory, UserFactory
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold, trained_aligner
from tests.plugins.installing import FAILED, INSTALLED

pytestmark = pytest.mark.django_db
SIGNED = "plugin:paragold-example 1.0"
ARTICLES = """{"cluster_id": "dam", "articles": [
 {"id": "a", "text": "The dam broke. Nobody was hurt\\nThe council will repair it"},
 {"id": "b", "text": "The dam burst. Nobody was hurt\\nThe council wants to repair it"}]}"""


@pytest.fixture(scope="module")
def made(module_database):
    """A project with a dataset and gold links."""
    project = ProjectFactory()
    linked_gold(project, 6)
    dataset_of(project, 5)
    return project


@pytest.fixture
def project(made):
    return Project.objects.get(pk=made.pk)


@pytest.fixture
def client(db):
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


def sent(client, project, *aligners, **fields):
    """What the form of a new experiment answers, on all datasets and gold links."""
    asked = {
        "aligners": aligners,
        "datasets": [one.pk for one in project.datasets.all()],
        "gold_sets": [one.pk for one in project.gold_alignment_sets.all()],
        "test_sentences": "on",
        **fields,
    }
    return client.post(reverse("launch", args=[project.slug, "run-experiment"]), asked)


def test_administrators_see_what_cannot_be_used(client):
    page = client.get(reverse("plugins")).content.decode()
    assert f"{len(FAILED)} of {INSTALLED} cannot be used" in page
    assert "paragold-example" in page and "has no attribute &#x27;absent&#x27;" in page
    listed = client.get(reverse("plugins"), {"format": "json"}).json()["plugins"]
    assert {one["name"] for one in listed if one["error"]} == FAILED
    assert all(one["remedy"] for one in listed if one["error"])
    finding = examine("plug ins")
    assert not finding.ok
    assert f"of {INSTALLED} cannot be used" in finding.found and "paragold plugins" in finding.remedy


def test_an_experiment_beside_best(client, project):
    training = client.get(reverse("api-launch-train-aligner", args=[project.slug])).json()
    assert "dice" in training["properties"]["settings"]["description"]
    assert "min_dice" in training["properties"]["settings"]["description"]
    page = client.get(reverse("launch", args=[project.slug, "run-experiment"])).content.decode()
    assert "dice: Minimum Dice coefficient" in page and "dice: Minimum count" in page

    refused = sent(client, project, "best", "dice", **{"dice.min_dice": "4"})
    assert refused.status_code == 422
    assert "Minimum Dice coefficient must be a number from 0.0 to 1.0" in refused.content.decode()

    done = sent(client, project, "best", "dice", **{"dice.min_dice": "0.25", "dice.min_count": "1"})
    assert done.status_code == 302
    made = Experiment.objects.get(project=project)
    run_here(job=made.job)
    made.refresh_from_db()
    assert made.job.state == JobState.DONE
    for row in made.rows.all():
        assert (SIGNED in row.signature) == ("min_dice:0.25" in row.signature) == (row.aligner == "dice")
    assert {row.aligner for row in made.rows.all()} == {"best", "dice"}
    assert SIGNED in client.get(reverse("experiment", args=[project.slug, made.pk])).content.decode()


def test_an_aligner_is_trained_stored_and_applied(project):
    trained = trained_aligner(project.datasets.get(size=5), aligner="dice", min_dice=0.3)
    assert trained.job.state == JobState.DONE
    assert SIGNED in trained.signature and "min_dice:0.3" in trained.signature


def test_a_job_that_a_plugin_fails_says_so(project):
    for aligner, words in (("crashing", "ZeroDivisionError"), ("outside", "links outside the sentences")):
        made = experiment(
            [],
            list(project.gold_alignment_sets.all()),
            aligners=[{"aligner": aligner}, {"aligner": "identity"}],
        )
        assert made.job.state == JobState.FAILED
        assert made.job.error.startswith("The plug-in broken-for-tests 0.3 failed: ")
        assert words in made.job.error


def test_a_request_that_a_plugin_fails_says_so(client, project):
    gold = project.gold_alignment_sets.get()
    with pytest.raises(PluginError, match=r"broken-for-tests 0\.3"):
        score_aligner(gold_set=gold, aligner="outside")
    client.raise_request_exception = False
    asked = {"gold_set": gold.pk, "aligner": "crashing"}
    address = reverse("api-evaluations", args=[project.slug])
    answer = client.post(address, asked, content_type="application/json")
    assert answer.status_code == 500
    assert "The plug-in broken-for-tests 0.3 failed: ZeroDivisionError" in answer.json()["detail"]


def test_the_segmenter_splits_imports_and_signs_what_is_made_of_them(project, tmp_path):
    path = tmp_path / "articles.jsonl"
    path.write_text(" ".join(ARTICLES.splitlines()) + "\n")
    own = ProjectFactory()
    given = {"project": own, "by": None, "path": path, "filename": path.name}
    with pytest.raises(PluginError, match="the segmenter greedy gave the span"):
        import_corpus(**given, options=SourceOptions("jsonl", segmenter="greedy"))
    source = import_corpus(**given, options=SourceOptions("jsonl", segmenter="lines"))
    assert source.signature == f"example-lines-1|{SIGNED}|paragold-tok-1"
    texts = [one["text"] for one in own.clusters.get().articles.get(key="a").sentences.values("text")]
    assert texts == ["The dam broke. Nobody was hurt", "The council will repair it"]
    source.refresh_from_db()
    found = launch_extraction(project=own, by=None, preset=RECOMMENDED)
    assert f"example-lines-1|{SIGNED}" in found.signature


def address_of(page, project):
    name, _, kind = page.partition(":")
    return reverse(name, args=[project.slug, *filter(None, [kind])])


def test_the_forms_offer_what_plugins_add(client, project):
    for name, words in (
        ("corpus-import", "One sentence per line (example plug-in)"),
        ("launch:train-classifier", "character-ngrams: Character n-grams in common"),
        ("launch:train-aligner", "Only for dice."),
        ("link-import", "Arrows (example plug-in)"),
    ):
        assert words in client.get(address_of(name, project)).content.decode(), name
