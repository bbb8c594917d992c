"""An adjudicator decides the sub-clusters of a cluster from what two annotators made of it."""

from __future__ import annotations

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.models import Decision
from projects.models import Role
from tests.browser.annotation.answering_page import sign_in
from tests.browser.annotation.splitting_page import SplittingPage
from tests.factories.corpus import PASSWORD, ProjectFactory, member
from tests.factories.subclusters import headline_cluster, split, splitting_batch


@pytest.fixture
def project():
    return ProjectFactory()


@pytest.fixture
def annotators(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def batch(project, annotators):
    """Two clusters; in both 3 is in dispute: with 1 and 2, or alone."""
    for key in ("one", "two"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators)
    for item in batch.items.all():
        split(item, annotators[0], [[1, 2, 3], [4, 5]], comment="3 is close")
        split(item, annotators[1], [[1, 2], [4, 5]])
    return batch


@pytest.fixture
def page(project, batch, new_context):
    page = SplittingPage.of(member(project, Role.ADJUDICATOR, "adj"), new_context)
    page.decide(batch.items.first())
    return page


def test_a_session_that_ended_loses_no_decision(page, batch):
    page.press("1")
    page.expect_in(1, [1, 2, 3])
    Session.objects.all().delete()
    page.action("store").click()
    page.log_in_again(PASSWORD)
    expect(page.page.get_by_role("heading", name="cluster 2")).to_be_attached()
    assert Decision.objects.get().item == batch.items.first()


def test_a_decision_is_not_stored_for_another_person_on_the_same_browser(page, project, batch):
    page.press("1")
    sign_in(page.context, member(project, Role.ADJUDICATOR, "eve"))
    page.action("store").click()
    expect(page.notice).to_contain_text("Another person is logged in")
    assert not Decision.objects.exists()


def test_both_stand_side_by_side_and_the_decision_starts_from_what_is_shared(page, batch):
    first, second = page.page.locator(".one").all()
    expect(first.locator(".in-dispute")).to_have_count(1)
    expect(second.locator(".in-dispute")).to_have_count(1)
    expect(first).to_contain_text("3 is close")
    expect(page.row(3)).to_contain_text("A 1B nonediffers")
    page.expect_in(1, [1, 2])
    page.expect_in(2, [4, 5])
    page.expect_in(0, [6])
    page.expect_in("open", [3])
    page.expect_current(3)
    page.press("1")
    page.expect_in(1, [1, 2, 3])
    page.page.get_by_label("Comment on the decision").fill("as A")
    page.action("store").click()
    expect(page.page.get_by_role("heading", name="cluster 2")).to_be_attached()
    decision = batch.items.first().decisions.last()
    assert (decision.content, decision.comment) == ([[1, 2, 3], [4, 5]], "as A")
    page.expect_left("1 left")
    page.press("1")
    page.expect_left("No headline left")
    page.press("Control+Enter")
    expect(page.page.get_by_role("heading", name="No cluster waits for a decision")).to_be_visible()
    assert Decision.objects.count() == 2


def test_starting_from_either_is_a_step_and_a_draft_survives_a_reload(page):
    page.page.get_by_role("button", name="Start from B").click()
    page.expect_in(0, [3, 6])
    page.page.get_by_role("button", name="Start from A").click()
    page.expect_in(1, [1, 2, 3])
    page.row(4).click()
    page.press("a")
    page.expect_in(3, [4])
    page.page.reload()
    page.row(1).wait_for()
    page.expect_in(3, [4])
    page.press("u", "u")
    page.expect_in(0, [3, 6])
    page.press("s")
    page.expect_in("open", [3])
    page.press("d")
    page.expect_current(3)


def test_open_headlines_are_asked_about_once(page, batch):
    page.press("Control+Enter")
    expect(page.part("left-note")).to_have_text("still open: store all the same?")
    page.press("Control+Enter")
    expect(page.page.get_by_role("heading", name="cluster 2")).to_be_attached()
    assert batch.items.first().decisions.last().content == [[1, 2], [4, 5]]


def test_an_answer_that_changed_meanwhile_is_told(page, batch, annotators):
    split(batch.items.first(), annotators[0], [[1, 2]])
    page.press("0", "Control+Enter")
    expect(page.notice).to_contain_text("decided or changed in the meantime; reload to see it")
    assert not Decision.objects.exists()


def test_a_decision_that_stands_is_begun_with(page, batch):
    page.press("0", "Control+Enter")
    expect(page.page.get_by_role("heading", name="cluster 2")).to_be_attached()
    page.decide(batch.items.first())
    page.expect_in(1, [1, 2])
    page.expect_in(0, [3, 6])
    assert page.shortcuts()["collisions"] == []
    assert page.nameless() == []
