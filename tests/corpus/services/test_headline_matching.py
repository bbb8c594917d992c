from pathlib import Path
from unittest import mock

import pytest

from corpus.imports import import_corpus
from corpus.services import headline_matching
from corpus.services.headline_matching import launch_headline_matching
from corpus.specs import ProjectHeadlineSpec
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.matching.headlines import HeadlineFile
from paragold.matching.specs import HeadlineSpec
from tests.factories.corpus import ArticleFactory, ClusterFactory, ProjectFactory, SentenceFactory

pytestmark = pytest.mark.django_db

DEMO = Path(__file__).resolve().parents[3] / "demo/headlines.jsonl"
LOW = {"upper": 0.35, "lower": 0.1}


def match(project, **chosen):
    extraction = launch_headline_matching(project=project, by=None, spec=ProjectHeadlineSpec(**chosen))
    run_here(job=extraction.job)
    assert (extraction.job.state, extraction.job.error) == (JobState.DONE, "")
    return extraction


def found(extraction):
    rows = extraction.findings.values_list("pair__sentence_a__text", "pair__sentence_b__text", "score")
    return {frozenset((a, b)): pytest.approx(score) for a, b, score in rows}


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {**LOW, "weights": "file"},
        {**LOW, "closure": True},
        {"method": "kmeans", "weights": "file"},
    ],
)
def test_a_project_gives_what_the_file_gives(chosen):
    project = ProjectFactory()
    assert import_corpus(project=project, by=None, path=DEMO, filename="headlines.jsonl").state == "imported"
    with mock.patch.object(headline_matching, "HEADLINES_A_CHUNK", 40):
        extraction = match(project, **chosen)
    assert extraction.job.chunks.count() > 1
    settings = HeadlineSpec(**chosen)
    pairs = HeadlineFile(DEMO, settings).pairs(settings)
    expected = {frozenset((pair.text_a, pair.text_b)): pair.score for pair in pairs.itertuples()}
    assert len(expected) > 5 and found(extraction) == expected
    dataset = extraction.datasets.get()
    assert (dataset.size, extraction.preset) == (len(expected), f"headlines-{settings.method}")
    counts = extraction.job.counts
    assert (counts["clusters"], counts["sentences"], counts["pairs_kept"]) == (7, 114, len(expected))


def cluster(project, key, *titles, held_out=False, context=""):
    made = ClusterFactory(project=project, key=key, held_out=held_out)
    for title in titles:
        article = ArticleFactory(cluster=made)
        SentenceFactory(article=article, text=title, number=0)
        if context:
            SentenceFactory(article=article, text=context, number=1)


def test_contexts_decide_between_the_thresholds():
    titles = ("Mayor praises ferry crews", "Ferry crews rescue anglers", "Dog bites man", "Power is back")
    alone, told = ProjectFactory(), ProjectFactory()
    cluster(alone, "c", *titles)
    cluster(told, "c", *titles[:2], context="Six men were taken off a rock.")
    rest = told.clusters.get()
    for title in titles[2:]:
        SentenceFactory(article=ArticleFactory(cluster=rest), text=title, number=0)
    assert not found(match(alone, lower=0.1))
    assert list(found(match(told, lower=0.1))) == [frozenset(titles[:2])]
