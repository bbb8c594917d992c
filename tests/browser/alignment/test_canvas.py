"""The review canvas by keyboard: disputes decided one by one, stored, and what is stale refused."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from alignment.services.link_review import adjudicate_links
from annotation.models import Decision
from projects.models import Role
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of
from tests.factories.corpus import ProjectFactory, member

from .linking_page import LinkingPage, paraphrases

FIRST = [[0, 0, "sure", "drawn"], [1, 2, "sure", "drawn"]]
SECOND = [[0, 0, "sure", "drawn"], [1, 2, "possible", "drawn"], [2, 3, "possible", "drawn"]]


@pytest.fixture
def project():
    return ProjectFactory()


@pytest.fixture
def batch(project):
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    batch = paraphrases(project, people, [("Dams broke here", "The dam has burst")])
    for user, links in zip(people, (FIRST, SECOND), strict=True):
        link(assignments_of(batch, user)[0], links)
    return batch


@pytest.fixture
def judge(project):
    return member(project, Role.ADJUDICATOR, "judge")


@pytest.fixture
def canvas(judge, batch, new_context):
    page = LinkingPage.of(judge, new_context)
    page.page.goto(f"/projects/{batch.project.slug}/link/items/{batch.items.get().pk}/review/")
    expect(page.page.locator(".disputes li")).to_have_count(2)
    return page


def test_agreed_links_are_locked_and_disputed_ones_cycle_by_one_key(canvas):
    expect(canvas.path(0, 0)).to_have_attribute("data-origin", "agreed")
    expect(canvas.path(1, 2)).to_have_attribute("data-origin", "disputed")
    for strength in ("sure", "possible", "suggested", "sure"):
        canvas.press("Space")
        expect(canvas.path(1, 2)).to_have_attribute("data-strength", strength)
    expect(canvas.part("left-count")).to_have_text("1 undecided")
    canvas.press("u")
    expect(canvas.path(1, 2)).to_have_attribute("data-strength", "suggested")
    assert canvas.nameless() == []


def test_deciding_by_keyboard_alone_and_storing(canvas, batch):
    canvas.press("Control+Enter")
    expect(canvas.part("live")).to_contain_text("2 links are still undecided")
    assert not Decision.objects.exists()
    canvas.press("n", "d", "n", "s")
    canvas.page.reload()
    expect(canvas.part("left-count")).to_have_text("All decided")
    canvas.press("Control+Enter")
    expect(canvas.page.get_by_role("heading", name="Review links")).to_be_visible()
    decision = Decision.objects.get()
    kept = {(a, b): strength for a, b, strength in decision.content}
    assert kept.pop((0, 0)) == "sure"
    assert list(kept.values()) == ["sure"]


def test_a_decision_made_meanwhile_is_not_overwritten(canvas, batch, judge):
    item = batch.items.get()
    adjudicate_links(item=item, by=judge, links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    canvas.press("d", "ArrowDown", "d", "Control+Enter")
    expect(canvas.page.get_by_role("alert")).to_contain_text("decided or changed in the meantime")
    assert Decision.objects.count() == 1
