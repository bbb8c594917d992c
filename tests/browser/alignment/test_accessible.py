from playwright.sync_api import expect


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
