"""Pictures of every page, taken from the demo project, so that they stay true.

screenshots.py                  writes docs/screenshots/NAME.png, light at 1280 pixels; those pages on which
                                people spend their days also dark and narrow: NAME-{light,dark}-{1280,390}.png
screenshots.py --only NAME,NAME  those pages alone
screenshots.py --all FOLDER     writes NAME-{light,dark}-{1280,390}.png for looking at
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from scripts.pictures.demo import Demo, demo, prepare  # noqa: E402 - the path comes first
from scripts.pictures.pages import WITHOUT_LOGIN, addresses  # noqa: E402 - as above
from scripts.pictures.png import shrink  # noqa: E402 - as above
from scripts.services import find_browser  # noqa: E402 - as above

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HEIGHTS = {1280: 800, 390: 844}
EVERY_WAY = frozenset(("project", "judge", "link", "link-canvas", "split", "pairs", "experiment"))
BENCHES = frozenset(("judge", "link", "link-canvas", "split", "split-decide", "adjudicate"))
TALLEST = 1400

Scheme = Literal["light", "dark"]
Save = Callable[..., None]


@dataclass(frozen=True)
class Look:
    scheme: Scheme
    width: int


PLAIN = Look("light", 1280)
LOOKS = (PLAIN, Look("dark", 1280), Look("light", 390), Look("dark", 390))


def settle(page: Page, name: str) -> None:
    """Bring the annotation pages into a state worth looking at."""
    if name == "judge":
        page.locator("[data-side=a] [data-part=sentence]").wait_for()
    if name == "link":
        page.locator(".word[data-side=a]").first.wait_for()
        page.keyboard.press("a")
        page.locator('.word[data-side=a][data-index="2"]').focus()
    if name == "split":
        page.locator(".headline").first.wait_for()
        for key in "1122":
            page.keyboard.press(key)
    page.wait_for_timeout(300)


def open_page(page: Page, path: str) -> None:
    """Raises RuntimeError for a page on which the program failed: there is no picture of such pages."""
    response = page.goto(path)
    if response is None or response.status >= 500:
        raise RuntimeError(f"{path} answered {response.status if response else 'nothing'}")


def take(browser: Browser, installation: Demo, save: Save, look: Look, only: frozenset[str]) -> None:
    """One picture of every page, or of those in `only`."""
    pages = addresses(installation.database)
    size = ViewportSize(width=look.width, height=HEIGHTS[look.width])
    for user in ("manager", "annotator_a", "admin"):
        context = browser.new_context(base_url=installation.address, color_scheme=look.scheme, viewport=size)
        if user == "manager":
            page = context.new_page()
            for name, path in WITHOUT_LOGIN.items():
                if name in only or not only:
                    open_page(page, path)
                    save(page, name, look, full=False)
            page.close()
        page = installation.log_in(context, user)
        for name, (whose, path) in pages.items():
            if whose == user and (name in only or not only):
                open_page(page, path)
                if name != "password-again" and "/again/" in page.url:
                    page.get_by_label("Password").fill(installation.passwords[user])
                    page.keyboard.press("Enter")
                    page.wait_for_url(f"**{path}")
                settle(page, name)
                save(page, name, look, full=name not in BENCHES)
        context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="light and dark, wide and narrow")
    parser.add_argument("--only", metavar="NAME,NAME", default="", help="these pages alone")
    asked = parser.parse_args()
    everything: Path | None = asked.all
    only = frozenset(filter(None, asked.only.split(",")))
    folder = everything or REPOSITORY / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)

    def save(page: Page, name: str, look: Look, *, full: bool) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > look.width:
            print(f"{name} at {look.width}: {wide} pixels wide")
        plain = not everything and look == PLAIN
        file = f"{name}.png" if plain else f"{name}-{look.scheme}-{look.width}.png"
        tall = page.evaluate("document.documentElement.scrollHeight")
        height = min(tall, TALLEST) if full else HEIGHTS[look.width]
        box = FloatRect(x=0, y=0, width=look.width, height=height)
        (folder / file).write_bytes(shrink(page.screenshot(full_page=full, clip=box), blank))

    with sync_playwright() as playwright, demo() as installation:
        browser = playwright.chromium.launch(executable_path=find_browser("chromium"), args=FLAGS)
        blank = browser.new_page()
        prepare(browser, installation)
        for look in LOOKS:
            if everything or look == PLAIN:
                take(browser, installation, save, look, only)
            elif chosen := EVERY_WAY & (only or EVERY_WAY):
                take(browser, installation, save, look, chosen)
        browser.close()


if __name__ == "__main__":
    main()
