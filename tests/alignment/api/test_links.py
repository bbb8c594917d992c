import uuid

import pytest

from alignment.models import WordLink
from annotation.models import Answer
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judging_batch

DRAWN = [[0, 3, "sure", "drawn"], [1, 4, "possible", "accepted"]]


@pytest.fixture
def assignment(people):
    """A pair to link: `The council mended dam N before the spring flood .` with its other wording."""
    return assignments_of(linking_batch(people.project, people.annotators), people["annotator"])[0]


def put(client, assignment, key=None, **fields):
    body = {"links": DRAWN, "null_a": [], "null_b": [], "submitted": True, "version": 0, "milliseconds": 900}
    headers = {"Idempotency-Key": str(key or uuid.uuid4())}
    return client.put(
        f"/api/v1/assignments/{assignment.pk}/alignment/", body | fields, format="json", headers=headers
    )


def test_links_are_submitted(people, assignment):
    client = people.client("annotator")
    answer = put(client, assignment, null_a=[7, 6], null_b=[0])
    assert (answer.status_code, answer.data) == (
        200,
        {"version": 1, "done": 1, "total": answer.data["total"]},
    )
    item = client.get(f"/api/v1/assignments/{assignment.pk}/").data
    assert (item["links"], item["null_a"], item["null_b"]) == (DRAWN, [6, 7], [0])
    assert item["state"] == "done"


def test_a_draft_is_kept_and_leaves_the_item_open(people, assignment):
    client = people.client("annotator")
    assert put(client, assignment, submitted=False).data["done"] == 0
    assert client.get(f"/api/v1/assignments/{assignment.pk}/").data["links"] == DRAWN
    assert put(client, assignment, links=[DRAWN[0]], version=1).data["done"] == 1
    kept = WordLink.objects.filter(alignment__assignment=assignment)
    assert list(kept.values_list("a", "b", "strength", "origin")) == [tuple(DRAWN[0])]
    assert Answer.objects.filter(assignment=assignment).count() == 2


def test_a_stale_version_is_a_conflict_that_shows_the_stored_links(people, assignment):
    client = people.client("annotator")
    put(client, assignment)
    answer = put(client, assignment, links=[])
    assert answer.status_code == 409
    assert (answer.data["current"]["version"], answer.data["current"]["links"]) == (1, DRAWN)
    assert WordLink.objects.filter(alignment__assignment=assignment).count() == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"links": [[99, 0, "sure", "drawn"]]}, "99 is not a word of the first"),
        ({"links": [[True, 0, "sure", "drawn"]]}, "True is not a word"),
        ({"links": [[10**40, 0, "sure", "drawn"]]}, "is not a word"),
        ({"links": [[0, 0, "certain", "drawn"]]}, "sure or possible"),
        ({"links": [[0, 0, "sure", "imported"]]}, "imported"),
        ({"links": [[0, 0, "sure", "drawn"], [0, 0, "possible", "drawn"]]}, "twice"),
        ({"links": [[0, 0, "sure"]]}, "links"),
        ({"null_a": [0]}, "Word 0 of the first"),
        ({"suggestions": []}, "suggestions"),
    ],
)
def test_bad_links_are_refused_and_nothing_is_stored(people, assignment, fields, said):
    answer = put(people.client("annotator"), assignment, **fields)
    assert answer.status_code == 400
    assert said in answer.data["detail"]
    assert not Answer.objects.filter(assignment=assignment).exists()


def test_judging_items_take_no_links_and_linking_items_no_label(people, assignment):
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
