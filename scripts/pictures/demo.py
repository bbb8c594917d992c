"""A throw-away demo installation, and the work in it without which many pages would be empty."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from scripts.services import launched_demo

REPOSITORY = Path(__file__).resolve().parents[2]

SIGN_ON = {
    "PARAGOLD_MAIL": "console",
    "PARAGOLD_MAIL_FROM": "paragold@paragold.example",
    "PARAGOLD_SECOND_FACTOR": "1",
    "PARAGOLD_SESSIONS": "1",
}

ASK = """async ([path, body, method = "POST"]) => {
  const token = document.cookie.split("; ").find((pair) => pair.includes("csrf")).split("=")[1];
  const key = { "X-CSRFToken": token, "Idempotency-Key": crypto.randomUUID() };
  const headers = { "Content-Type": "application/json", ...key };
  const base = path.startsWith("/") ? "" : "/api/v1/projects/demo/";
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) });
  return [answer.status, await answer.text()];
}"""


@dataclass(frozen=True)
class Demo:
    """Its address, the passwords by user name, and its database."""

    address: str
    passwords: dict[str, str]
    database: Path

    def log_in(self, context: BrowserContext, user: str) -> Page:
        page = context.new_page()
        page.goto("/accounts/login/")
        page.get_by_label("Username").fill(user)
        page.get_by_label("Password").fill(self.passwords[user])
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: "login" not in url)
        return page


@contextlib.contextmanager
def demo() -> Iterator[Demo]:
    """Starts the installation, and ends it."""
    with launched_demo(**SIGN_ON) as (_, var, address):
        time.sleep(6)  # until the worker has said that it is there
        lines = (var / "logins.txt").read_text(encoding="utf-8").split("\n")
        rows = [line.split() for line in lines if len(line.split()) >= 3]
        passwords = {row[-2]: row[-1] for row in rows}
        passwords["admin"] = create_admin(os.environ | SIGN_ON | {"PARAGOLD_VAR": str(var)})
        yield Demo(address, passwords, var / "paragold.sqlite3")


def create_admin(environment: dict[str, str]) -> str:
    """Makes the user `admin`, an administrator; returns the password."""
    command = [sys.executable, "manage.py", "create_user", "admin", "--admin", "--generate"]
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout.split()[-1]


def prepare(browser: Browser, installation: Demo) -> None:
    """Do the work that the demo comes without."""
    context = browser.new_context(base_url=installation.address)
    page = installation.log_in(context, "manager")
    page.goto("/projects/demo/members/")
    status, text = page.evaluate(ASK, ["members/", {"username": "manager", "role": "adjudicator"}])
    assert status == 201, text
    train(page, installation.database)
    split_headlines(page, browser, installation)
    context.close()


def train(page: Page, database: Path) -> None:
    """Lexicon, classifier, refined dataset, aligner, experiment, matching."""

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
    page.goto("/projects/demo/launch/build-lexicon/")
    page.locator("main form button.main").click()
    wait_for_jobs(database)
    page.goto("/projects/demo/members/")
    ask("operations/train-classifier/", name="first", gold_set=gold)
    ask("operations/apply-classifier/", classifier=1, dataset=dataset, name="refined", threshold=0.5)
    ask(
        "operations/train-aligner/",
        name="best",
        settings={"aligner": "best"},
        datasets=[dataset],
        gold_set=links,
    )
    ask("operations/apply-aligner/", trained=1, dataset=dataset)
    ask(
        "operations/run-experiment/",
        name="first table",
        datasets=[dataset],
        gold_sets=[links],
        aligners=["identity", "hmm", "best"],
    )
    page.goto("/projects/demo/launch/match-sentences/")
    page.locator("[name=scope][value=project]").check()
    page.locator("[name=method]").select_option("minhash")
    page.locator("[name=name]").fill("words")
    page.locator("main form button.main").click()
    wait_for_jobs(database)
    page.goto("/projects/demo/members/")


def split_headlines(page: Page, browser: Browser, installation: Demo) -> None:
    """Have both annotators split the demo's headlines in ways of their own, and freeze what they share."""
    ask: Callable[..., list[Any]] = functools.partial(page.evaluate, ASK)
    both = ["annotator_a", "annotator_b"]
    for name in ("Headlines 1", "Headlines 2"):
        status, text = ask(
            ["operations/draw-splitting-batch/", {"name": name, "annotators": both, "headlines": 30}]
        )
        assert status == 201, text
        batch = json.loads(text)["id"]
        if name == "Headlines 2":
            break
        for number, user in enumerate(both):
            context = browser.new_context(base_url=installation.address)
            own = installation.log_in(context, user)
            queue = own.request.get(f"/api/v1/batches/{batch}/queue/?limit=100").json()
            for item in queue["items"]:
                places = [[n, 1 if n <= 2 + number else 2 if n <= 5 else None] for n in headlines_of(item)]
                body = {"placements": places, "version": 0, "submitted": True, "milliseconds": 21_000}
                address = f"/api/v1/assignments/{item['assignment']}/placements/"
                status, text = own.evaluate(ASK, [address, body, "PUT"])
                assert status == 200, text
            context.close()
        frozen = {"name": "sub-clusters", "batch": batch, "rule": "shared"}
        status, text = ask(["operations/freeze-subclusters/", frozen])
        assert status == 201, text


def headlines_of(item: dict[str, Any]) -> list[int]:
    return [headline["number"] for headline in item["headlines"]]


def wait_for_jobs(database: Path) -> None:
    """Until the worker has nothing left to do."""
    for _ in range(600):
        time.sleep(0.5)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            active = connection.execute(
                "SELECT count(*) FROM jobs_job WHERE state IN ('queued', 'running')"
            ).fetchone()[0]
            failed = connection.execute("SELECT title, error FROM jobs_job WHERE state = 'failed'").fetchone()
        if failed:
            raise SystemExit(f"{failed[0]}: {failed[1]}")
        if not active:
            return
    raise SystemExit("The jobs did not end.")
