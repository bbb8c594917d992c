from playwright.sync_api import expect

from projects.models import Role
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import ProjectFactory, member

from .judging_page import JudgingPage


def test_the_live_region_tells_the_answer_and_the_next_pair(new_context):
    project = ProjectFactory()
    ada = member(project, Role.ANNOTATOR, "ada")
    batch = judging_batch(project, [ada], size=3)
    first, second, third = assignments_of(batch, ada)
    page = JudgingPage.of(ada, new_context).open(batch)
    expect(page.part("live")).to_have_attribute("aria-live", "polite")
    page.expect_said(f"Pair 1 of 3. First sentence: {first.item.pair.sentence_a.text}")
    page.answer("f")
    page.expect_said("Saved: not a paraphrase. Pair 2 of 3.")
    page.expect_said(second.item.pair.sentence_a.text)
    page.answer("k")
    page.expect_said("Saved: skipped. Pair 3 of 3.")
    page.expect_said(third.item.pair.sentence_b.text)
    page.press("x")
    page.expect_said("Flagged.")
    page.press("x")
    page.expect_said("The flag is off.")
    page.answer("j")
    page.expect_said("1 skipped pair left; this is the last one.")
    page.expect_said(second.item.pair.sentence_a.text)
    page.answer("k")
    page.expect_said("No open pairs are left.")
    expect(page.part("finished")).to_be_focused()


def test_enter_on_a_focused_answer_gives_it(new_context):
    project = ProjectFactory()
    ada = member(project, Role.ANNOTATOR, "ada")
    batch = judging_batch(project, [ada], size=3)
    page = JudgingPage.of(ada, new_context).open(batch)
    page.page.locator('[data-label="paraphrase"]').focus()
    page.answer("Enter")
    page.expect_count(1, 3)
    page.answer("Space")
    page.expect_count(2, 3)
    page.expect_synced()
