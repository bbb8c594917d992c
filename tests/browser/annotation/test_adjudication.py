"""Adjudicating in the browser: one key a decision, and a comment that outlives "Later"."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Batch, Decision
from projects.models import Project
from tests.browser.whole_path import wait_until_read
from tests.factories.annotation import judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, member


@pytest.fixture
def project(db: None) -> Project:
    return ProjectFactory(slug="dams")


@pytest.fixture
def batch(project: Project) -> Batch:
    """Three pairs on which all differ."""
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = judging_batch(project, people, size=3)
    judge_all(batch, people[0], ["paraphrase"])
    judge_all(batch, people[1], ["not_paraphrase"])
    member(project, "adjudicator", "adj")
    return batch


def expect_pair(page: Page, number: int) -> None:
    expect(page.locator("h1")).to_have_text(f"Review pair {number}")
    expect(page.locator(".disputes tbody tr")).to_have_count(1)


def test_a_comment_is_there_after_later_and_goes_with_the_decision(
    batch: Batch, log_in: Callable[..., Page]
) -> None:
    page = log_in("adj")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    field = page.get_by_label("Comment, kept with the decision")
    field.fill("which dam is meant?")
    page.get_by_role("link", name="Later").click()
    expect_pair(page, 2)
    expect(field).to_have_value("")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect(field).to_have_value("which dam is meant?")
    page.get_by_role("radio", name="Not a paraphrase").click()
    expect_pair(page, 2)
    assert Decision.objects.get().comment == "which dam is meant?"
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    field.fill("the upper one")
    page.reload()
    expect(field).to_have_value("the upper one")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_pair_answers_and_decisions_are_on_one_screen(
    batch: Batch, log_in: Callable[..., Page], size: tuple[int, int]
) -> None:
    page = log_in("adj", viewport={"width": size[0], "height": size[1]})
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect(page.locator(".frame")).to_be_visible()
    for sentence in page.locator(".sentences .sentence").all():
        expect(sentence).to_be_in_viewport(ratio=1)
    expect(page.locator(".vote")).to_have_count(2)
    for name in ("Not a paraphrase", "Paraphrase"):
        expect(page.get_by_role("radio", name=name).first).to_be_in_viewport(ratio=1)
    names = page.locator("main").inner_text()
    assert "ann" not in names.split() and "ben" not in names.split()


def test_one_key_a_decision_and_undo_leads_back(batch: Batch, log_in: Callable[..., Page]) -> None:
    page = log_in("adj")
    page.goto(f"/projects/dams/review/items/{batch.items.get(number=1).pk}/")
    expect_pair(page, 1)
    for key, following in (("j", 2), ("f", 3)):
        wait_until_read(page)  # a key that comes before the eye can have read the pair decides nothing
        page.keyboard.press(key)
        expect_pair(page, following)
    assert list(Decision.objects.order_by("pk").values_list("item__number", "label")) == [
        (1, "paraphrase"), (2, "not_paraphrase"),
    ]  # fmt: skip
    expect(page.locator('[data-part="last"]')).to_have_text("Pair 2: Not a paraphrase.")
    page.keyboard.press("u")
    expect_pair(page, 2)
    expect(page.get_by_role("radio", name="Not a paraphrase")).to_have_attribute("aria-checked", "true")
    wait_until_read(page)
    page.keyboard.press("j")
    expect_pair(page, 3)
    assert batch.items.get(number=2).decisions.latest("version").label == "paraphrase"
