"""The matrix shows the same links as the ladder, and takes clicks, drags and keys."""

from playwright.sync_api import expect


def test_clicks_cycle_a_cell_and_a_drag_links_a_rectangle(page, batch):
    page.open(batch)
    for strength in ("sure", "possible", None, "sure"):
        page.page.mouse.click(*page.cell(0, 6))
        if strength:
            page.expect_link(0, 6, strength)
        else:
            page.expect_no_link(0, 6)
    mouse = page.page.mouse
    mouse.move(*page.cell(4, 2))
    mouse.down()
    mouse.move(*page.cell(3, 1), steps=3)
    mouse.up()
    for a in (3, 4):
        for b in (1, 2):
            page.expect_link(a, b, "sure")
    expect(page.paths).to_have_count(5)
    page.press("u")
    expect(page.paths).to_have_count(1)
