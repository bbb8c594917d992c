"""Pictures of the pages, taken from the demo project: docs/screenshots/NAME.webp.

screenshots.py NAME ...  those pages alone; without a name all of them

They are light and 1280 pixels wide; of the pages on which people spend their days there are also dark and
narrow ones: NAME-{light,dark}-{1280,390}.webp.
"""

from __future__ import annotations

import base64
import os
import shlex
import sys
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from benchmarks.server import running, served, signed_in, throwaway_installation, worker_is_there  # noqa: E402 - the path comes first
from ops.launcher.programs import worker  # noqa: E402 - as above
from scripts.services import find_browser  # noqa: E402 - as above

SIGN_ON = {
    "PARAGOLD_MAIL": "console",
    "PARAGOLD_MAIL_FROM": "paragold@paragold.example",
    "PARAGOLD_SECOND_FACTOR": "1",
    "PARAGOLD_SESSIONS": "1",
}
WORK = """
build-lexicon --dataset "L12 and F2"
train-classifier --name first --gold-set demo-gold
apply-classifier --classifier first --dataset "L12 and F2" --name refined --threshold 0.5
train-aligner --name best --datasets "L12 and F2" --gold-set demo-links
apply-aligner --trained best --dataset "L12 and F2"
run-experiment --name table --datasets "L12 and F2" --gold-sets demo-links --aligners identity hmm best
match-sentences --name words --scope project --method minhash
draw-splitting-batch --name "Headlines 1" --annotators annotator_a --annotators annotator_b --headlines 30
"""
"""Operations without whose results many pages of the demo would be empty."""
SPLIT = """
freeze-subclusters --name sub-clusters --batch "Headlines 1" --rule shared
draw-splitting-batch --name "Headlines 2" --annotators annotator_a --annotators annotator_b
"""
USERS = {"manager": "manager", "annotator": "annotator_a", "adjudicator": "manager", "admin": "admin"}
EVERY_WAY = {"project", "judge-batch", "link-batch", "link-canvas", "split-batch", "pairs", "experiment"}
NOT_TALL = {"judge-batch", "link-batch", "link-canvas", "split-batch", "split-decide", "adjudicate"}
LIKE_OTHERS = {"account_login", "socialaccount_connections"}
SIZES = (ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
TALLEST = 1400


def prepare() -> None:
    """The demo, and the work that it comes without."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from annotation.models import Item
    from tests.factories.subclusters import split

    call_command("load_demo")
    User.objects.create_superuser("admin")
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
    """Who opens each page, and its address, by the page's name: those of the permission matrix and others."""
    from django.contrib.auth.models import User
    from django.db.models import Model
    from django.urls import reverse

    from alignment import models as linked
    from alignment.services.submitted_links import disputed_counts, submitted_alignments
    from annotation import models as answered
    from annotation.services.batch_figures import disputed_items
    from corpus import models as corpus
    from projects.models import Membership, Project
    from tests.browser.test_every_page import addresses
    from tests.permissions.objects import Objects

    def last(model: type[Model], **conditions: object) -> int:
        return int(model._default_manager.filter(**conditions).latest("pk").pk)

    def batch(name: str) -> int:
        return last(answered.Batch, name=name)

    judged, links = batch("Batch 1"), last(answered.Batch, kind="link")
    disputed_links = disputed_counts(submitted_alignments(answered.Batch.objects.get(pk=links)))
    pair = last(corpus.CandidatePair, items__batch=judged)
    aligner, classifier = last(linked.TrainedAligner), last(answered.TrainedClassifier)
    numbers = {
        "person": last(User, username="annotator_a"),
        "membership": last(Membership, role="annotator"),
        "checked import": last(corpus.CorpusImport),
        "cluster": last(corpus.Cluster),
        "article": last(corpus.Article),
        "extraction": last(corpus.Extraction, name__startswith="L12"),
        "pair": pair,
        "dataset": last(corpus.Dataset),
        "batch": batch("Batch 2"),
        "answered batch": judged,
        "item": disputed_items(answered.Item.objects.filter(batch=judged))[0].pk,
        "gold set": last(answered.GoldSet),
        "split batch": batch("Headlines 1"),
        "split item": last(answered.Item, batch__name="Headlines 1"),
        "gold subclusters": last(answered.GoldSubclusterSet),
        "classifier": classifier,
        "classifier run": last(answered.ClassifierRun),
        "lexicon": last(corpus.Lexicon),
        "gold judgement": last(answered.GoldJudgement),
        "link batch": links,
        "link item": max(disputed_links, key=lambda item: disputed_links[item]),
        "gold links": last(linked.GoldAlignmentSet),
        "aligner": aligner,
        "aligner run": last(linked.AlignerRun),
        "experiment": last(linked.Experiment),
        "experiment cell": last(linked.ExperimentCell),
    }
    project = Project.objects.get()
    shown = {name: (role, path) for name, role, path in addresses(Objects(project, numbers))}
    for name, query in {
        "extraction-dry-run": "preset=L12",
        "launch:apply-classifier": f"classifier={classifier}",
        "classifier-pair": f"pair={pair}",
        "aligner-pair": f"pair={pair}",
    }.items():
        role, path = shown[name]
        shown[name] = role, f"{path}?{query}"
    home = reverse("project", args=[project.slug])
    matching = last(corpus.Extraction, name="words")
    shown |= {
        "own-work": ("annotator", "/"),
        "annotator-project": ("annotator", home),
        "not-found": ("manager", f"{home}nowhere/"),
        "matching": ("manager", reverse("extraction", args=[project.slug, matching])),
        "batch": ("manager", reverse("batch", args=[project.slug, judged])),
        "split-batch": ("annotator", reverse("split-batch", args=[project.slug, batch("Headlines 2")])),
    }
    return {name: page for name, page in shown.items() if name not in LIKE_OTHERS}


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

    cookies = {role: signed_in(User.objects.get(username=name)) for role, name in USERS.items()}
    shown = {name: page for name, page in pages().items() if name in only or not only}
    for size, scheme in product(SIZES, SCHEMES):
        plain = (size, scheme) == (SIZES[0], SCHEMES[0])
        for name in (name for name in shown if plain or name in EVERY_WAY):
            role, path = shown[name]
            cookie = {"Cookie": cookies.get(role, "")}
            context = browser.new_context(
                base_url=address, color_scheme=scheme, extra_http_headers=cookie, viewport=size
            )
            page = context.new_page()
            response = page.goto(path)
            if response is None or response.status != (404 if name == "not-found" else 200):
                raise RuntimeError(f"{path} answered {response and response.status}")
            file = name.replace(":", "-") + ("" if plain else f"-{scheme}-{size['width']}") + ".webp"
            (REPOSITORY / "docs" / "screenshots" / file).write_bytes(take(page, name, size))
            context.close()


def main() -> None:
    os.environ |= SIGN_ON
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
