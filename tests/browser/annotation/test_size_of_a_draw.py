"""The number of pairs in the form of a draw: suggested by the dataset, and left alone once it is typed."""

import pytest
from playwright.sync_api import expect

from projects.models import Role
from tests.browser.annotation.answering_page import sign_in
from tests.factories.corpus import ProjectFactory, dataset_of, member


@pytest.fixture
def page(new_context):
    project = ProjectFactory(slug="dams")
    member(project, Role.ANNOTATOR, "ann")
    for name, pairs in (("small", 3), ("large", 7)):
        dataset_of(project, pairs, name=name)
    context = new_context()
    sign_in(context, member(project, Role.MANAGER, "mia"))
    page = context.new_page()
    page.goto("/projects/dams/launch/draw-judging-batch/")
    return page


def choose_the_other_dataset(page):
    field = page.get_by_label("Dataset", exact=True)
    other = field.evaluate("field => [...field.options].find(({ selected }) => !selected).value")
    field.select_option(other)


def test_the_suggestion_follows_the_dataset(page):
    size = page.get_by_label("Pairs", exact=True)
    expect(size).to_have_value("3")
    choose_the_other_dataset(page)
    expect(size).to_have_value("7")


def test_a_number_typed_before_the_suggestion_comes_stays(page):
    waiting = []
    page.route("**/launch/draw-judging-batch/?*", lambda route: waiting.append(route))  # noqa: PLW0108 - Playwright marks it
    choose_the_other_dataset(page)
    while not waiting:
        page.wait_for_timeout(20)
    size = page.get_by_label("Pairs", exact=True)
    size.fill("2")
    expect(page.locator("#id_size_helptext")).to_contain_text("3 of the 3")
    waiting[0].continue_()
    expect(page.locator("#id_size_helptext")).to_contain_text("7 of the 7")
    expect(size).to_have_value("2")
