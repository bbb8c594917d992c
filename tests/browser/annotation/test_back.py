import pytest
from playwright.sync_api import expect

from annotation.models import AssignmentState
from tests.browser.alignment.linking_page import LinkingPage, paraphrases
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.subclusters import headline_cluster, splitting_batch

from .judging_page import JudgingPage
from .splitting_page import SplittingPage

TEXTS = [(f"Dam {n} broke", f"The dam {n} burst") for n in ("one", "two")]


def make_judging(project, ada, new_context):
    batch = judging_batch(project, [ada], size=3)
    return JudgingPage.of(ada, new_context).open(batch), batch


def make_linking(project, ada, new_context):
    batch = paraphrases(project, [ada], TEXTS)
    return LinkingPage.of(ada, new_context).open(batch), batch


def make_splitting(project, ada, new_context):
    for key in ("one", "two"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, [ada])
    return SplittingPage.of(ada, new_context).open(batch), batch


def answered(batch, user):
    return [one.state for one in assignments_of(batch, user)].count(AssignmentState.DONE)


def judge_one(page):
    page.answer("j")


def link_one(page):
    page.link(0, 2)
    page.submit()
    page.press("Control+Enter")


def split_one(page):
    page.press("1", "1")
    page.submit()
    page.press("Control+Enter")


@pytest.mark.parametrize(
    ("make", "answer_one"),
    [(make_judging, judge_one), (make_linking, link_one), (make_splitting, split_one)],
    ids=["judge", "link", "split"],
)
def test_back_shows_what_is_still_open(project, ada, new_context, make, answer_one):
    page, batch = make(project, ada, new_context)
    # Now the browser has all its cookies: it keeps pages by the cookies that they were asked for with.
    page.open(batch)
    answer_one(page)
    expect(page.part("counter")).to_contain_text("1 of")
    page.expect_synced()
    page.page.goto(f"/projects/{project.slug}/")
    page.page.go_back()
    expect(page.part("counter")).to_contain_text("1 of")
    answer_one(page)
    expect(page.part("counter")).to_contain_text("2 of")
    page.expect_synced()
    expect(page.notice).to_have_count(0)
    assert answered(batch, ada) == 2
