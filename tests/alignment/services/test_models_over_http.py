"""An aligner over HTTP suggests links and is part of experiments, by jobs; pages never wait for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from alignment.aligner_forms import ExperimentForm
from alignment.models import ExperimentRow, SuggestedLinks
from alignment.services.aligner_comparison import link_sources
from alignment.services.batches import set_suggester, suggester_choices
from alignment.services.scoring import score_aligner
from annotation.models import Batch
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.aligners.registry import ALIGNERS
from projects.errors import PublicError
from projects.models import Project
from tests.factories.alignment import linking_batch
from tests.factories.annotation import gold_set
from tests.factories.corpus import member
from tests.factories.experiments import experiment
from tests.factories.trained_aligners import linked_gold
from tests.model_server import ModelServer, configure, serving_model

pytestmark = pytest.mark.django_db
TOY = "http-toy"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving_model() as server:
        yield server


@pytest.fixture
def toy(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelServer:
    configure(monkeypatch, tmp_path, server)
    del server.asked[:]
    return server


@pytest.fixture
def batch(project: Project) -> Batch:
    ann: User = member(project, "annotator", "ann")
    return linking_batch(project, [ann], source=gold_set(project, [ann], size=6))


def test_its_links_are_suggested_by_a_job_and_kept(batch: Batch, toy: ModelServer) -> None:
    assert dict(suggester_choices(batch.project))[TOY] == "The model toy over HTTP"
    job = set_suggester(batch=batch, by=None, setting=TOY)
    assert (job.state, job.short, toy.asked) == (JobState.QUEUED, False, [])
    run_here(job=job)
    assert job.state == JobState.DONE, job.error
    rows = SuggestedLinks.objects.filter(item__batch=batch, setting=TOY)
    same = SuggestedLinks.objects.filter(item__batch=batch, setting="identity")
    assert rows.count() == batch.items.count() == 3
    assert {row.signature for row in rows} == {f"http|model:toy|host:127.0.0.1:{toy.port}|version:1"}
    set_suggester(batch=batch, by=None, setting="identity")
    assert same.count() == 3
    del toy.asked[:]
    run_here(job=set_suggester(batch=batch, by=None, setting=TOY))
    assert (toy.paths, rows.count()) == (["/health"], 3)


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"links": lambda source, target: [[0, len(target)]]}, "The answer is not valid"),
        ({"links": lambda source, target: [[0, float("nan")]]}, "The answer is not valid"),
        ({"status": 500}, "status 500"),
        ({"cut": 9}, "did not answer"),
    ],
)
def test_a_model_that_fails_ends_the_job_with_a_sentence(
    batch: Batch, toy: ModelServer, wrong: dict, expected: str
) -> None:
    good = vars(toy).copy()
    vars(toy).update(wrong)
    job = set_suggester(batch=batch, by=None, setting=TOY)
    run_here(job=job)
    assert job.state == JobState.FAILED
    assert job.error.startswith("The model toy")
    assert expected in job.error
    assert not SuggestedLinks.objects.filter(item__batch=batch).exists()
    vars(toy).update(good)
    job = set_suggester(batch=batch, by=None, setting=TOY)
    run_here(job=job)
    assert job.state == JobState.DONE


def test_it_is_a_row_of_an_experiment(project: Project, toy: ModelServer) -> None:
    gold = linked_gold(project, 6)
    assert (TOY, "") in [(value, hint) for value, _, hint in _offered(project)]
    made = experiment([], [gold], aligners=[{"aligner": TOY}, {"aligner": "identity"}])
    assert made.job.state == JobState.DONE, made.job.error
    assert made.job.parameters["chunk_seconds"] > 3600
    row = ExperimentRow.objects.get(experiment=made, aligner=TOY)
    assert row.signature == f"http|model:toy|host:127.0.0.1:{toy.port}|version:1"
    assert row.cells.get().counts["all"]
    assert f"cell:{row.cells.get().pk}" in dict(link_sources(gold))


def _offered(project: Project) -> list[tuple[str, str, str]]:
    form = ExperimentForm(project=project)
    widget = form.fields["aligners"].widget
    choices = form.fields["aligners"].choices
    return [(value, label, getattr(widget, "reasons", {}).get(value, "")) for value, label in choices]


def test_where_links_are_drawn_at_once_it_is_not_offered(project: Project, toy: ModelServer) -> None:
    gold = linked_gold(project, 4)
    assert TOY not in dict(link_sources(gold))
    with pytest.raises(PublicError, match="There is no aligner 'http-toy'"):
        score_aligner(gold_set=gold, aligner=TOY)
    assert toy.asked == []


def test_pages_never_ask_the_model(batch: Batch, toy: ModelServer) -> None:
    client = Client()
    client.force_login(member(batch.project, "manager", "boss"))
    toy.delay = 60
    linked_gold(batch.project, 4)
    slug = batch.project.slug
    for name, key in (("experiment-new", ()), ("link-detail", (batch.pk,)), ("link-new", ())):
        page = client.get(reverse(name, args=(slug, *key)))
        assert page.status_code == 200
        assert "toy" in page.content.decode()
    assert toy.asked == []


def test_a_model_that_never_answered_or_only_scores_cannot_be_chosen(
    project: Project, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.health = {"score": True}
    configure(monkeypatch, tmp_path, server, ask=False)
    assert ALIGNERS.get(TOY).install_hint() == "The model toy has not answered yet."
    configure(monkeypatch, tmp_path, server)
    assert ALIGNERS.get(TOY).install_hint() == "The model toy does not align words."
    assert TOY not in dict(suggester_choices(project))
    gold = linked_gold(project, 4)
    with pytest.raises(PublicError, match="does not align words"):
        experiment([], [gold], aligners=[{"aligner": TOY}])
