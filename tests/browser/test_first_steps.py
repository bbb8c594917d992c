"""From an empty installation to the first judgement of pairs of one's own file, with every click counted."""

from pathlib import Path

from playwright.sync_api import expect

from annotation.models import Judgement
from projects.models import Project
from tests.factories.corpus import PASSWORD, UserFactory

from .axe import problems
from .whole_path import STORED_WITHIN, wait_until_read

DEMO = Path(__file__).resolve().parents[2] / "demo" / "corpus.jsonl"
MOST_CLICKS = 8


class Clicks:
    """A mouse that counts."""

    def __init__(self):
        self.count = 0

    def on(self, element):
        element.click(timeout=STORED_WITHIN)
        self.count += 1


def button(page, name):
    return page.get_by_role("button", name=name)


def test_the_first_judgement_takes_few_clicks(new_context, transactional_db, worker):
    UserFactory(username="mary", is_superuser=True)
    # axe writes styles into the page, which the pages forbid.
    page, click = new_context(bypass_csp=True).new_page(), Clicks()
    page.goto("/")
    page.get_by_label("Username").fill("mary")
    page.get_by_label("Password").fill(PASSWORD)
    click.on(button(page, "Log in"))
    click.on(page.get_by_role("link", name="New project"))
    page.get_by_label("Name", exact=True).fill("Dams")
    assert problems(page) == []
    with page.expect_file_chooser() as chooser:
        click.on(page.locator("input[type=file]"))
    chooser.value.set_files(DEMO)
    click.on(button(page, "Create project"))
    expect(page.get_by_label("Held-out share")).to_have_value("0.2")
    assert problems(page) == []
    click.on(button(page, "Import 96 articles"))
    trial = button(page, "Judge up to 20 pairs yourself")
    expect(trial).to_be_visible(timeout=STORED_WITHIN)
    assert problems(page) == []
    click.on(trial)
    counter = page.locator("[data-part=counter]")
    expect(counter).to_have_text("0 of 20")
    wait_until_read(page)
    click.on(page.locator("[data-label=paraphrase]"))
    expect(counter).to_have_text("1 of 20")
    expect(page.locator("[data-part=unsynced]")).to_be_hidden()
    assert Judgement.objects.count() == 1
    assert click.count <= MOST_CLICKS, f"{click.count} clicks"
    project = Project.objects.get()
    assert project.held_out_share == 0.2 and "paraphrase" in project.guidelines
