"""Pictures of the pages, taken from the demo project: docs/screenshots/NAME.webp.

screenshots.py NAME ...  those pages alone; without a name all of them

They are light and 1280 pixels wide; NAME-narrow.webp is dark and as wide as a phone.
"""

from __future__ import annotations

import base64
import shlex
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from ops.launcher.programs import worker  # noqa: E402 - as above
from scripts.installations import running, served, signed_in, throwaway_installation, worker_is_there  # noqa: E402 - the path comes first
from scripts.services import find_browser  # noqa: E402 - as above

WORK = """
run-experiment --name table --datasets "L12 and F2" --gold-sets demo-links --aligners identity hmm best
draw-splitting-batch --name "Headlines 1" --annotators annotator_a --annotators annotator_b --headlines 30
"""
"""Operations without whose results many pages of the demo would be empty."""
SPLIT = """
freeze-subclusters --name sub-clusters --batch "Headlines 1" --rule shared
draw-splitting-batch --name "Headlines 2" --annotators annotator_a --annotators annotator_b
"""
NOT_TALL = {"judge-batch", "link-batch", "link-canvas", "split-batch"}
WAYS: tuple[tuple[str, ViewportSize, Literal["light", "dark"]], ...] = (
    ("", ViewportSize(width=1280, height=800), "light"),
    ("-narrow", ViewportSize(width=390, height=844), "dark"),
)
TALLEST = 1400


def prepare() -> None:
    """The demo, and the work that it comes without."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from annotation.models import Item
    from tests.factories.subclusters import split

    call_command("load_demo")
    launch_all(WORK)
    for item in Item.objects.filter(batch__name="Headlines 1"):
        for most, name in enumerate(("annotator_a", "annotator_b"), start=2):
            split(item, User.objects.get(username=name), [range(1, most + 1), range(most + 1, 6)])
    launch_all(SPLIT)


def launch_all(operations: str) -> None:
    from django.core.management import call_command

    for line in operations.strip().splitlines():
        call_command("launch", *shlex.split(line), "--project=demo", "--user=manager", "--wait")


def pages() -> dict[str, tuple[str, str]]:
    """Who opens each page, and its address, by the page's name."""
    from django.urls import reverse

    from alignment.models import Experiment
    from alignment.services.submitted_links import disputed_counts, submitted_alignments
    from annotation.models import Batch

    links = Batch.objects.get(name="Links 1")
    disputed = disputed_counts(submitted_alignments(links))

    def of_demo(view: str, *arguments: int) -> str:
        return reverse(view, args=["demo", *arguments])

    return {
        "project": ("manager", of_demo("project")),
        "pairs": ("manager", of_demo("pairs")),
        "judge-batch": ("annotator_a", of_demo("judge-batch", Batch.objects.get(name="Batch 2").pk)),
        "link-batch": ("annotator_a", of_demo("link-batch", links.pk)),
        "link-canvas": ("manager", of_demo("link-canvas", max(disputed, key=disputed.__getitem__))),
        "split-batch": ("annotator_a", of_demo("split-batch", Batch.objects.get(name="Headlines 2").pk)),
        "agreement": ("manager", of_demo("agreement")),
        "experiment": ("manager", of_demo("experiment", Experiment.objects.get().pk)),
    }


def settle(page: Page, name: str) -> None:
    """Bring the annotation pages into a state worth looking at."""
    if name == "judge-batch":
        page.locator("[data-side=a] [data-part=sentence]").wait_for()
    if name == "link-batch":
        page.locator(".word[data-side=a]").first.wait_for()
        page.keyboard.press("a")
        page.locator('.word[data-side=a][data-index="2"]').focus()
    if name == "split-batch":
        page.locator(".headline").first.wait_for()
        for key in "1122":
            page.keyboard.press(key)
    page.wait_for_timeout(300)


def take(page: Page, name: str, size: ViewportSize) -> bytes:
    """The open page as a WebP file."""
    settle(page, name)
    width, height = (page.evaluate(f"document.documentElement.scroll{side}") for side in ("Width", "Height"))
    if width > size["width"]:
        print(f"{name} at {size['width']}: {width} pixels wide")
    height = size["height"] if name in NOT_TALL else min(height, TALLEST)
    clip = {"x": 0, "y": 0, "width": size["width"], "height": height, "scale": 1}
    options = {"format": "webp", "quality": 70, "clip": clip, "captureBeyondViewport": True}
    return base64.b64decode(
        page.context.new_cdp_session(page).send("Page.captureScreenshot", options)["data"]
    )


def take_all(browser: Browser, address: str, only: set[str]) -> None:
    from django.contrib.auth.models import User

    shown = {name: page for name, page in pages().items() if name in only or not only}
    for name, (username, path) in shown.items():
        cookie = {"Cookie": signed_in(User.objects.get(username=username))}
        for ending, size, scheme in WAYS:
            context = browser.new_context(
                base_url=address, color_scheme=scheme, extra_http_headers=cookie, viewport=size
            )
            page = context.new_page()
            response = page.goto(path)
            if response is None or response.status != 200:
                raise RuntimeError(f"{path} answered {response and response.status}")
            (REPOSITORY / "docs" / "screenshots" / f"{name}{ending}.webp").write_bytes(take(page, name, size))
            context.close()


def main() -> None:
    with throwaway_installation() as installation:
        prepare()
        with (
            running(worker(installation), ready=worker_is_there),
            served(installation) as (_, address),
            sync_playwright() as playwright,
        ):
            browser = playwright.chromium.launch(
                executable_path=find_browser("chromium"), args=["--no-sandbox"]
            )
            take_all(browser, address, set(sys.argv[1:]))
            browser.close()


if __name__ == "__main__":
    main()
