"""Extractions, their jobs, the pairs they find and the datasets cut out of them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Dataset
from jobs.models import JobState
from tests.factories.corpus import (
    ArticleFactory,
    ClusterFactory,
    ExtractionFactory,
    JobFactory,
    SentenceFactory,
    dataset_of,
)

DAMS = "/api/v1/projects/dams/"


def test_another_projects_dataset_is_no_filter(people):
    foreign = dataset_of(people.foreign, 1)
    assert people.client("admin").get(f"{DAMS}pairs/?dataset={foreign.pk}").status_code == 400


def test_only_finished_extractions_of_the_project_are_frozen(people):
    running = ExtractionFactory(
        project=people.project, job=JobFactory(project=people.project, state=JobState.RUNNING)
    )
    foreign = ExtractionFactory(project=people.foreign)
    for extraction in (running, foreign):
        body = {"name": "d", "extractions": [extraction.pk]}
        answer = people.client("manager").post(f"{DAMS}datasets/", body, format="json")
        assert (answer.status_code, "extractions" in answer.data) == (400, True)
    assert not Dataset.objects.exists()


@pytest.mark.parametrize(
    "path", ["clusters", "articles", "sentences", "pairs", "datasets", "extractions", "jobs", "imports"]
)
def test_longer_lists_cost_no_more_queries(people, path, django_assert_max_num_queries):
    url = f"{DAMS}{path}/"
    dataset_of(people.project, 2)
    client = people.client("viewer")
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    for _ in range(3):
        dataset_of(people.project, 2)
    with django_assert_max_num_queries(len(few)):
        items = client.get(url).data["items"]
    assert path == "imports" or len(items) >= 4


def test_articles_and_sentences_are_filtered(people):
    article = ArticleFactory(cluster=ClusterFactory(project=people.project))
    sentence = SentenceFactory(article=article, text="One 🦆 flew .")
    SentenceFactory(article=ArticleFactory(cluster=ClusterFactory(project=people.project)))
    client = people.client("viewer")
    articles = client.get(f"{DAMS}articles/", {"cluster": article.cluster_id}).data["items"]
    assert [entry["id"] for entry in articles] == [article.pk]
    for filters in ({"article": article.pk}, {"cluster": article.cluster_id}):
        (found,) = client.get(f"{DAMS}sentences/", filters).data["items"]
        assert found["id"] == sentence.pk
        for token, start in zip(found["tokens"], found["starts"], strict=True):
            assert found["text"][start : start + len(token)] == token
