"""Nearly equal articles of a cluster: found, shown on its page, told by the API."""

from __future__ import annotations

import pytest
from django.test import Client

from corpus.models import Cluster
from corpus.services import near_duplicates as service
from corpus.services.near_duplicates import near_duplicates
from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory, member

WIRE = "The council mended the dam on Wednesday, after it had leaked for a whole year."


@pytest.fixture
def cluster(db: None) -> Cluster:
    cluster = ClusterFactory(project__slug="dams", key="dam")
    texts = {
        "wire": [WIRE, "Nobody in the town below was hurt, the mayor said."],
        "own": ["A dam in the valley was repaired this week, according to officials."],
        "paper": [WIRE, "Nobody in the town below was hurt, said the mayor on Friday."],
    }
    for key, sentences in texts.items():
        article = ArticleFactory(cluster=cluster, key=key)
        for text in sentences:
            SentenceFactory(article=article, text=text)
    ClusterFactory(project=cluster.project)
    return cluster


def test_a_rewritten_story_is_found(cluster: Cluster) -> None:
    found = near_duplicates(cluster)
    assert found is not None
    assert [(one.first.key, one.second.key) for one in found] == [("wire", "paper")]
    assert 0.7 < found[0].share < 1


def test_it_is_shown_on_the_page_and_told_by_the_api(cluster: Cluster) -> None:
    client = Client()
    client.force_login(member(cluster.project, "viewer", "vera"))
    page = client.get(f"/projects/dams/corpus/clusters/{cluster.pk}/").content.decode()
    assert "Nearly the same text" in page and " %</td>" in page
    url = f"/api/v1/projects/dams/clusters/{cluster.pk}/near-duplicates/"
    (pair,) = client.get(url).json()["items"]
    assert 0.7 < pair["share"] < 1
    assert client.get(url + "?least=1").json() == {"items": []}
    assert client.get(url + "?least=0").status_code == 400
    other = cluster.project.clusters.exclude(pk=cluster.pk).get()
    assert "Nearly the same" not in client.get(f"/projects/dams/corpus/clusters/{other.pk}/").content.decode()


def test_a_very_large_cluster_is_not_compared(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "ARTICLES", 2)
    assert near_duplicates(cluster) is None
    client = Client()
    client.force_login(member(cluster.project, "viewer", "vera"))
    assert client.get(f"/projects/dams/corpus/clusters/{cluster.pk}/").status_code == 200
    answer = client.get(f"/api/v1/projects/dams/clusters/{cluster.pk}/near-duplicates/")
    assert answer.status_code == 400 and "not compared" in answer.json()["detail"]
