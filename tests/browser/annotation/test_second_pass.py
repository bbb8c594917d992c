"""The second pass: one's own disputed judgements once more, by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from annotation.models import Judgement, SecondLook
from annotation.schemes import Label
from annotation.services.second_pass import start_second_pass
from projects.models import Role
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.corpus import member

from .judging_page import JudgingPage

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def people(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def batch(project, people):
    """Four pairs; the two disagree on the second and the fourth."""
    batch = judging_batch(project, people, size=4)
    for user, labels in zip(people, ([YES, YES, NO, YES], [YES, NO, NO, NO]), strict=True):
        judge_all(batch, user, labels)
    return batch


@pytest.fixture
def manager(project):
    return member(project, Role.MANAGER, "manager")


def looks_of(batch, user):
    looks = SecondLook.objects.filter(assignment__in=assignments_of(batch, user))
    return [(look.first_label, look.label) for look in looks.order_by("assignment__item__number")]


def test_disputed_pairs_are_judged_again_by_keyboard(batch, people, manager, new_context):
    ann, _ = people
    mine = assignments_of(batch, ann)
    start_second_pass(batch=batch, by=manager)
    page = JudgingPage.of(ann, new_context).open(batch)
    page.expect_count(0, 2)
    page.expect_pair(mine[1])
    row = page.page.locator(".disputes tbody tr")
    expect(row.locator(".given .vote")).to_have_text("Paraphrase")
    expect(row.get_by_role("radio", checked=True)).to_have_count(0)
    page.answer("f")
    page.expect_pair(mine[3])
    page.expect_said(
        "Saved: not a paraphrase, changed from paraphrase. Disputed, your first answer was paraphrase. Pair"
    )
    page.answer("k")
    page.expect_finished("All 2 pairs are judged")
    page.expect_synced()
    assert looks_of(batch, ann) == [(YES, NO), (YES, YES)]
    assert Judgement.objects.get(assignment=mine[1]).label == NO

    page.reload()
    page.press("u", "u")
    page.expect_pair(mine[1])
    expect(row.get_by_role("radio", checked=True)).to_have_text(re.compile("Not a paraphrase"))
    page.answer("j")
    page.expect_synced()
    assert looks_of(batch, ann) == [(YES, YES), (YES, "")]
    assert Judgement.objects.get(assignment=mine[3]).label == YES
