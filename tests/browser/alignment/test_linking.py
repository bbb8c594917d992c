from playwright.sync_api import expect

from annotation.models import AssignmentState

from .conftest import EQUAL
from .linking_page import LinkingPage, stored, stored_links


def test_a_whole_pair_is_linked_by_keyboard(log_in, batch, ada):
    page = LinkingPage(log_in("ada")).open(batch)
    expect(page.part("hint")).to_be_visible()
    page.expect_at("a", 0)
    page.expect_left(16)
    # Police - officers; shot - were killed; three - Three; gunmen - armed men, possible.
    page.press("ArrowRight", *["ArrowDown"] * 6, "s")
    page.expect_link(0, 6, "sure")
    # On to the next open word.
    page.expect_at("a", 1)
    page.press("Tab")
    page.expect_at("b", 6)
    page.press("ArrowUp", "ArrowUp", "Shift+ArrowUp", "Space")
    page.expect_link(1, 3, "sure")
    page.expect_link(1, 4, "sure")
    page.expect_at("a", 2)
    page.press("ArrowRight")
    page.expect_at("b", 0)
    page.press("s", "/")
    page.page.keyboard.type("gun")
    page.press("Enter")
    page.expect_at("a", 3)
    page.press("Tab", "/")
    page.page.keyboard.type("armed")
    page.press("Enter", "Shift+ArrowDown", "p")
    page.expect_link(3, 1, "possible")
    page.expect_link(3, 2, "possible")
    page.expect_at("a", 4)
    page.press("Shift+ArrowDown", "Shift+ArrowDown", "n")
    expect(page.word("a", 5)).to_have_attribute("data-status", "null")
    page.expect_at("a", 7)
    page.press("ArrowRight", "s")
    page.expect_link(7, 7, "sure")
    # The first column is done: the only open word of the other one.
    page.expect_at("b", 5)
    page.press("n")
    page.expect_left(0)
    page.expect_said("by: no counterpart. No word left open.")
    expect(page.paths).to_have_count(7)
    page.submit()
    page.expect_finished("All 1 pairs are answered")
    page.expect_synced()
    assignment = stored(batch, ada)
    assert assignment.state == AssignmentState.DONE
    assert stored_links(assignment) == [
        (0, 6, "sure", "drawn"),
        (1, 3, "sure", "drawn"),
        (1, 4, "sure", "drawn"),
        (2, 0, "sure", "drawn"),
        (3, 1, "possible", "drawn"),
        (3, 2, "possible", "drawn"),
        (7, 7, "sure", "drawn"),
    ]
    assert (assignment.alignment.null_a, assignment.alignment.null_b) == ([4, 5, 6], [5])


def test_suggestions_are_accepted_one_by_one_or_all(page, suggested, ada):
    page.open(suggested)
    expect(page.page.locator('.ladder path[data-strength="suggested"]')).to_have_count(len(EQUAL))
    expect(page.part("suggested-count")).to_have_text("2")
    page.expect_left(16)
    page.word("a", 2).focus()
    page.press("Enter")
    page.expect_link(2, 0, "sure")
    page.expect_link(7, 7, "suggested")
    expect(page.path(2, 0)).to_have_attribute("data-origin", "accepted")
    page.press("a")
    page.expect_link(7, 7, "sure")
    expect(page.action("accept-all")).to_be_disabled()
    page.press("u")
    page.expect_link(7, 7, "suggested")
    expect(page.action("accept-identical")).to_have_class("main")
    page.press("i")
    page.expect_link(7, 7, "sure")
    expect(page.action("submit")).to_have_class("main")
    page.press("u")
    page.expect_link(7, 7, "suggested")
    page.link(0, 6)
    page.submit()
    expect(page.part("left")).to_contain_text("Submit all the same?")
    page.press("Control+Enter")
    page.expect_finished("All 1 pairs are answered")
    page.expect_synced()
    # What was only suggested is no link.
    assert stored_links(stored(suggested, ada)) == [(0, 6, "sure", "drawn"), (2, 0, "sure", "accepted")]


def test_a_link_takes_the_place_of_the_other_links_of_its_words(page, suggested):
    page.open(suggested)
    keyboard, mouse = page.page.keyboard, page.page.mouse
    page.press("a")
    keyboard.down("Control")
    mouse.click(*page.cell(2, 2))
    keyboard.up("Control")
    page.expect_link(2, 2, "sure")
    page.expect_link(7, 7, "sure")
    expect(page.paths).to_have_count(2)
    keyboard.down("Control")
    keyboard.down("Shift")
    page.drag(page.word("a", 2), page.word("b", 1))
    keyboard.up("Shift")
    keyboard.up("Control")
    page.expect_link(2, 1, "possible")
    expect(page.paths).to_have_count(2)
    mouse.move(*page.cell(2, 0))
    page.press("r")
    page.expect_link(2, 0, "sure")
    expect(page.paths).to_have_count(2)
    page.press("u")
    page.expect_link(2, 1, "possible")
