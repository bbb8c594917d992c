"""Headlines matched by page, API and command."""

import pytest

from jobs.services.running import run_here
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory

FORM = {
    "method": "pairwise", "upper": "0.5", "lower": "0.2", "pk1": "1", "delta": "5", "starts": "10",
    "centres": "k-means++", "seed": "1", "weights": "cluster", "clusters": "all",
}  # fmt: skip
TITLES = ("Ferry crews strike", "Crews of ferry on strike", "Dog bites man", "Power is back")


@pytest.fixture
def story(house):
    cluster = ClusterFactory(project=house.project, key="ferry")
    for title in TITLES:
        SentenceFactory(article=ArticleFactory(cluster=cluster), text=title, number=0)


def launched(house, **fields):
    sent = house.manager.post(house.url("launch/match-headlines/"), FORM | fields)
    extraction = house.project.extractions.latest("pk")
    assert sent.headers["Location"] == house.url(f"candidates/extractions/{extraction.pk}/")
    run_here(job=extraction.job)
    return extraction


def test_the_page_shows_the_expected_number_of_groups_before_it_runs(house, story):
    address = house.url("launch/match-headlines/")
    before = house.project.extractions.count()
    page = house.manager.get(address).content.decode()
    assert " groups of " in page and "estimated in each cluster: nobody has drawn sub-clusters" in page
    counted = house.manager.post(address, FORM | {"method": "kmeans", "pk1": "-2", "preview": "yes"})
    assert counted.status_code == 200
    assert "Number of groups: PK1 -2, delta 5." in counted.content.decode()
    assert house.project.extractions.count() == before
    extraction = launched(house, method="kmeans", pk1="")
    assert extraction.job.parameters["spec"]["pk1"] is None
    page = house.viewer.get(house.url(f"candidates/extractions/{extraction.pk}/")).content.decode()
    assert "nobody has drawn sub-clusters" in page and page.count("Number of groups") == 1
