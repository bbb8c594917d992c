"""Matching by pages, API and command: estimated, launched, followed, its scores shown."""

import pytest
from django.urls import reverse

from corpus.services import matching
from corpus.specs import ProjectMatchingSpec
from jobs.services.running import run_here
from paragold.matching.specs import STOP_WORDS
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

FORM = {
    "scope": "project", "clusters": "all", "method": "minhash", "permutations": 64, "max_entry": 500,
    "threshold": "0.4",
    "stop_words": "the a", "seed": 1,
}  # fmt: skip


@pytest.fixture
def two_stories(house):
    for key, text in (
        ("rain", "The river rose over its banks on Monday"),
        ("flood", "On Monday a river rose"),
    ):
        cluster = ClusterFactory(project=house.project, key=key)
        for number in range(2):
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=f"{text} again {number}")


def launched(house, **fields):
    sent = house.manager.post(house.url("launch/match-sentences/"), FORM | fields)
    extraction = house.project.extractions.latest("pk")
    assert sent.headers["Location"] == house.url(f"candidates/extractions/{extraction.pk}/")
    run_here(job=extraction.job)
    return extraction


def test_an_estimate_of_a_small_project_is_what_the_job_finds(house, two_stories):
    """Texts that come again in other clusters count once, as in the job."""
    for key in ("one", "two", "three"):
        cluster = ClusterFactory(project=house.project, key=key)
        for text in ("Sign up for our daily news letter", "Sign up for our daily news letter today"):
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=text)
    for scope in ("clusters", "project"):
        spec = ProjectMatchingSpec(method="exact", threshold=0.4, scope=scope)
        expected = matching.estimate(project=house.project, spec=spec)[0]
        extraction = launched(house, method="exact", stop_words=" ".join(STOP_WORDS), scope=scope)
        assert (
            extraction.job.counts["pairs_kept"]
            == expected["pairs"]
            == expected["low"]
            == expected["high"]
            > 0
        )


def test_results_are_shown_with_their_scores(house, two_stories):
    extraction = launched(house)
    page = house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "across the whole project" in page
    assert "pairs of two clusters" in page
    assert "a the" in page
    table = house.viewer.get(
        house.url(f"candidates/pairs/?extraction={extraction.pk}&sort=-score")
    ).content.decode()
    finding = extraction.findings.order_by("-score").first()
    assert f'<td class="num">{finding.score:.3f}</td>' in table
    crossing = next(
        f.pair for f in extraction.findings.all() if f.pair.cluster.key == "rain" and f.pair.other_cluster
    )
    pair = house.viewer.get(house.url(f"candidates/pairs/{crossing.pk}/")).content.decode()
    assert "<bdi>rain</bdi></a> and <a" in pair
    assert "Jaccard 0." in pair
    for key in ("rain", "flood"):
        shown = house.viewer.get(house.url(f"candidates/pairs/?cluster={key}")).content.decode()
        assert reverse("pair", args=[house.project.slug, crossing.pk]) in shown
    assert "Score" not in house.viewer.get(house.url("candidates/pairs/")).content.decode()
