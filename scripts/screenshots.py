"""Pictures of every page, taken from the demo project, so that they stay true.

screenshots.py                 writes docs/screenshots/NAME.png, light at 1280 pixels; those pages on which
                               people spend their days also dark and narrow: NAME-{light,dark}-{1280,390}.png
screenshots.py --all FOLDER    writes NAME-{light,dark}-{1280,390}.png for looking at
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY))

from scripts.services import free_port  # noqa: E402 - the repository must be on the path first

FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
HEIGHTS = {1280: 800, 390: 844}
EVERY_WAY = frozenset(("judge", "link", "split"))
BENCHES = frozenset(("judge", "link", "split", "split-decide"))
TALLEST = 1400
P = "/projects/demo/"


@contextlib.contextmanager
def demo() -> Iterator[tuple[str, dict[str, str], Path]]:
    """A throw-away demo installation: its address, passwords by user name, and its database."""
    with tempfile.TemporaryDirectory(prefix="paragold-pictures-") as folder:
        port = free_port()
        fetching = {"PARAGOLD_FETCHING": "1", "PARAGOLD_FETCH_CONTACT": "mailto:corpus@paragold.example"}
        environment = os.environ | fetching | {"PARAGOLD_VAR": folder, "PORT": str(port)}
        command = [sys.executable, "-m", "config.launcher", "--demo"]
        launcher = subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.DEVNULL)
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address)
            lines = (Path(folder) / "logins.txt").read_text(encoding="utf-8").split("\n")
            rows = [line.split() for line in lines if len(line.split()) >= 3]
            yield address, {row[-2]: row[-1] for row in rows}, Path(folder) / "paragold.sqlite3"
        finally:
            launcher.send_signal(signal.SIGTERM)
            launcher.wait(timeout=30)


def wait_for(address: str) -> None:
    for _ in range(300):
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/readyz", timeout=1):
            time.sleep(6)  # until the worker has said that it is there
            return
        time.sleep(0.2)
    raise SystemExit("The demo did not start.")


ASK = """async ([path, body, method = "POST"]) => {
  const token = document.cookie.split("; ").find((pair) => pair.startsWith("csrftoken=")).slice(10);
  const key = { "X-CSRFToken": token, "Idempotency-Key": crypto.randomUUID() };
  const headers = { "Content-Type": "application/json", ...key };
  const base = path.startsWith("/") ? "" : "/api/v1/projects/demo/";
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  return [answer.status, await answer.text()];
}"""


def prepare(page: Page, database: Path) -> None:
    """Train what the demo comes without: lexicon, classifier, refined dataset, aligner, experiment."""
    page.goto(f"{P}members/")

    def ask(path: str, **body: object) -> None:
        status, text = page.evaluate(ASK, [path, body])
        if status >= 300:
            raise SystemExit(f"{path}: {status} {text}")
        wait_for_jobs(database)

    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        dataset, gold, links = (
            int(connection.execute(f"SELECT min(id) FROM {table}").fetchone()[0])
            for table in ("corpus_dataset", "annotation_goldset", "alignment_goldalignmentset")
        )
    ask("lexicons/", kind="association", name="words", dataset=dataset)
    ask("classifiers/", name="first", gold_set=gold)
    ask("classifier-runs/", classifier=1, dataset=dataset, name="refined", threshold=0.5)
    ask("trained-aligners/", name="hmm", settings={"aligner": "hmm"}, datasets=[dataset])
    ask("experiments/", name="first table", datasets=[dataset], gold_alignments=[links],
        aligners=[{"aligner": "identity"}, {"aligner": "hmm"}, {"aligner": "best"}])  # fmt: skip


def split_headlines(page: Page, logins: dict[str, str]) -> None:
    """Have both annotators split the demo's headlines in ways of their own, and freeze what they share."""
    ask: Callable[..., list[Any]] = functools.partial(page.evaluate, ASK)
    both = ["annotator_a", "annotator_b"]
    for name in ("Headlines 1", "Headlines 2"):
        status, text = ask(["split-batches/", {"name": name, "annotators": both, "headlines": 30}])
        assert status == 201, text
        batch = json.loads(text)["id"]
        if name == "Headlines 2":
            break
        for number, user in enumerate(both):
            context = page.context.browser.new_context(base_url=page.url)  # type: ignore[union-attr]
            own = log_in(context, user, logins)
            queue = own.request.get(f"/api/v1/batches/{batch}/queue/?limit=100").json()
            for item in queue["items"]:
                places = [[n, 1 if n <= 2 + number else 2 if n <= 5 else None] for n in headlines_of(item)]
                body = {"placements": places, "version": 0, "submitted": True, "milliseconds": 21_000}
                address = f"/api/v1/assignments/{item['assignment']}/placements/"
                status, text = own.evaluate(ASK, [address, body, "PUT"])
                assert status == 200, text
            context.close()
        frozen = {"name": "sub-clusters", "batch": batch, "rule": "shared"}
        status, text = ask(["gold-subclusters/", frozen])
        assert status == 201, text


def headlines_of(item: dict[str, Any]) -> list[int]:
    return [headline["number"] for headline in item["headlines"]]


def log_in(context: BrowserContext, user: str, logins: dict[str, str]) -> Page:
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(user)
    page.get_by_label("Password").fill(logins[user])
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "login" not in url)
    return page


def wait_for_jobs(database: Path) -> None:
    """Until the worker has nothing left to do."""
    for _ in range(600):
        time.sleep(0.5)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            active = connection.execute(
                "SELECT count(*) FROM corpus_job WHERE state IN ('queued', 'running')"
            ).fetchone()[0]
            failed = connection.execute(
                "SELECT title, error FROM corpus_job WHERE state = 'failed'"
            ).fetchone()
        if failed:
            raise SystemExit(f"{failed[0]}: {failed[1]}")
        if not active:
            return
    raise SystemExit("The jobs did not end.")


def addresses(database: Path) -> dict[str, tuple[str, str]]:
    """User and address of every page, by the picture's name."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:

        def first(query: str) -> int:
            return int(connection.execute(query).fetchone()[0])

        ids = {
            "cluster": first("SELECT min(id) FROM corpus_cluster"),
            "article": first("SELECT min(id) FROM corpus_article"),
            "extraction": first("SELECT min(id) FROM corpus_extraction"),
            "pair": first("SELECT pair_id FROM annotation_item WHERE number = 3"),
            "dataset": first("SELECT max(id) FROM corpus_dataset"),
            "judged": first("SELECT id FROM annotation_batch WHERE name = 'Batch 1'"),
            "open": first("SELECT id FROM annotation_batch WHERE name = 'Batch 2'"),
            "links": first("SELECT id FROM annotation_batch WHERE kind = 'link'"),
            "gold": first("SELECT min(id) FROM annotation_goldset"),
            "goldlinks": first("SELECT min(id) FROM alignment_goldalignmentset"),
            "split": first("SELECT id FROM annotation_batch WHERE name = 'Headlines 1'"),
            "unsplit": first("SELECT id FROM annotation_batch WHERE name = 'Headlines 2'"),
            "cluster to split": first("SELECT min(id) FROM annotation_item WHERE cluster_id IS NOT NULL"),
            "goldsubclusters": first("SELECT min(id) FROM annotation_goldsubclusterset"),
            "goldpair": first("SELECT min(id) FROM annotation_goldjudgement"),
            "lexicon": first("SELECT max(id) FROM corpus_lexicon"),
            "classifier": first("SELECT max(id) FROM annotation_trainedclassifier"),
            "run": first("SELECT max(id) FROM annotation_classifierrun"),
            "aligner": first("SELECT max(id) FROM alignment_trainedaligner"),
            "experiment": first("SELECT max(id) FROM alignment_experiment"),
            "cell": first("SELECT max(id) FROM alignment_experimentcell"),
        }
    manager = {
        "projects": "/",
        "project": P,
        "project-new": "/projects/new/",
        "project-settings": f"{P}settings/",
        "members": f"{P}members/",
        "corpus": f"{P}corpus/",
        "corpus-import": f"{P}corpus/import/",
        "fetch-new": f"{P}corpus/fetch/",
        "cluster": f"{P}corpus/clusters/{ids['cluster']}/",
        "article": f"{P}corpus/articles/{ids['article']}/",
        "candidates": f"{P}candidates/",
        "extraction-new": f"{P}candidates/new/",
        "extraction": f"{P}candidates/extractions/{ids['extraction']}/",
        "dry-run": f"{P}candidates/dry-run/?preset=L12-2004",
        "matching-new": f"{P}candidates/match/",
        "headline-matching-new": f"{P}candidates/match-headlines/",
        "matching-study-new": f"{P}candidates/studies/new/",
        "characteristics": f"{P}candidates/characteristics/",
        "pairs": f"{P}candidates/pairs/",
        "pair": f"{P}candidates/pairs/{ids['pair']}/",
        "dataset-new": f"{P}candidates/datasets/new/",
        "dataset": f"{P}candidates/datasets/{ids['dataset']}/",
        "batches": f"{P}judge/",
        "batch-new": f"{P}judge/new/",
        "batch": f"{P}judge/{ids['judged']}/",
        "review": f"{P}review/",
        "review-batch": f"{P}review/{ids['judged']}/",
        "gold": f"{P}gold/",
        "gold-new": f"{P}gold/new/",
        "gold-set": f"{P}gold/{ids['gold']}/",
        "linking-batches": f"{P}link/",
        "linking-batch-new": f"{P}link/new/",
        "linking-batch": f"{P}link/{ids['links']}/",
        "gold-links-new": f"{P}gold/links/new/",
        "gold-links": f"{P}gold/links/{ids['goldlinks']}/",
        "link-agreement": f"{P}link/{ids['links']}/agreement/",
        "link-review": f"{P}link/{ids['links']}/review/",
        "split-batches": f"{P}split/",
        "split-new": f"{P}split/new/",
        "split-batch": f"{P}split/{ids['split']}/",
        "split-agreement": f"{P}split/{ids['split']}/agreement/",
        "split-review": f"{P}split/{ids['split']}/review/",
        "split-decide": f"{P}split/items/{ids['cluster to split']}/review/",
        "gold-subclusters": f"{P}gold/subclusters/{ids['goldsubclusters']}/",
        "subcluster-scores": f"{P}gold/subclusters/{ids['goldsubclusters']}/scores/",
        "agreement": f"{P}agreement/",
        "phenomena": f"{P}phenomena/",
        "progress": f"{P}progress/",
        "judged-pairs": f"{P}review/pairs/",
        "judgements-import": f"{P}judge/import/",
        "gold-pair": f"{P}gold/pairs/{ids['goldpair']}/",
        "link-import": f"{P}link/import/",
        "classifiers": f"{P}classifier/",
        "classifier-new": f"{P}classifier/new/",
        "classifier": f"{P}classifier/{ids['classifier']}/",
        "classifier-run": f"{P}classifier/runs/{ids['run']}/",
        "lexicons": f"{P}classifier/lexicons/",
        "lexicon": f"{P}classifier/lexicons/{ids['lexicon']}/",
        "aligners": f"{P}aligners/",
        "aligner-new": f"{P}aligners/new/",
        "aligner": f"{P}aligners/{ids['aligner']}/",
        "experiments": f"{P}experiments/",
        "experiment-new": f"{P}experiments/new/",
        "experiment": f"{P}experiments/{ids['experiment']}/",
        "experiment-cell": f"{P}experiments/cells/{ids['cell']}/",
        "exports": f"{P}export/",
        "export-new": f"{P}export/new/",
        "export-dataset": f"{P}export/dataset/",
        "keys": "/accounts/keys/",
        "not-found": f"{P}nowhere/",
    }
    annotator = {
        "annotator-project": P,
        "judge": f"{P}judge/{ids['open']}/answer/",
        "link": f"{P}link/{ids['links']}/answer/",
        "split": f"{P}split/{ids['unsplit']}/answer/",
    }
    return {name: ("manager", address) for name, address in manager.items()} | {
        name: ("annotator_a", address) for name, address in annotator.items()
    }


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


def take(browser: Browser, address: str, logins: dict[str, str], database: Path, save: Callable[..., None],
         schemes: list[str], widths: list[int], only: frozenset[str] = frozenset()) -> None:  # fmt: skip
    pages: dict[str, tuple[str, str]] = {}
    for scheme in schemes:
        for width in widths:
            size = {"width": width, "height": HEIGHTS[width]}
            for user in ("manager", "annotator_a"):
                context = browser.new_context(base_url=address, color_scheme=scheme, viewport=size)  # type: ignore[arg-type]
                page = context.new_page()
                page.goto("/accounts/login/")
                if user == "manager" and not only:
                    save(page, "login", scheme, width, full=False)
                page.get_by_label("Username").fill(user)
                page.get_by_label("Password").fill(logins[user])
                page.keyboard.press("Enter")
                page.wait_for_url(lambda url: "login" not in url)
                if not pages:
                    if not only:
                        prepare(page, database)
                        split_headlines(page, logins)
                    pages = addresses(database)
                for name, (whose, path) in pages.items():
                    if whose == user and (name in only or not only):
                        page.goto(path)
                        settle(page, name)
                        save(page, name, scheme, width, full=name not in BENCHES)
                context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="light and dark, wide and narrow")
    everything: Path | None = parser.parse_args().all
    folder = everything or REPOSITORY / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)

    def save(page: Page, name: str, scheme: str, width: int, *, full: bool) -> None:
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            print(f"{name} at {width}: {wide} pixels wide")
        plain = not everything and (scheme, width) == ("light", 1280)
        file = f"{name}.png" if plain else f"{name}-{scheme}-{width}.png"
        height = (
            min(page.evaluate("document.documentElement.scrollHeight"), TALLEST) if full else HEIGHTS[width]
        )
        box = {"x": 0, "y": 0, "width": width, "height": height}
        page.screenshot(path=folder / file, full_page=full, clip=box)  # type: ignore[arg-type]

    schemes, widths = (["light", "dark"], [1280, 390]) if everything else (["light"], [1280])
    with sync_playwright() as playwright, demo() as (address, logins, database):
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        take(browser, address, logins, database, save, schemes, widths)
        if not everything:
            take(browser, address, logins, database, save, ["dark"], [1280], EVERY_WAY)
            take(browser, address, logins, database, save, ["light", "dark"], [390], EVERY_WAY)
        browser.close()


if __name__ == "__main__":
    main()
