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
    return ProjectFactory(slug="dams")


@pytest.fixture
def batch(project):
    """Two pairs, of which one link is agreed and two are disputed."""
    people = [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]
    texts = [("Dams broke here", "The dam has burst"), ("Two dams broke", "Both dams have burst")]
    batch = paraphrases(project, people, texts)
    for user, links in zip(people, (FIRST, SECOND), strict=True):
        for assignment in assignments_of(batch, user):
            link(assignment, links)
    return batch


@pytest.fixture
def judge(project):
    return member(project, Role.ADJUDICATOR, "judge")


@pytest.fixture
def review(judge, batch, new_context):
    page = LinkingPage.of(judge, new_context)
    page.page.goto(f"/projects/dams/link/items/{batch.items.get(number=1).pk}/review/")
    expect(page.page.locator(".disputes tbody tr")).to_have_count(2)
    return page


def mark(page, key):
    return page.page.locator(f'.matrix [data-mark="{key}"]')


def test_one_key_decides_and_moves_on(review, batch):
    first, second = review.page.locator(".disputes tbody tr").all()
    expect(first).to_have_attribute("aria-current", "true")
    expect(review.page.locator(".prose .token.focused")).to_have_count(2)
    expect(mark(review, "0-0")).to_have_class("agreed")
    expect(mark(review, "1-2")).to_have_class("disputed")
    review.press("Control+Enter")
    review.expect_said("2 still open")
    assert not Decision.objects.exists()
    review.press("s")
    expect(mark(review, "1-2")).to_have_class("sure")
    expect(second).to_have_attribute("aria-current", "true")
    expect(first.get_by_role("radio", name="Sure")).to_have_attribute("aria-checked", "true")
    review.press("u", "a")
    expect(review.part("left-count")).to_have_text("All decided")
    expect(mark(review, "1-2")).to_have_class("possible")
    expect(review.action("store")).to_be_focused()
    review.press("ArrowUp", "m")
    expect(review.path(1, 2)).to_have_attribute("data-strength", "possible")
    expect(review.page.locator(".matrix")).to_be_hidden()
    assert review.shortcuts()["collisions"] == []
    assert review.nameless() == []
    review.press("Control+Enter")
    expect(review.part("counter")).to_have_text("Pair 2 of 2 disputed")
    expect(review.part("last")).to_contain_text("Pair 1")
    decided = Decision.objects.get()
    assert decided.content == [[0, 0, "sure"], [1, 2, "possible"], [2, 3, "possible"]]
    review.press("u")  # back to the pair before, whose decision is shown and can be replaced
    expect(review.part("counter")).to_have_text("Pair 1 of 2 disputed")
    expect(review.part("left-count")).to_have_text("All decided")


def test_what_another_decided_meanwhile_is_shown_and_not_overwritten(review, batch, judge):
    item = batch.items.get(number=1)
    adjudicate_links(item=item, by=judge, links=[[0, 0, "sure"]], version=0, basis=[1, 1])
    review.press("s", "d", "Control+Enter")
    expect(review.notice).to_contain_text("Pair 1 was changed in another place")
    expect(review.notice).to_contain_text("(sure)")
    assert Decision.objects.count() == 1
    review.button("Keep mine as the newest").click()
    expect(review.part("counter")).to_have_text("Pair 2 of 2 disputed")
    assert item.decisions.last().content == [[0, 0, "sure"], [1, 2, "sure"]]
