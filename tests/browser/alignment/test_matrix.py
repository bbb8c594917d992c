"""The matrix shows the same links as the ladder, and takes clicks, drags and keys."""

from __future__ import annotations

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


def test_shift_draws_possible_links_and_a_key_changes_the_one_under_the_pointer(page, batch):
    page.open(batch)
    mouse, keyboard = page.page.mouse, page.page.keyboard
    keyboard.down("Shift")
    mouse.move(*page.cell(0, 6))
    mouse.down()
    mouse.move(*page.cell(1, 5), steps=3)
    mouse.up()
    keyboard.up("Shift")
    expect(page.page.locator("[data-mark].possible")).to_have_count(4)
    mouse.move(*page.cell(0, 5))
    page.press("s")
    page.expect_link(0, 5, "sure")
    mouse.move(*page.cell(1, 6))
    page.press("Backspace")
    page.expect_no_link(1, 6)
    mouse.move(*page.cell(4, 2))
    page.press("p")
    page.expect_link(4, 2, "possible")


def test_keys_walk_from_cell_to_cell(page, batch):
    page.open(batch)
    matrix = page.page.locator(".matrix")
    page.page.mouse.click(*page.cell(1, 3))
    expect(matrix).to_be_focused()
    page.press("ArrowDown", "ArrowLeft", "p")
    page.expect_link(2, 2, "possible")
    page.expect_said("three with men: possible")
    page.press("ArrowDown", "Shift+ArrowRight", "Shift+ArrowDown", "s")
    expect(page.paths).to_have_count(6)
    page.expect_link(4, 3, "sure")
    page.press("ArrowUp")
    page.expect_said("gunmen with were: sure")
    page.press("Backspace")
    page.expect_no_link(3, 3)


def test_the_matrix_is_shown_and_hidden(page, batch):
    page.open(batch)
    matrix, ladder, button = page.page.locator(".matrix"), page.page.locator(".ladder"), page.action("matrix")
    expect(matrix).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    page.press("m")
    expect(matrix).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.link(0, 6)
    page.press("m")
    page.expect_link(0, 6, "sure")
    page.page.set_viewport_size({"width": 800, "height": 900})
    expect(matrix).to_be_hidden()
    expect(ladder).to_be_visible()
    page.press("m")
    expect(ladder).to_be_hidden()
    expect(page.page.locator("[data-mark]")).to_have_count(1)
    page.page.mouse.click(*page.cell(1, 4))
    page.press("m")
    expect(ladder).to_be_visible()
    page.expect_link(1, 4, "sure")
    assert "NaN" not in page.path(1, 4).get_attribute("d")
