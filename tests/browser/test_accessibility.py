import pytest
from playwright.sync_api import expect

from projects.models import Role, Scheme
from tests.factories.alignment import link
from tests.factories.annotation import assignments_of, judging_batch
from tests.factories.corpus import ProjectFactory, member
from tests.factories.subclusters import headline_cluster, split, splitting_batch

from .alignment.linking_page import LinkingPage, paraphrases
from .annotation.judging_page import JudgingPage
from .annotation.splitting_page import SplittingPage
from .axe import DARK, problems
from .conftest import NARROW

LOOKS = {
    "light": {"color_scheme": "light"},
    "dark and narrow": {"color_scheme": "dark", "viewport": NARROW, "has_touch": True, "is_mobile": True},
}


@pytest.fixture(params=list(LOOKS))
def look(request):
    # axe writes styles into the page to measure it, which the pages forbid; other tests hold them to that.
    # What is just appearing has not the contrast yet that it will have.
    return {**LOOKS[request.param], "bypass_csp": True, "reduced_motion": "reduce"}


@pytest.fixture
def project():
    return ProjectFactory(guidelines="Same event?\n\n> A dam broke.\n\n| a | b |\n| - | - |\n| 1 | 2 |")


@pytest.fixture
def people(project):
    return [member(project, Role.ANNOTATOR, name) for name in ("ann", "ben")]


@pytest.fixture
def adjudicator(project):
    return member(project, Role.ADJUDICATOR, "adj")


def expect_clean(page):
    """By every rule; in the dark by those on colours and sizes, since the elements are those of the light."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert problems(page, *(DARK if dark else ())) == []


@pytest.mark.parametrize("scheme", list(Scheme))
def test_judging(project, people, new_context, look, scheme):
    project.scheme = scheme
    project.save()
    batch = judging_batch(project, people, size=2)
    page = JudgingPage.of(people[0], new_context, **look).open(batch)
    expect_clean(page.page)
    page.press("d", "i", "x")
    expect(page.action("flag")).to_have_attribute("aria-pressed", "true")
    expect(page.part("from").first).to_contain_text("cluster")
    expect_clean(page.page)
    for key in ("c", "g", "?"):
        page.press(key)
        expect(page.page.locator("dialog[open]")).to_have_count(1)
        expect_clean(page.page)
        page.close_dialog()
    page.answer("k", "k")
    page.expect_standing("2 skipped pairs left; these are the last ones.")
    expect_clean(page.page)
    page.press("l")
    expect(page.page.locator(".own-answer")).to_have_count(2)
    expect_clean(page.page)
    page.close_dialog()
    page.answer("k", "k")
    page.expect_finished("No open pairs are left")
    expect_clean(page.page)


def test_linking(project, people, new_context, look):
    texts = [("Police shot three gunmen .", "Three armed men were killed .")]
    batch = paraphrases(project, people, texts, suggester="identity")
    page = LinkingPage.of(people[0], new_context, **look).open(batch)
    expect_clean(page.page)
    page.link(1, 4)
    page.press("n")
    page.press("m")
    expect_clean(page.page)
    page.press("?")
    expect(page.page.locator("dialog[open]")).to_have_count(1)
    expect_clean(page.page)


def test_the_review_canvas(project, people, adjudicator, new_context, look):
    batch = paraphrases(project, people, [("Dams broke here", "The dam has burst")])
    for user, strength in zip(people, ("sure", "possible"), strict=True):
        link(assignments_of(batch, user)[0], [[0, 0, "sure", "drawn"], [1, 2, strength, "drawn"]])
    page = LinkingPage.of(adjudicator, new_context, **look)
    page.page.goto(f"/projects/{project.slug}/link/items/{batch.items.get().pk}/review/")
    expect(page.page.locator(".disputes tbody tr")).to_have_count(1)
    expect_clean(page.page)
    page.press("s", "m")
    expect_clean(page.page)


def test_splitting_and_deciding(project, people, adjudicator, new_context, look):
    headline_cluster(project)
    batch = splitting_batch(project, people)
    page = SplittingPage.of(people[0], new_context, **look).open(batch)
    expect_clean(page.page)
    page.press("1", "1", "2", "0", "i")
    page.expect_in(0, [4])
    expect_clean(page.page)
    for key in ("c", "?"):
        page.press(key)
        expect(page.page.locator("dialog[open]")).to_have_count(1)
        expect_clean(page.page)
        page.close_dialog()
    # In a batch of its own: the page above may still be sending a draft of its item.
    other = splitting_batch(project, people, again=True)
    for user, groups in zip(people, ([[1, 2, 3]], [[1, 2]]), strict=True):
        split(other.items.get(), user, groups)
    page = SplittingPage.of(adjudicator, new_context, **look)
    page.decide(other.items.get())
    expect_clean(page.page)
