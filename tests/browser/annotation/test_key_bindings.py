from playwright.sync_api import expect

from tests.factories.annotation import judging_batch

from .judging_page import JudgingPage, labels_of


def choose(page, section, action, key):
    """By keyboard: Enter on "Change", then the key."""
    row = page.page.locator(f'[data-page="{section}"] [data-binding="{action}"]')
    page.page.wait_for_load_state()
    row.get_by_role("button", name="Change").focus()
    page.press("Enter")
    expect(row.get_by_role("button", name="Change")).to_have_text("Press a key")
    page.press(key)
    return row


def test_keys_are_changed_by_keyboard_and_work(project, ada, new_context):
    batch = judging_batch(project, [ada], size=3)
    page = JudgingPage.of(ada, new_context).open(batch)
    page.press("?")
    page.page.get_by_role("link", name="Choose other keys").focus()
    page.press("Enter")
    expect(page.page.get_by_role("heading", name="Your keys")).to_be_visible()
    row = choose(page, "judge", "paraphrase", "w")
    expect(row.locator("td").first).to_have_text("W")
    expect(row.get_by_role("button", name="Change")).to_be_focused()
    page.expect_said("Paraphrase: W.")
    choose(page, "judge", "undo", "Shift+B")
    expect(page.page.locator('[data-page="judge"] [data-binding="undo"] td').first).to_have_text("Shift B")
    assert page.nameless() == []
    page.open(batch)
    assert page.shortcuts()["collisions"] == []
    expect(page.page.locator('[data-label="paraphrase"] kbd')).to_have_text("W")
    page.answer("j", "w", "f")
    page.expect_count(2, 3)
    page.press("u")
    page.expect_count(2, 3)
    page.press("Shift+B")
    page.expect_count(1, 3)
    page.expect_synced()
    assert labels_of(batch, ada) == ["paraphrase", None, None]
    page.press("?")
    assert page.listed_keys()["Undo: take back the last answer"] == "Shift B"
