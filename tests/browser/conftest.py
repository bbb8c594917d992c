"""A headless Chromium on a live server of the test database."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import BrowserContext, expect, sync_playwright

from projects.models import Role
from scripts.services import find_browser
from tests.factories.corpus import PASSWORD, member
from tests.worker_process import Worker

# Playwright's synchronous interface runs an event loop, in which Django would refuse to touch the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Milliseconds that a page may take to get where a test waits for it, many times what an idle machine needs.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}


def pytest_collection_modifyitems(items):
    for item in items:
        if "/browser/" in str(item.path):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.django_db(transaction=True))


@pytest.fixture(scope="session")
def browser():
    executable = find_browser()
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is not installed; the gate needs it (apt-get install chromium).")
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_context(browser, live_server):
    """Opens contexts (a person's browser each) whose pages report script errors and blocked content."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def listen(page):
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: (
                complaints.append(f"{page.url}: {message.text}")
                if "Content Security Policy" in message.text
                else None
            ),
        )

    def open_context(**options):
        settings: dict[str, object] = {"viewport": WIDE, "base_url": live_server.url, **options}
        context = browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        context.on("page", listen)
        contexts.append(context)
        return context

    yield open_context
    for context in contexts:
        # A route that still waits for its answer would raise its error in the next test.
        context.unroute_all(behavior="ignoreErrors")
        for page in context.pages:
            page.unroute_all(behavior="ignoreErrors")
        context.close()
    assert complaints == []


@pytest.fixture
def log_in(new_context):
    """Logs a user in through the page, by keyboard, in a browser of their own."""

    def log_in(username, password=PASSWORD, **options):
        page = new_context(**options).new_page()
        page.goto("/accounts/login/")
        page.get_by_label("Username").press_sequentially(username)
        page.keyboard.press("Tab")
        page.keyboard.type(password)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: "login" not in url)
        return page

    return log_in


@pytest.fixture
def worker(tmp_path, transactional_db):
    worker = Worker(tmp_path / "worker.log")
    worker.start()
    yield worker
    worker.close()


@pytest.fixture
def ada(project):
    return member(project, Role.ANNOTATOR, "ada")
