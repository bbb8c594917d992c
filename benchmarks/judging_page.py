"""Speed of the judging page in a headless Chromium; prints JSON. Needs `make setup-dev`.

    python -m benchmarks.judging_page [--answers 50] [--loads 5]

The server is gunicorn on SQLite with the real settings, on this machine. `key_to_paint_ms`: from the key
press to the frame that shows the next pair, by the page's own marks (window.paragoldTimings). A cold load is
one with an empty cache: its requests, the bytes that came over the wire, and the milliseconds from the start
of the navigation until the first pair was painted.
"""

from __future__ import annotations

import argparse
import json
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.one_annotator import signed_in
from benchmarks.throwaway_server import percentile, throwaway_server
from scripts.services import find_browser

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
READY = """() => {
    const painted = performance.getEntriesByName("paragold:painted");
    return painted.length > 0 && painted.length === performance.getEntriesByName("paragold:key").length
        && performance.now() - painted.at(-1).startTime > 155;
}"""


def make(answers: int) -> tuple[str, str]:
    """The path of the page for a batch of that many pairs, and the session of its annotator."""
    from projects.models import Role
    from tests.factories.annotation import judging_batch
    from tests.factories.corpus import ProjectFactory, member

    project = ProjectFactory(guidelines="Same event, same claim.\n\n" * 20)
    annotator = member(project, Role.ANNOTATOR, "annotator")
    batch = judging_batch(project, [annotator], size=answers + 20)
    return f"/projects/{project.slug}/judge/{batch.pk}/answer/", signed_in(annotator)


def open_page(browser: Browser, address: str, session: str) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    name, _, value = session.partition("; ")[0].partition("=")
    context.add_cookies([{"name": name, "value": value, "url": address}])
    return context.new_page()


def cold_load(
    browser: Browser, address: str, path: str, session: str, *, ready: str = READY
) -> dict[str, float]:
    page = open_page(browser, address, session)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(address + path)
    page.wait_for_function(ready)
    first = page.evaluate("performance.getEntriesByName('paragold:painted')[0]?.startTime ?? 0")
    page.wait_for_load_state("networkidle")
    page.context.close()
    return {"requests": len(sizes), "bytes": sum(sizes), "first_item_ms": first}


def judge(page: Page, answers: int) -> list[float]:
    """Milliseconds from key to paint of each answer, and none of them left unsent."""
    for number in range(answers):
        page.wait_for_function(READY)
        page.keyboard.press("jf"[number % 2])
    page.wait_for_function(READY)
    page.locator("[data-part=unsynced]").wait_for(state="hidden")
    return page.evaluate("window.paragoldTimings.slice(1).map(({ milliseconds }) => milliseconds)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", type=int, default=50)
    parser.add_argument("--loads", type=int, default=5)
    arguments = parser.parse_args()
    with (
        throwaway_server(lambda: make(arguments.answers)) as (server, (path, session)),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=FLAGS)
        loads = [cold_load(browser, server.address, path, session) for _ in range(arguments.loads)]
        page = open_page(browser, server.address, session)
        page.goto(server.address + path)
        painted = judge(page, arguments.answers)
        version = browser.version
        browser.close()
    result = {
        "answers": len(painted),
        "key_to_paint_ms": {
            "p50": percentile(painted, 0.5),
            "p95": percentile(painted, 0.95),
            "max": round(max(painted), 1),
        },
        "cold_load": {
            "requests": loads[0]["requests"],
            "bytes": loads[0]["bytes"],
            "first_item_ms": round(median(load["first_item_ms"] for load in loads)),
            "first_item_ms_range": [
                round(min(load["first_item_ms"] for load in loads)),
                round(max(load["first_item_ms"] for load in loads)),
            ],
            "loads": arguments.loads,
        },
        "chromium": version,
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
