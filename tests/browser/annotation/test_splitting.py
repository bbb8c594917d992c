import pytest
from playwright.sync_api import expect

from projects.models import Role
from tests.browser.annotation.splitting_page import MIDDLE, SplittingPage, submitted
from tests.browser.conftest import NARROW
from tests.factories.corpus import ProjectFactory, member
from tests.factories.subclusters import headline_cluster, splitting_batch


@pytest.fixture
def project():
    return ProjectFactory(guidelines="Same news, one group.")


@pytest.fixture
def ann(project):
    return member(project, Role.ANNOTATOR, "ann")


@pytest.fixture
def batch(project, ann):
    """Two clusters of six headlines for one."""
    for key in ("one", "two"):
        headline_cluster(project, key=key)
    return splitting_batch(project, [ann])


@pytest.fixture
def page(batch, ann, new_context):
    return SplittingPage.of(ann, new_context).open(batch)


def test_a_cluster_is_split_by_keys_alone(page, batch, ann):
    page.expect_in("open", [1, 2, 3, 4, 5, 6])
    page.expect_current(1)
    for key, left in (("1", 5), ("1", 4), ("2", 3), ("2", 2), ("0", 1)):
        page.press(key)
        page.expect_left(f"{left} left")
    page.expect_current(6)
    page.press("n")
    page.expect_left("No headline left")
    page.expect_in(1, [1, 2])
    page.expect_in(2, [3, 4])
    page.expect_in(0, [5, 6])
    page.expect_said("in no group. 0 left.")
    page.press("u")
    page.expect_said("Undone. Headline 6: open. 1 left.")
    page.press("Control+y")
    page.expect_said("Done again. Headline 6: in no group. 0 left.")
    page.submit()
    page.expect_said("Cluster 2 of 2.")
    expect(page.part("counter")).to_have_text("1 of 2")
    page.expect_in("open", [1, 2, 3, 4, 5, 6])
    page.expect_synced()
    assert submitted(batch, ann) == [[[1, 2], [3, 4]]]


def test_a_finger_taps_and_drags_by_the_grip(batch, ann, new_context):
    page = SplittingPage.of(ann, new_context, viewport=NARROW, has_touch=True, is_mobile=True).open(batch)
    page.row(2).locator("bdi").tap()
    page.expect_current(2)
    page.page.get_by_role("button", name="Group 3").tap()
    page.expect_in(3, [2])
    session = page.context.new_cdp_session(page.page)

    def send(kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    page.row(1).scroll_into_view_if_needed()
    start = page.row(1).locator(".grip").evaluate(MIDDLE)
    end = page.page.get_by_role("button", name="Group 3").evaluate(MIDDLE)
    send("touchStart", start)
    send("touchMove", [start[0] + 10, start[1] - 10])
    expect(page.page.locator(".ghost")).to_be_visible()
    send("touchMove", end)
    expect(page.page.locator(".over")).to_have_count(1)
    send("touchEnd")
    page.expect_in(3, [1, 2])
    page.expect_no_overflow()


def test_hostile_headlines_stay_text(project, ann, new_context):
    headline_cluster(project, ["<img src=x onerror='window.ran=1'>", "<script>window.ran=1</script>"])
    page = SplittingPage.of(ann, new_context).open(splitting_batch(project, [ann]))
    expect(page.row(1)).to_contain_text("<img src=x")
    page.press("1", "1")
    page.expect_in(1, [1, 2])
    page.expect_nothing_ran()
