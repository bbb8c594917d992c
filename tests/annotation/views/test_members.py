"""Removing a member: asked first, and nothing is stranded."""

import pytest
from django.urls import reverse

from projects.models import Membership, Role
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import JobFactory


@pytest.fixture
def batch(project, annotators):
    """Four pairs for both; the first annotator has answered one, the second all."""
    batch = judging_batch(project, annotators, size=4)
    judge(assignments_of(batch, annotators[0])[0])
    judge_all(batch, annotators[1])
    return batch


def membership(project, user):
    return Membership.objects.get(project=project, user=user, role=Role.ANNOTATOR)


def test_the_page_shows_what_is_held_and_asks(project, people, batch, as_):
    JobFactory(project=project, state="running", title="Extract L12", requested_by=people["annotator"])
    url = reverse("member-remove", args=[project.slug, membership(project, people["annotator"]).pk])
    page = as_("manager").get(url)
    text = page.content.decode()
    assert (page.context["open_items"], page.context["answers"]) == (3, 1)
    assert "Extract L12" in text and batch.name in text
    assert page.context["able"] == [("second-person", 0, 3)]
    refused = as_("manager").post(url)
    assert refused.status_code == 422 and membership(project, people["annotator"])
    refused = as_("manager").post(url, {"open_items": "hand_over"})
    assert refused.status_code == 422 and refused.context["form"].errors["to"]
    refused = as_("manager").post(url, {"open_items": "hand_over", "to": "second-person"})
    assert refused.status_code == 422 and "cannot take any" in refused.content.decode()


def test_a_removed_annotator_is_refused_clearly(project, people, batch, as_):
    mine = assignments_of(batch, people["annotator"])[1]
    url = reverse("member-remove", args=[project.slug, membership(project, people["annotator"]).pk])
    as_("manager").post(url, {"open_items": "hand_back"})
    answer = as_("annotator").put(
        reverse("api-judgement", args=[mine.pk]), {"label": "paraphrase", "version": 0},
        content_type="application/json", headers={"Idempotency-Key": "6f8b2f1a-0000-4000-8000-000000000001"},
    )  # fmt: skip
    assert answer.status_code == 404 and answer.json()["detail"]
    mine.refresh_from_db()
    assert (mine.annotator, mine.version) == (None, 0)
