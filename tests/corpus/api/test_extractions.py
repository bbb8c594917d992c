import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus.models import Dataset
from jobs.models import JobState
from projects.models import Role
from tests.factories.corpus import ExtractionFactory, JobFactory, ProjectFactory, dataset_of, member

DAMS = "/api/v1/projects/dams/"


def test_only_finished_extractions_of_the_project_are_frozen(people):
    running = ExtractionFactory(
        project=people.project, job=JobFactory(project=people.project, state=JobState.RUNNING)
    )
    foreign = ExtractionFactory(project=people.foreign)
    for extraction in (running, foreign):
        body = {"name": "d", "extractions": [extraction.pk]}
        answer = people.client("manager").post(f"{DAMS}operations/freeze-dataset/", body, format="json")
        assert (answer.status_code, "extractions" in answer.data) == (400, True)
    assert not Dataset.objects.exists()


LISTS = ("clusters", "articles", "sentences", "pairs", "datasets", "extractions", "jobs", "imports")


@pytest.mark.parametrize("url", ["/api/v1/projects/", *(f"{DAMS}{name}/" for name in LISTS)])
def test_longer_lists_cost_no_more_queries(people, url, django_assert_max_num_queries):
    dataset_of(people.project, 2)
    client = people.client("viewer")
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    for _ in range(3):
        dataset_of(people.project, 2)
        member(ProjectFactory(), Role.VIEWER, "viewer")
    with django_assert_max_num_queries(len(few)):
        items = client.get(url).data["items"]
    assert "imports" in url or len(items) >= 4
