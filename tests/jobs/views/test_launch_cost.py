from __future__ import annotations

from typing import Any

import pytest

from corpus.services import extraction, headline_matching, matching
from jobs.models import JobState
from jobs.services.launch_cost import rate_of
from projects.models import Project
from tests.corpus.views import test_matching
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory, slow_job

MATCHING = test_matching.FORM | {"method": "exact"}
HEADLINES = {
    "method": "pairwise", "upper": "0.5", "lower": "0.2", "pk1": "1", "delta": "5", "starts": "10",
    "centres": "k-means++", "seed": "1", "weights": "cluster", "clusters": "all",
}  # fmt: skip
# The page, its fields, the kind and method of its job, what it says before anything is chosen, the box.
FORMS: dict[str, tuple[str, dict[str, Any], str, str, str, str]] = {
    "extraction": (
        "candidates/new/", {"name": ""}, extraction.KIND, "levenshtein",
        "8 sentences, up to 28 pairs of sentences", "confirmed_time",
    ),
    "matching": (
        "launch/match-sentences/", MATCHING, matching.KIND, "exact, project",
        "8 sentences, 28 pairs of sentences", "confirmed_time",
    ),
    "headlines": (
        "launch/match-headlines/", HEADLINES, headline_matching.KIND, "pairwise",
        "4 headlines, 6 pairs of headlines", "confirmed_time",
    ),
}  # fmt: skip


@pytest.fixture
def story(house):
    """A cluster of four articles of two sentences."""
    house.project.clusters.all().delete()
    cluster = ClusterFactory(project=house.project, key="ferry")
    for place in range(4):
        article = ArticleFactory(cluster=cluster)
        for number in range(2):
            SentenceFactory(article=article, text=f"Ferry crews strike in port {place}", number=number)
    project: Project = house.project
    return project


def sent(form, **more):
    return {**FORMS[form][1], **more}


@pytest.mark.parametrize("form", FORMS)
def test_the_form_says_what_it_processes_and_how_long(house, story, form):
    page, _, kind, how, processes, _ = FORMS[form]
    shown = house.manager.get(house.url(page)).content.decode()
    assert processes in shown
    assert ", <b>about" in shown
    assert "a cautious estimate" in shown
    slow_job(story, kind, how, seconds=20)
    if form != "matching":
        assert "by past jobs of this kind" in house.manager.get(house.url(page)).content.decode()


@pytest.mark.parametrize("form", FORMS)
def test_a_long_launch_is_confirmed_and_launched_once(house, story, form):
    page, _, kind, how, _, box = FORMS[form]
    slow_job(story, kind, how)
    launched = house.project.jobs.filter(kind=kind, state=JobState.QUEUED)
    asked = house.manager.post(house.url(page), sent(form))
    assert asked.status_code == 422
    text = asked.content.decode()
    assert f'name="{box}"' in text and "confirm the launch" in text
    assert "by past jobs of this kind" in text
    assert not launched.exists()
    assert house.manager.post(house.url(page), sent(form, **{box: "on"})).status_code == 302
    assert launched.get().parameters["work"]["how"] == how


def test_the_rate_is_that_of_finished_jobs_of_the_kind_and_method(house):
    assert not rate_of("match", "exact, project").measured
    slow_job(house.project, "match", "exact, project", expected=10, seconds=30)
    slow_job(house.project, "match", "bands, project", expected=10, seconds=3_000)
    slow_job(house.project, "match", "exact, project", expected=1, seconds=3_000)
    slow_job(house.project, "match", "exact, project", expected=10, seconds=50, state=JobState.FAILED)
    rate = rate_of("match", "exact, project")
    assert rate.measured and rate.seconds_a_unit == pytest.approx(3)
    assert rate_of("match", "exact, project", house.project) == rate
