import pytest

from annotation.models import Assignment
from annotation.schemes import Label
from projects.models import Role
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import MembershipFactory

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batch(people):
    """Five pairs; on the third all agree, on the others they differ."""
    batch = judging_batch(people.project, people.annotators, size=5)
    judge_all(batch, people["annotator"], (YES,))
    for assignment in assignments_of(batch, people["second"]):
        judge(assignment, YES if assignment.item.number == 3 else NO, comment=f"n {assignment.item.number}")
    return batch


def waiting(people, batch, who="adjudicator", **filters):
    return people.client(who).get(f"/api/v1/batches/{batch.pk}/undecided/", filters).data


def numbers(listed):
    return [item["number"] for item in listed["items"]]


def test_a_pair_has_every_answer_under_a_letter_and_what_a_decision_names(people, batch):
    item = waiting(people, batch, limit=1)["items"][0]
    assert sorted(zip(item["annotators"], item["words"], strict=True)) in (
        [("A", "Paraphrase"), ("B", "Not a paraphrase")],
        [("A", "Not a paraphrase"), ("B", "Paraphrase")],
    )
    assert sorted(item["comments"]) == ["", "n 1"]
    assert (item["version"], item["decision"], len(item["basis"])) == (0, None, 2)
    names = [people["annotator"].username, people["second"].username]
    assert not set(names) & set(map(str, item.values()))
    body = {"label": YES, "version": item["version"], "basis": item["basis"]}
    url = f"/api/v1/items/{item['item']}/adjudication/"
    first = people.client("adjudicator").put(url, body, format="json")
    again = people.client("adjudicator").put(url, body, format="json")
    assert (first.status_code, again.status_code, first.data) == (200, 200, again.data)
    assert batch.items.get(number=1).decisions.count() == 1


def test_nobody_sees_what_they_may_not_decide(people, batch):
    assert waiting(people, batch, "manager")["items"] == []
    MembershipFactory(project=people.project, user=people["annotator"], role=Role.ADJUDICATOR)
    listed = waiting(people, batch, "annotator")
    assert (listed["total"], listed["items"]) == (0, [])
    assert people.client("second").get(f"/api/v1/batches/{batch.pk}/undecided/").status_code == 403
    Assignment.objects.filter(item__number=2, annotator=people["second"]).update(state="open")
    assert numbers(waiting(people, batch)) == [1, 4, 5], "an answer is missing"
