"""Speed of the linking page in a headless Chromium; prints JSON. Needs `make setup-dev`.

    python -m benchmarks.linking_page [--words 60] [--rounds 12]

One pair of two sentences of that many words, a link suggested for every second word and the matrix beside
the ladder. Each round moves, links, changes, removes and takes back. For each action (by the page's own
window.paragoldTimings): `script_ms`, the work done by the page; `work_ms`, that and the layout and painting
of its frame; `painted_ms`, from the key until that was painted. A screen shows a frame every 16.7 ms, and the
keys here come just after one: what `painted_ms` has beyond `work_ms` is the wait for the next frame.
`cold_load` is the page with an empty cache: its requests and the bytes that came over the wire.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict

from playwright.sync_api import Page, sync_playwright

from benchmarks.judging_page import FLAGS, cold_load, open_page
from benchmarks.one_annotator import signed_in
from benchmarks.throwaway_server import percentile, throwaway_server
from scripts.services import find_browser

KEYS = ["ArrowRight", "ArrowDown", "s", "p", "Backspace", "ArrowLeft", "ArrowDown", "u", "Control+y"]
READY = "() => document.querySelector('.word') !== null"
PAINTED = "() => window.paragoldTimings.every(({ milliseconds }) => milliseconds !== null)"


def make(words: int) -> tuple[str, str]:
    """The path of the page for a batch of one pair, and the session of its annotator."""
    from projects.models import Role
    from tests.browser.alignment.linking_page import paraphrases
    from tests.factories.corpus import ProjectFactory, member

    project = ProjectFactory()
    annotator = member(project, Role.ANNOTATOR, "annotator")
    first = " ".join(f"word{number}" for number in range(words))
    second = " ".join(f"word{number}" if number % 2 else f"term{number}" for number in range(words))
    batch = paraphrases(project, [annotator], [(first, second)], suggester="identity")
    return f"/projects/{project.slug}/link/{batch.pk}/answer/", signed_in(annotator)


def timings(page: Page, rounds: int) -> dict[str, list[dict[str, float]]]:
    """By action, what the page measured; the first round warms up."""
    for number in range(rounds + 1):
        if number == 1:
            page.evaluate("() => { window.paragoldTimings.length = 0; }")
        for key in KEYS:
            page.keyboard.press(key)
            page.wait_for_function(PAINTED)
    by_action = defaultdict(list)
    for entry in page.evaluate("window.paragoldTimings"):
        by_action[entry["action"]].append(entry)
    return by_action


def figures(entries: list[dict[str, float]]) -> dict[str, object]:
    script = [entry["script"] for entry in entries]
    work = [entry["script"] + entry["rendering"] for entry in entries]
    painted = [entry["milliseconds"] for entry in entries]
    return {
        "times": len(entries),
        "script_ms": {"p50": percentile(script, 0.5), "p95": percentile(script, 0.95)},
        "work_ms": {"p50": percentile(work, 0.5), "p95": percentile(work, 0.95)},
        "painted_ms": {"p50": percentile(painted, 0.5), "p95": percentile(painted, 0.95)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=12)
    arguments = parser.parse_args()
    with (
        throwaway_server(lambda: make(arguments.words)) as (server, (path, session)),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=FLAGS)
        load = cold_load(browser, server.address, path, session, ready=READY)
        page = open_page(browser, server.address, session)
        page.goto(server.address + path)
        page.locator(".word").first.wait_for()
        measured = timings(page, arguments.rounds)
        links = page.locator(".ladder path[data-strength]").count()
        version = browser.version
        browser.close()
    everything = [entry for entries in measured.values() for entry in entries]
    result = {
        "words": [arguments.words, arguments.words],
        "links_at_the_end": links,
        "cold_load": load,
        "all": figures(everything),
        **{action: figures(entries) for action, entries in sorted(measured.items())},
        "chromium": version,
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
