import uuid

import pytest

from annotation.models import Answer, Placement
from tests.factories.annotation import assignments_of
from tests.factories.subclusters import headline_cluster, splitting_batch


@pytest.fixture
def batch(people):
    headline_cluster(people.project, key="dam")
    return splitting_batch(people.project, people.annotators)


@pytest.fixture
def mine(people, batch):
    return assignments_of(batch, people["annotator"])[0]


def put(client, assignment, key=None, **fields):
    body = {"placements": [[1, 1], [2, 1], [3, None]], "version": 0, "submitted": True}
    headers = {"Idempotency-Key": str(key or uuid.uuid4())}
    url = f"/api/v1/assignments/{assignment.pk}/placements/"
    return client.put(url, body | fields, format="json", headers=headers)


def test_placements_are_stored_once_and_acknowledged(people, mine):
    client, key = people.client("annotator"), uuid.uuid4()
    answer = put(client, mine, key)
    assert (answer.status_code, answer.data) == (200, {"version": 1, "done": 1, "total": 1})
    assert put(client, mine, key).data == answer.data
    assert put(client, mine, placements=[[3, None], [2, 1], [1, 1]]).data == answer.data
    assert put(client, mine, key, placements=[]).status_code == 422
    assert put(client, mine, placements=[]).status_code == 409
    assert Answer.objects.filter(assignment=mine).count() == 1
    assert Placement.objects.filter(assignment=mine).count() == 3
    shown = client.get(f"/api/v1/assignments/{mine.pk}/").data
    assert shown["placements"] == [[1, 1], [2, 1], [3, None]]


def test_nobody_answers_for_another(people, mine):
    assert put(people.client("second"), mine).status_code == 404
    assert put(people.client("manager"), mine).status_code == 404
