import pytest
from playwright.sync_api import expect

from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import SentenceFactory

from .judging_page import labels_of


@pytest.fixture
def batch(project, ada):
    return judging_batch(project, [ada], size=3)


def test_a_comment_is_typed_without_answering_and_kept_by_escape(page, batch, ada):
    first = assignments_of(batch, ada)[0]
    page.press("c")
    field = page.page.get_by_label("What should a reviewer know?")
    expect(field).to_be_focused()
    page.page.keyboard.type("fjk? ugx odd date")
    page.close_dialog()
    page.expect_said("Comment saved.")
    expect(page.action("comment")).to_have_attribute("aria-pressed", "true")
    page.expect_synced()
    first.refresh_from_db()
    assert (first.comment, first.state) == ("fjk? ugx odd date", "open")
    page.press("c")
    expect(field).to_have_value("fjk? ugx odd date")
    page.press("End")
    page.page.keyboard.type(", really")
    page.close_dialog("Control+Enter")
    page.answer("j")
    page.expect_synced()
    first.refresh_from_db()
    assert (first.comment, first.state) == ("fjk? ugx odd date, really", "done")
    assert labels_of(batch, ada) == ["paraphrase", None, None]


def test_cancel_drops_a_comment_typed_before_a_reload(page, batch, ada):
    page.press("c")
    page.page.keyboard.type("odd")
    page.page.reload()
    expect(page.action("comment")).to_have_attribute("aria-pressed", "true")
    page.press("c")
    expect(page.page.get_by_label("What should a reviewer know?")).to_have_value("odd")
    page.button("Cancel").click()
    expect(page.action("comment")).to_have_attribute("aria-pressed", "false")
    page.answer("j")
    page.expect_synced()
    assert assignments_of(batch, ada)[0].comment == ""


def test_a_key_right_after_a_new_pair_is_not_taken_and_that_is_said(page, batch, ada):
    page.ready()
    page.page.evaluate("""() => { for (const key of ["j", "j"]) document.dispatchEvent(
        new KeyboardEvent("keydown", { key, code: "KeyJ", bubbles: true })); }""")
    expect(page.part("last")).to_have_text("Not taken: the pair had just come.")
    page.expect_synced()
    assert labels_of(batch, ada) == ["paraphrase", None, None]


def test_context_shows_where_the_sentences_come_from(page, batch, ada):
    first, second, _ = assignments_of(batch, ada)
    article = first.item.pair.sentence_a.article
    SentenceFactory(article=article, number=1, text="The mayor thanked the divers.")
    article.url = "https://example.org/dam"
    article.save()
    expect(page.page.locator('[data-part="from"]:visible')).to_have_count(0)
    page.press("i")
    side = page.page.locator('[data-side="a"]')
    expect(side.locator('[data-part="from"]')).to_contain_text(article.source)
    expect(side.locator('[data-part="from"]')).to_contain_text(f"cluster {article.cluster.key}")
    expect(side.get_by_role("link")).to_have_attribute("href", "https://example.org/dam")
    expect(side.get_by_role("link")).to_have_attribute("rel", "noopener noreferrer")
    expect(side.locator('[data-part="after"]')).to_have_text("The mayor thanked the divers. ")
    page.answer("j")
    page.expect_pair(second)
    expect(page.page.locator('[data-part="from"]:visible')).to_have_count(0)
