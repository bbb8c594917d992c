from playwright.sync_api import expect

from projects.models import Role
from tests.browser.conftest import NARROW
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import ProjectFactory, member

from .judging_page import JudgingPage, labels_of

PHONE = {"viewport": NARROW, "has_touch": True, "is_mobile": True}
UNBROKEN = "Donaudampfschifffahrtsgesellschaftskapitän" * 8


def test_a_batch_is_judged_by_touch(new_context):
    project = ProjectFactory(name=f"Dams {UNBROKEN}"[:120])
    ada = member(project, Role.ANNOTATOR, "ada")
    batch = judging_batch(project, [ada], size=4, name=UNBROKEN[:80])
    first, *_ = assignments_of(batch, ada)
    sentence, article = first.item.pair.sentence_a, first.item.pair.sentence_a.article
    sentence.text = UNBROKEN
    sentence.tokens, sentence.starts = UNBROKEN, [0]
    sentence.save()
    article.source, article.title, article.url = (
        UNBROKEN[:60],
        UNBROKEN[:200],
        f"https://example.org/{UNBROKEN[:100]}",
    )
    article.save()
    page = JudgingPage.of(ada, new_context, **PHONE).open(batch)
    page.expect_no_overflow()
    page.action("context").tap()
    expect(page.page.locator('[data-side="a"] [data-part="from"]')).to_contain_text("cluster")
    page.action("differences").tap()
    page.expect_no_overflow()
    yes, no = (
        page.page.locator('[data-label="paraphrase"]'),
        page.page.locator('[data-label="not_paraphrase"]'),
    )
    for button in (
        yes,
        no,
        page.action("undo"),
        page.action("skip"),
        page.action("flag"),
        page.action("comment"),
    ):
        assert button.bounding_box()["height"] >= 44
    for button in (yes, no, page.action("skip")):
        page.ready()
        button.tap()
    page.expect_count(2, 4, skipped=1)
    page.action("undo").tap()
    page.expect_count(2, 4)
    page.action("redo").tap()
    page.expect_count(2, 4, skipped=1)
    judge(assignments_of(batch, ada)[3], flagged=True)
    page.ready()
    yes.tap()
    expect(page.notice).to_contain_text("was changed in another place")
    page.expect_no_overflow()
    page.button("Take the stored one").tap()
    page.expect_synced()
    assert labels_of(batch, ada) == ["paraphrase", "not_paraphrase", None, "paraphrase"]
