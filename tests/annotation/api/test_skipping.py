from __future__ import annotations

import pytest

from annotation.schemes import Label
from tests.factories.annotation import assignments_of, judge, judging_batch

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batch(people):
    return judging_batch(people.project, people.annotators, size=6)


@pytest.fixture
def mine(people, batch):
    return assignments_of(batch, people["annotator"])


def queue(people, batch, limit=10):
    return people.client("annotator").get(f"/api/v1/batches/{batch.pk}/queue/?limit={limit}").data


def history(people, batch, **filters):
    return people.client("annotator").get(f"/api/v1/batches/{batch.pk}/history/", filters).data


def positions(listed):
    return [item["position"] for item in listed["items"]]


def test_skipped_items_come_after_the_open_ones_in_the_order_they_were_skipped(people, batch, mine):
    judge(mine[0], YES)
    judge(mine[4], None, skipped=True)
    judge(mine[1], None, skipped=True)
    assert positions(queue(people, batch)) == [3, 4, 6, 5, 2]
    assert positions(queue(people, batch, limit=4)) == [3, 4, 6, 5]
    assert [item["state"] for item in queue(people, batch)["items"]] == ["open"] * 3 + ["skipped"] * 2
    judge(mine[4], None, skipped=True)
    assert positions(queue(people, batch)) == [3, 4, 6, 2, 5]
    for assignment in (mine[2], mine[3], mine[5], mine[1]):
        judge(assignment, NO)
    assert positions(queue(people, batch)) == [5]
    assert (queue(people, batch)["done"], queue(people, batch)["skipped"]) == (6, 1)
