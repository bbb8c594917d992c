"""The second pass: after all have submitted, one's own disputed pairs come back, marked and without names."""

from __future__ import annotations

import pytest
from django.urls import reverse

from alignment.services.link_agreement import batch_agreement
from alignment.services.link_review import adjudicate_links
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of

pytestmark = pytest.mark.django_db

FIRST = [[0, 0, "sure", "drawn"], [1, 1, "sure", "drawn"]]
SECOND = [[0, 0, "sure", "drawn"], [2, 2, "possible", "drawn"]]


@pytest.fixture
def batch(project, annotators):
    return linking_batch(project, annotators)


@pytest.fixture
def mine(batch, annotators):
    """The first pair's assignments, the annotator's and the other's."""
    return [assignments_of(batch, user)[0] for user in annotators]


def looks(as_, batch) -> dict:
    return as_("annotator").get(reverse("api-second-pass", args=[batch.pk])).json()


def test_nothing_is_shown_before_everybody_has_submitted(as_, batch, mine) -> None:
    link(mine[0], FIRST)
    assert looks(as_, batch) | {"batch": 0} == {
        "batch": 0, "total": 0, "done": 0, "skipped": 0, "paused": False, "items": [], "next": None,
    }  # fmt: skip
    # A draft of the other's, or one's own answer taken back before theirs came, is no first pass either.
    link(mine[0], FIRST, submitted=False)
    link(mine[1], SECOND)
    assert looks(as_, batch)["total"] == 0


def test_ones_own_links_come_back_with_what_is_in_dispute(as_, batch, mine) -> None:
    for assignment, links in zip(mine, (FIRST, SECOND), strict=True):
        link(assignment, links)
    found = looks(as_, batch)
    assert (found["total"], found["done"]) == (1, 0)
    [item] = found["items"]
    assert item["links"] == FIRST
    assert item["disputed"] == [[1, 1], [2, 2]]
    assert (item["state"], item["version"], item["assignment"]) == ("open", 1, mine[0].pk)


def test_a_draft_keeps_the_pair_in_the_pass_and_a_submission_ends_it(as_, batch, mine) -> None:
    for assignment, links in zip(mine, (FIRST, SECOND), strict=True):
        link(assignment, links)
    link(mine[0], SECOND, submitted=False)
    assert looks(as_, batch)["items"][0]["links"] == SECOND
    link(mine[0], SECOND)
    assert (looks(as_, batch)["done"], looks(as_, batch)["items"]) == (1, [])
    first, second = batch_agreement(batch).passes
    assert first.annotators[0].table["all"].f1_all == pytest.approx(1 / 2)
    assert second.annotators[0].table["all"].f1_all == 1


def test_a_decided_pair_is_in_no_second_pass(as_, batch, mine, people) -> None:
    for assignment, links in zip(mine, (FIRST, SECOND), strict=True):
        link(assignment, links)
    adjudicate_links(
        item=mine[0].item, by=people["adjudicator"], links=[[0, 0, "sure"]], version=0, basis=[1, 1]
    )
    assert looks(as_, batch)["total"] == 0


def test_the_stage_offers_the_pass_once_a_pair_is_complete(as_, project, batch, mine) -> None:
    stage, page = (
        reverse("link", args=[project.slug]),
        reverse("link-second-pass", args=[project.slug, batch.pk]),
    )
    link(mine[0], FIRST)
    assert page not in as_("annotator").get(stage).content.decode()
    link(mine[1], SECOND)
    assert page in as_("annotator").get(stage).content.decode()
    opened = as_("annotator").get(page)
    assert "Second pass" in opened.content.decode()
    assert opened.context["bootstrap"]["queue"]["items"][0]["disputed"] == [(1, 1), (2, 2)]
    assert as_("adjudicator").get(page).status_code == 404
