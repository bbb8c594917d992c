"""What an installation with the demo project gives: answers of the API, numbers on pages, exports.

    python -m tests.upgrade.observing

Prints JSON about the installation in the data folder (PARAGOLD_VAR). Nothing in it depends on the day.
Addresses are promised to users: a release that changes one breaks programs of others.
"""

import hashlib
import io
import json
import re
import sys
import tempfile
from pathlib import Path

from lxml import html

PROJECT = "projects/demo/"
LISTS = (
    *(
        "members",
        "imports",
        "clusters",
        "articles",
        "sentences",
        "extractions",
        "pairs",
        "datasets",
        "batches",
    ),
    *("gold-sets", "gold-alignments", "exports", "trained-aligners"),
)
FIGURES = ("agreement/", "phenomena/")
PAGES = (
    *("corpus/", "corpus/articles/", "candidates/", "candidates/pairs/", "judge/", "link/", "review/"),
    *("gold/", "agreement/"),
)
OF_A_BATCH = ("queue", "history")
NUMBER = re.compile(r"[\d.,%–-]*\d[\d.,%–-]*")
# Written by packages or by the program with its version: they differ without a change of the data.
OTHERWISE = {".parquet", ".md", "manifest.json"}


def observe():
    """By address the API's answers and the numbers in tables of pages, by name the sha256 of exports."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    def client(name):
        browser = Client(headers={"host": "localhost"})
        browser.force_login(User.objects.get(username=name))
        return browser

    manager, annotator = client("manager"), client("annotator_a")
    answers = {f"{PROJECT}{name}": answer(manager, f"/{PROJECT}{name}?format=json") for name in FIGURES}
    answers |= {f"{PROJECT}{name}/": items(manager, f"{PROJECT}{name}/") for name in LISTS}
    for batch in answers[f"{PROJECT}batches/"]:
        for name in OF_A_BATCH:
            address = f"batches/{batch['id']}/{name}/"
            answers[address] = answer(annotator, f"/api/v1/{address}?limit=100")
    pages = {f"/{PROJECT}{name}": numbers(manager, f"/{PROJECT}{name}") for name in PAGES}
    # The release had the datasets on the page of candidates.
    pages[f"/{PROJECT}candidates/"] += numbers(manager, f"/{PROJECT}candidates/datasets/")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for gold in ("demo-gold", "demo-links"):
            call_command("export_gold", project="demo", gold=gold, output=folder / gold, stdout=io.StringIO())
        found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        files = {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in found
            if not {path.suffix, path.name} & OTHERWISE
        }
    return {"answers": answers, "pages": pages, "files": files}


def answer(client, address):
    response = client.get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address}: {response.status_code} {response.content[:300]!r}")
    return response.json()


def items(client, address):
    """All rows of a list."""
    rows, cursor = [], "?limit=500"
    while cursor:
        page = answer(client, f"/api/v1/{address}{cursor}")
        rows += page["items"]
        cursor = f"?limit=500&cursor={page['next']}" if page.get("next") else ""
    return rows


def numbers(client, address):
    """Of the cells of tables and lists of terms, in order."""
    response = client.get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address}: {response.status_code}")
    cells = html.document_fromstring(response.content).xpath("//main//td | //main//dd")
    texts = [" ".join(cell.text_content().split()) for cell in cells]
    return [text for text in texts if NUMBER.fullmatch(text)]


def main():
    import django

    django.setup()
    json.dump(observe(), sys.stdout)


if __name__ == "__main__":
    main()
