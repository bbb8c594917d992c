"""Linking words over the API."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from rest_framework.test import APIClient

from alignment.models import WordLink
from annotation.models import Answer, Assignment, AssignmentState
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judging_batch
from tests.permissions.people import People

DRAWN = [[0, 3, "sure", "drawn"], [1, 4, "possible", "accepted"]]


@pytest.fixture
def assignment(people: People) -> Assignment:
    """A pair to link: `The council mended dam N before the spring flood .` with its other wording."""
    return assignments_of(linking_batch(people.project, people.annotators), people["annotator"])[0]


def put(client: APIClient, assignment: Assignment, key: object = None, **fields: Any) -> Any:
    body = {"links": DRAWN, "null_a": [], "null_b": [], "submitted": True, "version": 0, "milliseconds": 900}
    headers = {"Idempotency-Key": str(key or uuid.uuid4())}
    return client.put(
        f"/api/v1/assignments/{assignment.pk}/alignment/", body | fields, format="json", headers=headers
    )


def test_links_are_submitted(people: People, assignment: Assignment) -> None:
    client = people.client("annotator")
    answer = put(client, assignment, null_a=[7, 6], null_b=[0])
    assert (answer.status_code, answer.data) == (
        200,
        {"version": 1, "done": 1, "total": answer.data["total"]},
    )
    item = client.get(f"/api/v1/assignments/{assignment.pk}/").data
    assert (item["links"], item["null_a"], item["null_b"]) == (DRAWN, [6, 7], [0])
    assert item["state"] == "done"


def test_a_draft_is_kept_and_leaves_the_item_open(people: People, assignment: Assignment) -> None:
    client = people.client("annotator")
    assert put(client, assignment, submitted=False).data["done"] == 0
    assert client.get(f"/api/v1/assignments/{assignment.pk}/").data["links"] == DRAWN
    assert put(client, assignment, links=[DRAWN[0]], version=1).data["done"] == 1
    assert WordLink.objects.filter(alignment__assignment=assignment).count() == 1
    assert Answer.objects.filter(assignment=assignment).count() == 2


def test_a_pair_is_skipped(people: People, assignment: Assignment) -> None:
    client = people.client("annotator")
    assert put(client, assignment, links=[], submitted=False, skipped=True).data["done"] == 1
    assignment.refresh_from_db()
    assert assignment.state == AssignmentState.SKIPPED
    assert put(client, assignment, skipped=True, version=1).status_code == 400


def test_the_same_key_twice_stores_once(people: People, assignment: Assignment) -> None:
    client, key = people.client("annotator"), uuid.uuid4()
    first = put(client, assignment, key)
    assert put(client, assignment, key).data == first.data
    assert put(client, assignment, key, links=[]).status_code == 422
    assert Answer.objects.filter(assignment=assignment).count() == 1
    assert WordLink.objects.filter(alignment__assignment=assignment).count() == 2


def test_a_stale_version_is_a_conflict_that_shows_the_stored_links(
    people: People, assignment: Assignment
) -> None:
    client = people.client("annotator")
    put(client, assignment)
    answer = put(client, assignment, links=[])
    assert answer.status_code == 409
    assert (answer.data["current"]["version"], answer.data["current"]["links"]) == (1, DRAWN)
    assert WordLink.objects.filter(alignment__assignment=assignment).count() == 2


def test_the_links_that_are_stored_already_are_acknowledged(people: People, assignment: Assignment) -> None:
    client = people.client("annotator")
    first = put(client, assignment, null_a=[7, 6])
    again = put(client, assignment, links=[*reversed(DRAWN)], null_a=[6, 7])
    assert (again.status_code, again.data) == (200, first.data)
    assert put(client, assignment, null_a=[7, 6], submitted=False).status_code == 409
    assert Answer.objects.filter(assignment=assignment).count() == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"links": [[99, 0, "sure", "drawn"]]}, "99"),
        ({"links": [[-1, 0, "sure", "drawn"]]}, "-1"),
        ({"links": [["0", 0, "sure", "drawn"]]}, "'0'"),
        ({"links": [[True, 0, "sure", "drawn"]]}, "True"),
        ({"links": [[0.5, 0, "sure", "drawn"]]}, "0.5"),
        ({"links": [[10**40, 0, "sure", "drawn"]]}, "is not a word"),
        ({"links": [[0, 0, "certain", "drawn"]]}, "certain"),
        ({"links": [[0, 0, ["sure"], "drawn"]]}, "sure"),
        ({"links": [[0, 0, "sure", "imported"]]}, "imported"),
        ({"links": [[0, 0, "sure", "drawn"], [0, 0, "possible", "drawn"]]}, "twice"),
        ({"links": [[0, 0, "sure"]]}, "links"),
        ({"links": "0-0"}, "links"),
        ({"null_a": [0]}, "linked and marked"),
        ({"null_b": [3]}, "linked and marked"),
        ({"null_b": [99]}, "99"),
        ({"suggestions": []}, "suggestions"),
    ],
)
def test_bad_links_are_refused_and_nothing_is_stored(
    people: People, assignment: Assignment, fields: dict[str, Any], said: str
) -> None:
    answer = put(people.client("annotator"), assignment, **fields)
    assert answer.status_code == 400
    assert said in answer.data["detail"]
    assert not Answer.objects.filter(assignment=assignment).exists()


def test_judging_items_take_no_links_and_linking_items_no_label(
    people: People, assignment: Assignment
) -> None:
    client = people.client("annotator")
    to_judge = assignments_of(judging_batch(people.project, people.annotators, size=1), people["annotator"])[
        0
    ]
    assert put(client, to_judge).status_code == 400
    answer = client.put(
        f"/api/v1/assignments/{assignment.pk}/judgement/",
        {"label": "paraphrase", "version": 0},
        format="json",
        headers={"Idempotency-Key": str(uuid.uuid4())},
    )
    assert (answer.status_code, "linking" in answer.data["detail"]) == (400, True)


def test_suggestions_come_with_the_batch_that_has_a_suggester(people: People) -> None:
    batch = linking_batch(people.project, people.annotators, suggester="identity")
    item = people.client("annotator").get(f"/api/v1/batches/{batch.pk}/queue/?limit=1").data["items"][0]
    pairs = [(item["a"]["tokens"][a].lower(), item["b"]["tokens"][b].lower()) for a, b in item["suggestions"]]
    assert pairs
    assert all(a == b for a, b in pairs)


def test_only_the_annotator_links(people: People, assignment: Assignment) -> None:
    for role in ("stranger", "viewer", "adjudicator", "manager", "admin", "second"):
        assert put(people.client(role), assignment).status_code == 404
    assert put(people.client("anonymous"), assignment).status_code == 401
    assert not WordLink.objects.filter(alignment__assignment=assignment).exists()
