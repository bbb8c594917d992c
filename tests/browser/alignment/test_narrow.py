from playwright.sync_api import expect

from tests.browser.conftest import NARROW

from .linking_page import LinkingPage, paraphrases, stored, stored_links

UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitän" * 4


def test_a_pair_is_linked_by_touch(new_context, project, ada):
    project.name = UNBROKEN[:120]
    project.save()
    batch = paraphrases(project, [ada], [(f"Police shot {UNBROKEN}", f"Officers killed {UNBROKEN}")])
    page = LinkingPage.of(ada, new_context, viewport=NARROW, has_touch=True, is_mobile=True).open(batch)
    page.expect_no_overflow()
    page.word("a", 0).tap()
    page.word("b", 0).tap()
    page.expect_link(0, 0, "sure")
    page.word("a", 2).tap()
    page.word("b", 2).tap()
    page.action("possible").tap()
    page.expect_link(2, 2, "sure")
    page.word("a", 1).tap()
    page.action("null").tap()
    expect(page.word("a", 1)).to_have_attribute("data-status", "null")
    page.expect_left(1)
    page.expect_no_overflow()
    for name in ("sure", "possible", "null", "remove", "undo", "skip", "flag", "comment", "submit"):
        assert page.action(name).bounding_box()["height"] >= 44
    page.action("matrix").tap()
    expect(page.page.locator(".ladder")).to_be_hidden()
    page.expect_no_overflow()
    page.page.touchscreen.tap(*page.cell(2, 2))
    expect(page.page.locator('[data-mark="2-2"]')).to_have_class("possible")
    page.action("undo").tap()
    page.action("matrix").tap()
    page.expect_link(2, 2, "sure")
    page.wait_out_the_guard()
    page.action("submit").tap()
    page.action("submit").tap()
    page.expect_finished("All 1 pairs are answered")
    page.expect_synced()
    assert stored_links(stored(batch, ada)) == [(0, 0, "sure", "drawn"), (2, 2, "sure", "drawn")]
