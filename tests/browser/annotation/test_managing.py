"""A manager's steps by keyboard: the forecast of a freeze, the adjudicator's role, removing a member."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, Label
from projects.models import Project, Role
from tests.browser.conftest import NARROW
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, dataset_of, member

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = ProjectFactory(slug="dams")
    member(project, Role.MANAGER, "mira")
    for name in ("ann", "ben", "cas"):
        member(project, Role.ANNOTATOR, name)
    return project


@pytest.fixture
def batch(project: Project) -> Batch:
    """Six pairs for ann and ben: ann has judged four of them, ben all, and they differ on two."""
    ann, ben = (project.memberships.get(user__username=name).user for name in ("ann", "ben"))
    batch = judging_batch(project, [ann, ben], size=6, name="dams")
    judge_all(batch, ben, [YES])
    for assignment, label in zip(assignments_of(batch, ann), (YES, NO, NO, YES), strict=False):
        judge(assignment, label)
    return batch


def check_width(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_forecast_follows_the_form(batch: Batch, log_in) -> None:
    page = log_in("mira", viewport=NARROW)
    page.goto(f"/projects/dams/gold/new/?batch={batch.pk}")
    forecast = page.locator("[data-part=forecast]")
    expect(forecast).to_contain_text("4 of 6 pairs will be in the set, 2 will be left out")
    page.locator("input[value=majority]").focus()
    page.keyboard.press("ArrowDown")
    expect(forecast).to_contain_text("2 of 6 pairs will be in the set, 4 will be left out")
    expect(forecast).to_contain_text("2 are disputed")
    check_width(page)
    page.locator("input[name=batches]").focus()
    page.keyboard.press("Space")
    expect(forecast).to_contain_text("Choose a batch")
    page.keyboard.press("Space")
    page.locator("button.main", has_text="Freeze").press("Enter")
    page.wait_for_url("**/gold/*/")
    assert batch.gold_sets.get().counts["pairs"] == 2


def test_a_long_list_is_left_and_returned_to_by_keyboard(project: Project, log_in) -> None:
    dataset_of(project, 12)
    page = log_in("mira", viewport=NARROW)
    page.goto("/projects/dams/candidates/pairs/?sort=-distance")
    check_width(page)
    link = page.locator("a[id^=row-]").nth(8)
    for return_to in (lambda: page.locator("[data-back]").press("Enter"), page.go_back):
        link.press("Enter")
        page.wait_for_url("**/pairs/*/?list=*")
        return_to()
        page.wait_for_url("**?sort=-distance#row-*")
        expect(link).to_be_focused()
    boxes = page.locator("input[name=chosen]")
    boxes.nth(2).press("Space")
    boxes.nth(5).press("Shift+Space")
    expect(page.locator("[data-selected]")).to_have_text("4 pairs selected")
    page.locator("[data-all]").press("Space")
    expect(page.locator("[data-selected]")).to_have_text("12 pairs selected")
