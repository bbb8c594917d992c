import pytest

from corpus.services import matching
from corpus.specs import ProjectMatchingSpec
from jobs.services.running import run_here
from paragold.matching.specs import STOP_WORDS
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

FORM = {
    "scope": "project", "clusters": "all", "method": "minhash", "permutations": 64,
    "threshold": "0.4",
    "stop_words": "the a", "seed": 1, "encoder": "default",
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
