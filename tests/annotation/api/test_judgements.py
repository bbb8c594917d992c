import uuid

import pytest

from annotation.models import Answer, Assignment, AssignmentState, Judgement
from annotation.services.batches import close_batch
from tests.factories.annotation import assignments_of, judging_batch


@pytest.fixture
def mine(people):
    """The items of a batch for two, as the annotator's own."""
    return assignments_of(judging_batch(people.project, people.annotators, size=3), people["annotator"])


def url_of(assignment):
    return f"/api/v1/assignments/{assignment.pk}/"


def put(client, assignment, key=None, **fields):
    body = {
        "label": "paraphrase",
        "skipped": False,
        "flagged": False,
        "comment": "",
        "version": 0,
        "milliseconds": 7,
    }
    headers = {"Idempotency-Key": str(key or uuid.uuid4())}
    return client.put(f"{url_of(assignment)}judgement/", body | fields, format="json", headers=headers)


def test_a_judgement_is_stored_and_acknowledged(people, mine):
    answer = put(
        people.client("annotator"), mine[0], flagged=True, comment="dam\u2028 ↔ weir", milliseconds=1500
    )
    assert (answer.status_code, answer.data) == (200, {"version": 1, "done": 1, "total": 3})
    stored = Assignment.objects.select_related("judgement").get(pk=mine[0].pk)
    assert (stored.state, stored.judgement.label, stored.flagged) == (
        AssignmentState.DONE,
        "paraphrase",
        True,
    )
    assert (stored.comment, stored.milliseconds) == ("dam\u2028 ↔ weir", 1500)


def test_the_same_key_twice_stores_once_and_acknowledges_alike(people, mine):
    client, key = people.client("annotator"), uuid.uuid4()
    first = put(client, mine[0], key)
    put(client, mine[1])
    again = put(client, mine[0], key)
    assert (again.status_code, again.data) == (200, first.data)
    assert Answer.objects.filter(assignment=mine[0]).count() == 1


@pytest.mark.parametrize("fields", [{"label": "not_paraphrase"}, {"version": 1}, {"milliseconds": 8}])
def test_a_key_that_comes_back_with_another_answer_is_refused(people, mine, fields):
    client, key = people.client("annotator"), uuid.uuid4()
    put(client, mine[0], key)
    other = put(client, mine[0], key, **fields)
    assert (other.status_code, "Idempotency-Key" in other.data["detail"]) == (422, True)
    assert Answer.objects.filter(assignment=mine[0]).count() == 1
    assert Judgement.objects.get(assignment=mine[0]).label == "paraphrase"


def test_the_answer_that_is_stored_already_is_acknowledged(people, mine):
    """A page as it was before the answer, shown again by the browser's Back, gives the same answer again."""
    client = people.client("annotator")
    first = put(client, mine[0], comment="sure")
    again = put(client, mine[0], comment="sure", milliseconds=99)
    assert (again.status_code, again.data) == (200, first.data)
    assert Answer.objects.filter(assignment=mine[0]).count() == 1
    for other in ({"comment": ""}, {"flagged": True, "comment": "sure"}, {"label": None, "comment": "sure"}):
        assert put(client, mine[0], **other).status_code == 409
    close_batch(batch=mine[0].item.batch)
    assert put(client, mine[0], comment="sure").data == first.data


def test_a_stale_version_is_a_conflict_that_shows_what_is_stored(people, mine):
    client = people.client("annotator")
    put(client, mine[0], comment="first")
    answer = put(client, mine[0], label="not_paraphrase", version=0)
    assert answer.status_code == 409
    assert answer.data["current"] == client.get(url_of(mine[0])).data
    current = answer.data["current"]
    assert (current["version"], current["label"], current["comment"]) == (1, "paraphrase", "first")
    assert put(client, mine[0], label="not_paraphrase", version=current["version"]).data["version"] == 2


def test_an_answer_is_taken_back(people, mine):
    client = people.client("annotator")
    put(client, mine[0])
    answer = put(client, mine[0], label=None, version=1)
    assert answer.data == {"version": 2, "done": 0, "total": 3}
    assert not Judgement.objects.filter(assignment=mine[0]).exists()
    queue = client.get(f"/api/v1/batches/{mine[0].item.batch_id}/queue/").data
    assert mine[0].pk in [item["assignment"] for item in queue["items"]]
    assert Answer.objects.filter(assignment=mine[0]).count() == 2


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"label": "partial"}, "detail"),
        ({"label": "maybe"}, "label"),
        ({"version": -1}, "version"),
        ({"milliseconds": -1}, "milliseconds"),
        ({"comment": "a\0b"}, "comment"),
        ({"comment": "x" * 5001}, "detail"),
    ],
)
def test_a_bad_answer_is_refused_and_nothing_is_stored(people, mine, fields, at):
    answer = put(people.client("annotator"), mine[0], **fields)
    assert answer.status_code == 400
    assert at in answer.data
    assert isinstance(answer.data["detail"], str)
    assert not Answer.objects.exists()


@pytest.mark.parametrize("key", ["", "x", "1234"])
def test_an_answer_without_a_key_is_refused(people, mine, key):
    answer = people.client("annotator").put(
        f"{url_of(mine[0])}judgement/", {"label": "paraphrase", "version": 0}, format="json",
        headers={"Idempotency-Key": key},
    )  # fmt: skip
    assert (answer.status_code, "Idempotency-Key" in answer.data["detail"]) == (400, True)


def test_a_closed_batch_takes_no_answer_but_repeats_its_acknowledgement(people, mine):
    client, key = people.client("annotator"), uuid.uuid4()
    first = put(client, mine[0], key)
    close_batch(batch=mine[0].item.batch)
    assert put(client, mine[1]).status_code == 400
    assert put(client, mine[0], key).data == first.data


def test_the_queue_is_in_order_and_the_history_newest_first(people, mine):
    client = people.client("annotator")
    base = f"/api/v1/batches/{mine[0].item.batch_id}/"
    queue = client.get(f"{base}queue/?limit=2").data
    assert [item["position"] for item in queue["items"]] == [1, 2]
    assert (queue["done"], queue["total"]) == (0, 3)
    for item in queue["items"]:
        put(client, Assignment.objects.get(pk=item["assignment"]))
    history = client.get(f"{base}history/").data["items"]
    assert [item["position"] for item in history] == [2, 1]
    for limit in ("0", "x", "10000"):
        assert client.get(f"{base}queue/?limit={limit}").status_code == 400


def test_the_queue_costs_the_same_for_one_item_and_for_many(people, django_assert_max_num_queries):
    batch = judging_batch(people.project, people.annotators, size=12)
    client = people.client("annotator")
    with django_assert_max_num_queries(10) as few:
        client.get(f"/api/v1/batches/{batch.pk}/queue/?limit=1")
    with django_assert_max_num_queries(len(few)):
        assert len(client.get(f"/api/v1/batches/{batch.pk}/queue/?limit=12").data["items"]) == 12


def test_an_answer_costs_few_queries(people, mine, django_assert_max_num_queries):
    """While it is stored, the other writers of SQLite wait."""
    client = people.client("annotator")
    with django_assert_max_num_queries(12):
        assert put(client, mine[0]).status_code == 200
