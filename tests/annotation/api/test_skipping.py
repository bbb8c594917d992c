"""Skipped items come again at the end, and own answers can be listed, searched and narrowed."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from annotation.models import Decision
from annotation.schemes import Label
from tests.factories.alignment import link, linking_batch
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


def test_a_skipped_pair_whose_links_an_adjudicator_decided_does_not_come_again(people):
    batch = linking_batch(people.project, people.annotators)
    first, second, *_ = assignments_of(batch, people["annotator"])
    for assignment in (first, second):
        link(assignment, submitted=False, skipped=True)
    assert positions(queue(people, batch))[-2:] == [1, 2]
    Decision.objects.create(item=first.item, adjudicator=people["adjudicator"], version=1, content=[])
    returning = queue(people, batch)
    assert (1 in positions(returning), positions(returning)[-1]) == (False, 2)


def test_own_answers_are_narrowed_by_label_state_and_words(people, batch, mine):
    judge(mine[0], YES)
    judge(mine[1], NO, flagged=True)
    judge(mine[2], None, skipped=True, comment="Which dam? 100 %")
    judge(mine[3], YES)
    # What another annotator answered is neither listed nor counted.
    judge(assignments_of(batch, people["second"])[4], YES)
    assert positions(history(people, batch)) == [4, 3, 2, 1]
    assert history(people, batch, limit=1)["count"] == 4
    assert positions(history(people, batch, limit=2, cursor=1)) == [3, 2]
    for show, expected in ((YES, [4, 1]), ("skipped", [3]), ("done", [4, 2, 1]), ("flagged", [2])):
        assert positions(history(people, batch, show=show)) == expected
    text = mine[1].item.pair.sentence_b.text
    assert 2 in positions(history(people, batch, q=text[3:].upper()))
    assert positions(history(people, batch, q="which DAM")) == [3]
    assert positions(history(people, batch, q="0 %")) == [3], "a per cent sign is an ordinary character"
    assert history(people, batch, q="no such words") == {"items": [], "count": 0, "next": None}


def test_managers_see_how_many_were_skipped_and_by_whom(people, batch, mine):
    second: User = people["second"]
    for assignment in [*mine[:5], *assignments_of(batch, second)]:
        judge(assignment, YES)
    judge(mine[5], None, skipped=True)
    manager = people.client("manager")
    address = f"/api/v1/batches/{batch.pk}/"
    shown = manager.get(address).data["progress"]
    assert (shown["done"], shown["skipped"], shown["total"], shown["left"]) == (12, 1, 12, 0)
    answer = manager.get(f"/projects/{people.project.slug}/judge/{batch.pk}/")
    rows = answer.context["people"]
    assert [(name, row.done, row.skipped, row.total) for name, row, _ in rows] == [
        ("annotator", 6, 1, 6), ("second", 6, 0, 6),
    ]  # fmt: skip
    page = answer.content.decode()
    assert "Every answer is in" not in page
    assert "11 of 12 answers are in. 1 was skipped." in page
    progress = manager.get(f"/projects/{people.project.slug}/progress/").content.decode()
    assert "All in" not in progress and "1 skipped" in progress
    judge(mine[5], NO)
    page = manager.get(f"/projects/{people.project.slug}/judge/{batch.pk}/").content.decode()
    assert "Every answer is in." in page and "skipped." not in page
