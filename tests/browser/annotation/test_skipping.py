import pytest
from playwright.sync_api import expect

from annotation.schemes import Label
from tests.factories.annotation import assignments_of, judge, judging_batch

from .judging_page import labels_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


@pytest.fixture
def batch(project, ada):
    return judging_batch(project, [ada], size=6)


def test_an_answer_is_found_by_its_words_and_changed(page, batch, ada):
    first, second, third, *_ = assignments_of(batch, ada)
    for assignment, label in ((first, YES), (second, NO)):
        judge(assignment, label)
    page.reload()
    page.expect_pair(third)
    page.press("l")
    rows = page.page.locator(".own-answer")
    expect(rows).to_have_count(2)
    expect(page.page.get_by_label("Words", exact=True)).to_be_focused()
    page.page.keyboard.type(first.item.pair.sentence_a.text[:40].upper())
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Pair 1 paraphrase")
    page.press("ArrowDown", "Enter")
    page.expect_pair(first)
    page.expect_standing("Your answer: paraphrase. It counts until you give another one.")
    expect(page.action("skip")).to_contain_text("Keep answer")
    page.expect_count(2, 6)
    page.answer("k")
    page.expect_pair(third)
    page.expect_synced()
    assert labels_of(batch, ada)[:2] == [YES, NO]
    page.press("l")
    page.page.get_by_label("Show", exact=True).select_option("paraphrase")
    expect(rows).to_have_count(1)
    page.page.get_by_label("Words", exact=True).focus()
    page.press("ArrowDown", "Enter")
    page.answer("x")
    page.answer("f")
    page.expect_pair(third)
    page.expect_count(2, 6)
    page.expect_synced()
    assert labels_of(batch, ada)[:2] == [NO, NO]
    assert assignments_of(batch, ada)[0].flagged
    page.press("u")
    page.expect_pair(first)
    page.expect_count(1, 6)
