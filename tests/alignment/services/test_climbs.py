"""Climbs of extraction thresholds in a project: an experiment that extracts for itself."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from alignment.models import GoldAlignmentSet
from alignment.services.climbs import climb_cost, launch_climb
from alignment.services.trained_aligners.launching import pairs_of, read_tokens
from corpus.models import Extraction, ProjectPreset
from corpus.services.datasets import freeze_dataset
from corpus.services.dry_run import pairs_found
from corpus.services.extraction import launch_extraction
from jobs.services.running import run_here
from paragold.extraction.criteria import Criteria
from projects.errors import PublicError
from tests.factories.corpus import (
    ArticleFactory,
    ClusterFactory,
    ProjectFactory,
    SentenceFactory,
    UserFactory,
)
from tests.factories.trained_aligners import QUICK, linked_gold

pytestmark = pytest.mark.django_db
PRESET = "L12-2004-word"
HMM = {"aligner": "hmm", **QUICK}
TEXTS = (
    ("The Old dam broke near the town .", "The dam has broken near the town ."),
    ("Rain fell all over the hills today .", "Rain fell on all of the hills ."),
)


@pytest.fixture
def gold() -> GoldAlignmentSet:
    """Of a project with two more clusters, a pair in each."""
    gold = linked_gold(ProjectFactory(), 4)
    for texts in TEXTS:
        cluster = ClusterFactory(project=gold.project)
        for text in texts:
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=text)
    return gold


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


def test_a_climb_trains_on_what_a_dataset_of_the_same_criteria_would_hold(gold: GoldAlignmentSet) -> None:
    project = gold.project
    values = {"max_edit_distance": ["3", 12]}
    extractions = Extraction.objects.count()
    made = launch_climb(project=project, by=None, preset=PRESET, values=values, gold_sets=[gold], aligner=HMM)
    run_here(job=made.job)
    narrow, wide = made.rows.all()
    assert 0 < narrow.pairs < wide.pairs and Extraction.objects.count() == extractions
    low, high = wide.extraction["interval"]
    assert low <= wide.pairs <= high
    assert "max_edit_distance:12" in wide.signature

    extraction = launch_extraction(project=project, by=None, preset=PRESET)
    run_here(job=extraction.job)
    dataset = freeze_dataset(project=project, name="all", extractions=[extraction])
    found = pairs_found(project, Criteria(**wide.extraction["criteria"]))
    assert found.pairs == read_tokens(pairs_of(project, [dataset], []))
    assert found.pairs[-2][0][:2] == ["The", "Old"]


def test_page_shows_the_cost_then_launches_then_saves_the_best(
    gold: GoldAlignmentSet, client: Client
) -> None:
    project = gold.project
    address = reverse("experiment-climb", args=[project.slug])
    assert "Estimate cost" in client.get(address).content.decode()
    sent = {
        "preset": PRESET, "parameter": "max_edit_distance", "values": "2, 6, 12", "gold_sets": [gold.pk],
        "aligner": "ibm1", "second_parameter": "min_length_ratio", "second_values": "2/3,1/2",
    }  # fmt: skip
    page = client.post(address, sent).content.decode()
    assert "6 trainings on" in page and "Estimated time" in page and not project.experiments.exists()
    wrong = client.post(address, sent | {"second_parameter": ""})
    assert wrong.status_code == 422 and list(wrong.context["form"].errors) == ["second_values"]
    wrong = client.post(address, sent | {"values": "2,x", "launch": "yes"})
    assert wrong.status_code == 422 and list(wrong.context["form"].errors) == ["values"]

    response = client.post(address, sent | {"launch": "yes"})
    made = project.experiments.get()
    assert response.url == reverse("experiment", args=[project.slug, made.pk])
    run_here(job=made.job)
    made.refresh_from_db()
    answer = client.get(response.url)
    page = answer.content.decode()
    assert "L12-2004-word, max_edit_distance 6, min_length_ratio 1/2" in page
    assert page.count("Save as preset") == 1 and "Yield by value" in page
    (tested,) = answer.context["sets"]
    (best,), figures = tested.bests, tested.figures
    # Only identical words are linked: nothing is the best by the others.
    assert best.words == "all words"
    assert max(figures[0].chart.dots, key=lambda dot: dot.radius).label in page
    lowest = {cell.row.pairs for row in made.rows.all() for cell in row.cells.all() if cell.aer == best.aer}
    assert best.row.pairs == max(lowest)
    drawn = [[one for one in figure.chart.strokes if one.style != "to-name"] for figure in figures]
    assert [len(lines) for lines in drawn] == [2] * len(figures)
    saved = client.post(
        f"{reverse('preset-new', args=[project.slug])}?preset={PRESET}",
        dict(best.parameters) | {"preset_name": "climbed"},
    )
    assert saved.url.endswith("?preset=climbed")
    assert ProjectPreset.objects.get().criteria == best.row.extraction["criteria"]


def test_api_and_command(gold: GoldAlignmentSet, client: Client) -> None:
    project = gold.project
    sent = {
        "preset": PRESET,
        "values": {"max_edit_distance": [2, 12]},
        "gold_alignments": [gold.pk],
        "aligner": {"aligner": "ibm1"},
    }
    json = {"content_type": "application/json"}
    cost = client.post(reverse("api-experiment-climb-estimate", args=[project.slug]), sent, **json).json()
    assert [step["values"] for step in cost["steps"]] == ["max_edit_distance 2", "max_edit_distance 12"]
    assert cost["pairs"] == sum(step["pairs"] for step in cost["steps"]) and cost["seconds"] > 0
    address = reverse("api-experiment-climbs", args=[project.slug])
    answer = client.post(address, sent, **json)
    assert answer.status_code == 201, answer.content
    rows = client.get(reverse("api-experiment", args=[answer.json()["id"]])).json()["rows"]
    assert [row["extraction"]["criteria"]["max_edit_distance"] for row in rows] == [2, 12]
    refused = client.post(address, sent | {"values": {"max_edit": [1, 2]}}, **json)
    assert refused.status_code == 400 and "no such parameter" in refused.content.decode()

    out = io.StringIO()
    own = ["--project", project.slug, "--preset", PRESET, "--climb", "max_edit_distance=2,12"]
    call_command("run_experiment", *own, "--gold", gold.name, "--aligner", "ibm1", "--wait", stdout=out)
    assert f"{PRESET}, max_edit_distance 12" in out.getvalue()
    with pytest.raises(CommandError, match="--climb has one aligner"):
        call_command("run_experiment", *own, "--symmetrise", "union")


def test_what_cannot_be_climbed_is_refused(gold: GoldAlignmentSet) -> None:
    asked = {"project": gold.project, "preset": PRESET, "gold_sets": [gold]}
    values = {"max_edit_distance": [2, 4]}
    with pytest.raises(PublicError, match="identity is not trained on pairs"):
        climb_cost(**asked, values=values, aligner={"aligner": "identity"})
    with pytest.raises(PublicError, match="1 different values"):
        climb_cost(**asked, values={"max_edit_distance": [2]}, aligner=HMM)
    with pytest.raises(PublicError, match="no such preset"):
        climb_cost(**asked | {"preset": "L13"}, values=values, aligner=HMM)
