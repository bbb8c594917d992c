import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.models import Batch
from projects.models import Role
from tests.browser.annotation.answering_page import sign_in
from tests.factories.corpus import PASSWORD, dataset_of, member

DRAWN = re.compile(r"/judge/[0-9]+/$")
BACK = "The form is filled in as you left it"


@pytest.fixture
def mia(project):
    return member(project, Role.MANAGER, "mia")


@pytest.fixture
def page(project, mia, new_context):
    member(project, Role.ANNOTATOR, "ann")
    member(project, Role.ANNOTATOR, "ben")
    dataset_of(project, 4)
    context = new_context()
    sign_in(context, mia)
    page = context.new_page()
    page.goto("/projects/dams/launch/draw-judging-batch/")
    return page


def fill_in(page):
    page.get_by_label("Name").fill("Storms")
    page.get_by_label("Pairs", exact=True).fill("3")
    page.get_by_label("ben", exact=True).uncheck()
    page.get_by_label("Overlap").fill("1")
    page.get_by_text("How it is drawn").click()
    page.get_by_label("Stratified by").select_option("cluster")


def send(page):
    page.get_by_role("button", name="Draw the batch").click()


def log_in(page, username):
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def end_session(page):
    """The browser has lost its cookies as well."""
    Session.objects.all().delete()
    page.context.clear_cookies()


def test_the_form_comes_back_filled_in(page, project):
    fill_in(page)
    end_session(page)
    send(page)
    expect(page.get_by_text("What you typed is kept in this tab")).to_be_visible()
    log_in(page, "mia")
    expect(page.get_by_role("status").filter(has_text=BACK)).to_be_focused()
    expect(page).to_have_url("/projects/dams/launch/draw-judging-batch/")
    expect(page.get_by_label("Name")).to_have_value("Storms")
    expect(page.get_by_label("ann", exact=True)).to_be_checked()
    expect(page.get_by_label("ben", exact=True)).not_to_be_checked()
    expect(page.get_by_label("Stratified by")).to_be_visible()
    expect(page.get_by_label("Stratified by")).to_have_value("cluster")
    assert not Batch.objects.exists()
    send(page)
    page.wait_for_url(DRAWN)
    batch = Batch.objects.get()
    assert (batch.name, batch.items.count(), batch.sampling["by"]) == ("Storms", 3, "cluster")
    page.goto("/projects/dams/launch/draw-judging-batch/")
    expect(page.get_by_label("Name")).not_to_have_value("Storms")


def test_another_person_does_not_get_it(page, project, mia):
    member(project, Role.MANAGER, "eve")
    fill_in(page)
    end_session(page)
    send(page)
    log_in(page, "eve")
    expect(page.get_by_label("Name")).to_have_value("Judging 1")
    assert page.evaluate("sessionStorage.getItem('paragold-form')") is None
    sign_in(page.context, mia)
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("Judging 1")


def test_files_and_passwords_are_not_kept_and_that_is_said(page, tmp_path):
    page.goto("/projects/dams/judge/import/")
    judged = tmp_path / "judged.jsonl"
    judged.write_text("{}")
    page.locator('input[type="file"]').set_input_files(judged)
    end_session(page)
    page.locator('main form[method="post"] button.main').click()
    log_in(page, "mia")
    expect(page.get_by_text("Files cannot be kept: choose them again.")).to_be_visible()
