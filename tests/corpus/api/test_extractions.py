"""Extractions, their jobs, the pairs they find and the datasets cut out of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Dataset, Extraction
from jobs.models import Job, JobState
from tests.factories.corpus import (
    ArticleFactory,
    CandidatePairFactory,
    ClusterFactory,
    ExtractionFactory,
    JobFactory,
    SentenceFactory,
    dataset_of,
)
from tests.permissions.people import People

DAMS = "/api/v1/projects/dams/"


def pairable_cluster(people: People) -> None:
    cluster = ClusterFactory(project=people.project)
    for _ in range(2):
        SentenceFactory(article=ArticleFactory(cluster=cluster))


def test_an_extraction_is_in_the_ledger_at_once(people: People) -> None:
    pairable_cluster(people)
    body = {"preset": "L12-2004", "settings": {"max_edit_distance": 8}, "name": "close ones"}
    answer = people.client("manager").post(f"{DAMS}extractions/", body, format="json")
    assert answer.status_code == 201
    assert answer.data["criteria"]["max_edit_distance"] == 8
    assert (answer.data["job"]["state"], answer.data["job"]["total"], answer.data["job"]["done"]) == (
        "queued",
        1,
        0,
    )
    extraction = Extraction.objects.get(pk=answer.data["id"])
    assert (extraction.name, extraction.job.requested_by) == ("close ones", people["manager"])


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"preset": "L12-2005"}, "L12-2004"),
        ({"preset": "L12-2004", "settings": {"max_distance": 3}}, "max_edit_distance"),
        ({"preset": "L12-2004", "wait": True}, "wait"),
    ],
)
def test_what_cannot_be_extracted_says_why(people: People, body: dict[str, Any], said: str) -> None:
    pairable_cluster(people)
    answer = people.client("manager").post(f"{DAMS}extractions/", body, format="json")
    assert answer.status_code == 400
    assert said in answer.data["detail"]
    assert not Job.objects.exists()


def test_a_job_is_followed_cancelled_and_retried(people: People) -> None:
    pairable_cluster(people)
    client = people.client("manager")
    job = client.post(f"{DAMS}extractions/", {"preset": "F2-2004"}, format="json").data["job"]
    url = f"/api/v1/jobs/{job['id']}/"
    assert client.get(url).data["state"] == "queued"
    assert client.get(url).data["rate"] is None
    assert client.post(f"{url}cancel/").data["state"] == "cancelled"
    again = client.post(f"{url}cancel/")
    assert (again.status_code, "cancelled" in again.data["detail"]) == (400, True)
    assert client.post(f"{url}retry/").data["state"] == "queued"
    assert Job.objects.get().state == JobState.QUEUED


@pytest.mark.parametrize("pk", [0, 999_999, 10**18, 10**30])
def test_numbers_that_there_are_not(people: People, pk: int) -> None:
    assert people.client("manager").get(f"/api/v1/jobs/{pk}/").status_code == 404
    assert people.client("annotator").get(f"/api/v1/assignments/{pk}/").status_code == 404


def test_a_pair_carries_both_sentences(people: People) -> None:
    pair = CandidatePairFactory(project=people.project)
    (item,) = people.client("viewer").get(f"{DAMS}pairs/").data["items"]
    assert item["a"]["tokens"] == pair.sentence_a.token_list
    assert item["b"]["article"] == pair.sentence_b.article.key
    assert item["edit_distance"] == 8


@pytest.mark.parametrize("query", ["dataset=99", "min_distance=-1", f"extraction={10**30}"])
def test_a_filter_that_means_nothing_is_refused(people: People, query: str) -> None:
    answer = people.client("viewer").get(f"{DAMS}pairs/?{query}")
    assert answer.status_code == 400
    assert query.split("=")[0] in answer.data


def test_another_projects_dataset_is_no_filter(people: People) -> None:
    foreign = dataset_of(people.foreign, 1)
    assert people.client("admin").get(f"{DAMS}pairs/?dataset={foreign.pk}").status_code == 400


def test_only_finished_extractions_of_the_project_are_frozen(people: People) -> None:
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
def test_longer_lists_cost_no_more_queries(
    people: People, path: str, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
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


def test_articles_and_sentences_are_filtered(people: People) -> None:
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
