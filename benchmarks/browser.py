"""The judging and the linking page in a headless Chromium. The server is gunicorn on SQLite."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.measuring import Row, spread
from scripts.installations import signed_in, throwaway_server
from scripts.services import find_browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
JUDGED = """() => {
    const painted = performance.getEntriesByName("paragold:painted");
    return painted.length > 0 && painted.length === performance.getEntriesByName("paragold:key").length
        && performance.now() - painted.at(-1).startTime > 155;
}"""
FIRST = "performance.getEntriesByName('paragold:painted')[0]?.startTime ?? 0"
KEYS = ["ArrowRight", "ArrowDown", "s", "p", "Backspace", "ArrowLeft", "ArrowDown", "u", "Control+y"]
WORDS_SHOWN = "() => document.querySelector('.word') !== null"
LINKED = "() => window.paragoldTimings.every(({ milliseconds }) => milliseconds !== null)"


def judging_page(*, answers: int = 50, loads: int = 5) -> list[Row]:
    """Milliseconds from a key to the next pair painted, and a cold load of the judging page.

    By the page's own marks (window.paragoldTimings). A cold load has an empty cache: its requests, the bytes
    over the wire, and the milliseconds until the first pair was painted.
    """
    with opened(lambda: _judging(answers)) as (browser, address, session):
        cold = [cold_load(browser, address, session, JUDGED) for _ in range(loads)]
        page = new_page(browser, address, session)
        page.goto(address)
        for number in range(answers):
            page.wait_for_function(JUDGED)
            page.keyboard.press("jf"[number % 2])
        page.wait_for_function(JUDGED)
        page.locator("[data-part=unsynced]").wait_for(state="hidden")
        painted = page.evaluate("window.paragoldTimings.slice(1).map(({ milliseconds }) => milliseconds)")
        first = round(median(load["first_item_ms"] for load in cold))
    key = {"what": "key to paint", "times": len(painted)} | spread(painted) | {"max_ms": max(painted)}
    return [key, {"what": "cold load", "times": loads} | cold[0] | {"first_item_ms": first}]


def linking_page(*, words: int = 60, rounds: int = 12) -> list[Row]:
    """Milliseconds of an action on the linking page, on a pair of so many words: its work, and until painted.

    A link is suggested for every second word; the matrix is beside the ladder. Each round moves, links,
    changes, removes and takes back. `script` is the work of the page, `work` that and the layout and painting
    of its frame, `painted` from the key until that was painted: the keys come just after a frame, and the
    next one comes up to 16.7 ms later.
    """
    with opened(lambda: _linking(words)) as (browser, address, session):
        load = cold_load(browser, address, session, WORDS_SHOWN)
        page = new_page(browser, address, session)
        page.goto(address)
        page.locator(".word").first.wait_for()
        for number in range(rounds + 1):
            if number == 1:  # the first round warms up
                page.evaluate("() => { window.paragoldTimings.length = 0; }")
            for key in KEYS:
                page.keyboard.press(key)
                page.wait_for_function(LINKED)
        timings = defaultdict(list)
        for entry in page.evaluate("window.paragoldTimings"):
            timings["all"].append(entry)
            timings[entry["action"]].append(entry)
    rows: list[Row] = []
    for action, entries in timings.items():
        times = {
            "script": [entry["script"] for entry in entries],
            "work": [entry["script"] + entry["rendering"] for entry in entries],
            "painted": [entry["milliseconds"] for entry in entries],
        }
        row: Row = {"what": action, "times": len(entries)}
        for name, some in times.items():
            row |= {f"{name}_{share}": value for share, value in spread(some).items()}
        rows.append(row)
    return [*rows, {"what": "cold load"} | load]


def _judging(answers: int) -> tuple[str, str]:
    """The path of the page for a batch of that many pairs, and the session of its annotator."""
    from projects.models import Role
    from tests.factories.annotation import judging_batch
    from tests.factories.corpus import ProjectFactory, member

    project = ProjectFactory(guidelines="Same event, same claim.\n\n" * 20)
    annotator = member(project, Role.ANNOTATOR, "annotator")
    batch = judging_batch(project, [annotator], size=answers + 20)
    return f"/projects/{project.slug}/judge/{batch.pk}/answer/", signed_in(annotator)


def _linking(words: int) -> tuple[str, str]:
    """As `_judging`, for a batch of one pair to link."""
    from projects.models import Role
    from tests.browser.alignment.linking_page import paraphrases
    from tests.factories.corpus import ProjectFactory, member

    project = ProjectFactory()
    annotator = member(project, Role.ANNOTATOR, "annotator")
    first = " ".join(f"word{number}" for number in range(words))
    second = " ".join(f"word{number}" if number % 2 else f"term{number}" for number in range(words))
    batch = paraphrases(project, [annotator], [(first, second)], suggester="identity")
    return f"/projects/{project.slug}/link/{batch.pk}/answer/", signed_in(annotator)


@contextmanager
def opened(make: Callable[[], tuple[str, str]]) -> Iterator[tuple[Browser, str, str]]:
    """A browser, the address of the page, and the session."""
    with throwaway_server(make) as (_, address, (path, session)), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=FLAGS)
        yield browser, address + path, session
        browser.close()


def new_page(browser: Browser, address: str, session: str) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    name, _, value = session.partition("; ")[0].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": urljoin(address, "/")}])
    return context.new_page()


def cold_load(browser: Browser, address: str, session: str, ready: str) -> Row:
    page = new_page(browser, address, session)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address)
    page.wait_for_function(ready)
    first = page.evaluate(FIRST)
    page.wait_for_load_state("networkidle")
    page.context.close()
    return {"requests": len(sizes), "bytes": round(sum(sizes)), "first_item_ms": round(first)}
