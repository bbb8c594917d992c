from annotation.models import Batch
from annotation.services.third_judgements import third_judgements
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import dataset_of

BATCHES = "/api/v1/projects/dams/batches/"
DRAW = "/api/v1/projects/dams/operations/draw-judging-batch/"


def new_batch(people, **fields):
    dataset = dataset_of(people.project, 4)
    body = {
        "name": "first",
        "dataset": dataset.pk,
        "size": 4,
        "annotators": ["annotator", "second"],
        "seed": 3,
    }
    return body | fields


def progress(scope, done, total, skipped=0):
    """That of an open batch outside a second pass."""
    return {
        "scope": scope, "done": done, "skipped": skipped, "total": total, "left": total - done,
        "missing": 0, "looks": 0, "looked": 0,
    }  # fmt: skip


def test_a_strategy_is_seen_by_managers_only(people):
    asked = {"by": "edit_distance", "allocation": "equal"}
    answer = people.client("manager").post(DRAW, new_batch(people, **asked), format="json")
    assert (answer.status_code, answer.data["name"], answer.data["job"]) == (201, "first", None)
    address = f"/api/v1/batches/{answer.data['id']}/"
    sampling = people.client("manager").get(address).data["sampling"]
    assert sampling["by"] == "edit_distance"
    assert sampling["strata"] == [{"stratum": "5-8", "pairs": 4, "drawn": 4}]
    assert people.client("annotator").get(address).data["sampling"] is None


def test_annotators_see_their_batches_and_their_own_progress(people):
    batch = judging_batch(people.project, people.annotators, size=3)
    judging_batch(people.project, [people["second"]], size=3, overlap=1)
    judge(assignments_of(batch, people["second"])[0])
    judge(assignments_of(batch, people["second"])[1])
    judge(assignments_of(batch, people["annotator"])[0])
    (mine,) = people.client("annotator").get(BATCHES).data["items"]
    assert (mine["id"], mine["progress"]) == (batch.pk, progress("own", 1, 3))
    everything = people.client("manager").get(BATCHES).data["items"]
    assert [entry["progress"] for entry in everything] == [
        progress("batch", 3, 6),
        progress("batch", 0, 3),
    ]
    assert people.client("viewer").get(BATCHES).data["items"] == []


def test_whoever_takes_part_sees_the_own_progress_only_before_the_first_item_too(people):
    fields = {"handing_out": "as_they_come", "quota": 4}
    batch = people.client("manager").post(DRAW, new_batch(people, **fields), format="json").data
    shown = people.client("annotator").get(f"/api/v1/batches/{batch['id']}/").data
    assert shown["progress"] == progress("own", 0, 4)


def test_a_page_of_batches_asks_for_third_judgements_once(people, django_assert_max_num_queries):
    batches = [judging_batch(people.project, people.annotators, size=2) for _ in range(3)]
    for assignment in assignments_of(batches[1], people["second"]):
        judge(assignment)
    Batch.objects.exclude(pk=batches[2].pk).update(third_judgement=True)
    manager = people.client("manager")
    with django_assert_max_num_queries(20) as few:
        manager.get(BATCHES, {"limit": 1})
    with django_assert_max_num_queries(len(few)):
        rows = {row["id"]: row["third_judgements"] for row in manager.get(BATCHES).data["items"]}
    assert rows == {
        batches[0].pk: third_judgements(batches[0]),
        batches[1].pk: third_judgements(batches[1]),
        batches[2].pk: None,
    }
    assert (
        people.client("adjudicator").get(f"/api/v1/batches/{batches[0].pk}/").data["third_judgements"] is None
    )
