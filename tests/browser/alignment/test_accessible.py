from playwright.sync_api import expect

TAB_STOPS = '.word[data-side="{}"][tabindex="0"]'


def test_the_focus_roves(page, batch):
    page.open(batch)
    for keys, side, index in (
        (["ArrowDown", "ArrowDown"], "a", 2),
        (["ArrowRight"], "b", 0),  # the word of the same letters
        (["End"], "b", 7),
        (["ArrowDown"], "b", 7),
        (["ArrowLeft", "Home", "ArrowUp"], "a", 0),
    ):
        page.press(*keys)
        page.expect_at(side, index)
        stop = page.page.locator(TAB_STOPS.format(side))
        expect(stop).to_have_count(1)
        expect(stop).to_have_attribute("data-index", str(index))
    page.press("?")
    page.close_dialog()
    page.press("Tab")
    expect(page.page.locator(".word:focus")).to_have_count(1)


def test_changes_are_told(page, batch):
    page.open(batch)
    page.expect_said("Pair 1 of 1. First sentence: Police shot three gunmen in a market .")
    page.expect_said("16 words open.")
    page.press("s")
    page.expect_said("First choose a word here, then go to the other column")
    page.press("ArrowDown", "ArrowRight", *["ArrowDown"] * 4, "s")
    page.expect_said("shot with killed: sure. 14 left.")
    expect(page.word("b", 4)).to_have_attribute("aria-label", "killed, linked sure with shot")
    page.press("p")
    page.expect_said("shot with killed: possible. 14 left.")
    page.press("u")
    page.expect_said("Undone. shot with killed: sure.")
    page.press("Control+y", "ArrowLeft", "Home", "ArrowDown", "Backspace")
    page.expect_said("shot with killed: no link. 16 left.")
    page.press("Backspace")
    page.expect_said("There is no link here.")
