"""Marking blocks by mouse and by keyboard; what is kept is what was ticked."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from projects.models import Project
from tests.browser.axe import problems
from tests.factories.corpus import ProjectFactory, member
from tests.factories.story import waiting_import

WORDS = ("one", "two", "three", "four", "five", "six")
HTML = "<body>" + "".join(f"<p>Paragraph {word} of a page.</p>" for word in WORDS) + "</body>"


def opened(log_in, html: str = HTML, **options: object) -> tuple[Project, Page]:
    project = ProjectFactory(slug="floods")
    member(project, "manager", "mira")
    source = waiting_import(project, {"dam/a.html": html, "dam/b.html": HTML.replace("Paragraph", "Part")})
    page = log_in("mira", **options)
    page.goto(f"/projects/floods/corpus/imports/{source.pk}/pages/")
    expect(page.locator("form.blocks[data-ready]")).to_be_visible()
    return project, page


def box(page: Page, word: str) -> Locator:
    return page.get_by_role("checkbox", name=f"Paragraph {word} of")


def count(page: Page, number: int) -> None:
    expect(page.get_by_role("status").filter(has_text="are main text")).to_have_text(
        f"{number} of 6 are main text"
    )


def untick_all(page: Page) -> None:
    for word in WORDS:
        box(page, word).uncheck()
    count(page, 0)


def test_blocks_are_marked_by_mouse(transactional_db: None, log_in) -> None:
    project, page = opened(log_in)
    untick_all(page)
    page.get_by_text("Paragraph two of").click()
    count(page, 1)
    page.get_by_text("Paragraph five of").click(modifiers=["Shift"])
    count(page, 4)
    page.get_by_text("Paragraph three of").click()
    count(page, 3)
    page.get_by_role("button", name="Keep the marks").click()
    expect(page.get_by_text("The marks of dam/a.html are kept.")).to_be_visible()
    expect(page.get_by_text("page 2 of 2")).to_be_visible()
    assert project.marked_pages.get().marks == [False, True, False, True, True, False]


def test_blocks_are_marked_by_keyboard(transactional_db: None, log_in) -> None:
    project, page = opened(log_in)
    untick_all(page)
    box(page, "one").focus()
    page.keyboard.press("ArrowDown")
    expect(box(page, "two")).to_be_focused()
    page.keyboard.press("Space")
    count(page, 1)
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    expect(box(page, "four")).to_be_focused()
    count(page, 3)
    page.keyboard.press("Space")
    count(page, 2)
    page.get_by_role("button", name="Keep the marks").press("Enter")
    expect(page.get_by_text("The marks of dam/a.html are kept.")).to_be_visible()
    assert project.marked_pages.get().marks == [False, True, True, False, False, False]


def test_a_page_of_more_blocks_than_a_form_has_fields(transactional_db: None, log_in) -> None:
    html = "<body>" + "".join(f"<p>Line {number} of a page.</p>" for number in range(1_200)) + "</body>"
    project, page = opened(log_in, html)
    tally = page.get_by_role("status").filter(has_text="are main text")
    first, last = page.get_by_role("checkbox").first, page.get_by_role("checkbox").last
    last.uncheck()
    first.uncheck()
    first.check()
    last.click(modifiers=["Shift"])
    expect(tally).to_have_text("1200 of 1200 are main text")
    page.keyboard.press("Space")
    expect(tally).to_have_text("1199 of 1200 are main text")
    page.get_by_role("button", name="Keep the marks").press("Enter")
    expect(page.get_by_text("The marks of dam/a.html are kept.")).to_be_visible()
    assert project.marked_pages.get().marks == [True] * 1_199 + [False]


def test_the_page_is_for_everybody(transactional_db: None, log_in) -> None:
    _, page = opened(log_in, viewport={"width": 390, "height": 844}, color_scheme="dark", bypass_csp=True)
    assert problems(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
