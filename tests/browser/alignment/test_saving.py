import pytest
from playwright.sync_api import expect

from annotation.models import Answer
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of

from .linking_page import stored, stored_links

DRAWN = [(0, 6, "sure", "drawn")]
ELSEWHERE = [[1, 4, "sure", "drawn"]]


@pytest.mark.parametrize(
    ("choice", "links"),
    [("Keep mine as the newest", DRAWN), ("Take the stored one", [(1, 4, "sure", "drawn")])],
)
def test_links_changed_elsewhere_are_shown_and_not_overwritten(page, batch, ada, choice, links):
    page.open(batch)
    link(stored(batch, ada), ELSEWHERE, submitted=False)
    page.link(0, 6)
    expect(page.notice).to_contain_text("Pair 1 was changed in another place.")
    expect(page.notice).to_contain_text(
        "Only in yours" + "Police – officers" + "Only in the stored one" + "shot – killed"
    )
    page.expect_unsynced(1)
    assert stored_links(stored(batch, ada)) == [(1, 4, "sure", "drawn")]
    page.button(choice).focus()
    with page.saves() as sent:
        page.press("Enter")
        page.expect_link(*links[0][:3])
        if choice.startswith("Keep"):
            page.expect_sent(sent)
    expect(page.notice).to_have_count(0)
    expect(page.paths).to_have_count(1)
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == links
    if choice.startswith("Take"):
        page.press("u")
        page.expect_link(0, 6, "sure")


def test_links_drawn_without_a_network_survive_a_reload(page, three, ada):
    first, second, _ = assignments_of(three, ada)
    page.open(three)
    page.lose_server()
    page.link(0, 1)
    page.expect_unsynced(1)  # the draft
    page.submit()
    page.press("Control+Enter")
    page.expect_pair(second)
    page.link(1, 2)
    page.expect_unsynced(3)
    assert Answer.objects.filter(assignment__item__batch=three).count() == 0
    page.reload()
    page.expect_unsynced(3)
    page.expect_pair(second)
    page.expect_link(1, 2, "sure")
    expect(page.part("counter")).to_have_text("1 of 3")
    page.find_server()
    page.send_now()
    page.expect_synced()
    assert [one.state for one in assignments_of(three, ada)] == ["done", "open", "open"]
    assert stored_links(first) == [(0, 1, "sure", "drawn")]
    assert stored_links(second) == [(1, 2, "sure", "drawn")]
    assert Answer.objects.filter(assignment__item__batch=three).count() == 3
