from playwright.sync_api import expect

from annotation.models import Answer
from annotation.schemes import Label
from tests.factories.annotation import assignments_of, judging_batch

from .judging_page import JudgingPage, answers_to, labels_of

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE


def test_a_batch_is_judged_to_its_end(log_in, project, ada):
    batch = judging_batch(project, [ada], size=12)
    page = JudgingPage(log_in("ada")).open(batch)
    page.expect_count(0, 12)
    for assignment, key in zip(
        assignments_of(batch, ada), ["j", "f", "ArrowRight", "ArrowLeft"] * 3, strict=True
    ):
        page.expect_pair(assignment)
        page.answer(key)
    page.expect_finished("All 12 pairs are judged")
    expect(page.part("finished")).to_be_focused()
    page.expect_synced()
    assert labels_of(batch, ada) == [YES, NO] * 6
    assert answers_to(batch, ada) == 12
    assert Answer.objects.exclude(version=1).count() == 0
    page.reload()
    page.expect_finished("All 12 pairs are judged")
    page.expect_count(12, 12)
    expect(page.button("Paraphrase").first).to_be_disabled()


def test_undo_across_pairs_and_redo(new_context, project, ada):
    batch = judging_batch(project, [ada], size=4)
    first, second, third, _ = assignments_of(batch, ada)
    page = JudgingPage.of(ada, new_context).open(batch)
    page.answer("j", "f")
    page.press("u", "Control+z")
    page.expect_pair(first)
    page.expect_count(0, 4)
    expect(page.part("earlier")).to_have_text("Taken back: paraphrase")
    page.expect_synced()
    assert labels_of(batch, ada) == [None] * 4
    page.press("u")
    page.expect_said("There is nothing to take back.")
    page.press("Control+y")
    page.expect_pair(second)
    page.press("Control+Shift+Z")
    page.expect_pair(third)
    page.expect_synced()
    assert labels_of(batch, ada) == [YES, NO, None, None]
    page.press("u")
    page.answer("j")
    expect(page.action("redo")).to_be_hidden()
    page.press("Control+y")
    page.expect_pair(third)
    page.expect_synced()
    assert labels_of(batch, ada) == [YES, YES, None, None]
