import pytest
from playwright.sync_api import expect

from annotation.models import Decision
from projects.models import Role
from tests.browser.annotation.splitting_page import SplittingPage
from tests.factories.corpus import member
from tests.factories.subclusters import headline_cluster, split, splitting_batch


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


def test_disputed_headlines_are_rows_and_one_key_decides(page, batch):
    [row] = page.page.locator(".disputes tbody tr").all()
    expect(row).to_contain_text("Three hundred flee as water reaches Brelow")
    expect(row.locator(".given")).to_have_text(["A1", "Bnone"])
    expect(page.page.locator(".remark")).to_contain_text("3 is close")
    page.expect_in(1, [1, 2])
    page.expect_in(2, [4, 5])
    page.expect_in(0, [6])
    page.press("1")
    page.expect_in(1, [1, 2, 3])
    expect(row.get_by_role("radio", name="1")).to_have_attribute("aria-checked", "true")
    page.press("u", "a")  # alone, since B put it with nobody
    page.expect_in(0, [3, 6])
    row.get_by_role("radio", name="1").click()
    page.page.get_by_label("Comment, kept with the decision").fill("as A")
    page.action("store").click()
    expect(page.page.get_by_role("heading", name="cluster 2")).to_be_attached()
    decision = batch.items.first().decisions.last()
    assert (decision.content, decision.comment) == ([[1, 2, 3], [4, 5]], "as A")
    page.expect_left("1 open")
    page.press("1")
    page.expect_left("All decided")
    page.press("Enter")
    expect(page.page.get_by_role("heading", name="No cluster waits for a decision")).to_be_visible()
    assert Decision.objects.count() == 2
