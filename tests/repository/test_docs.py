import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]
MADE = {DOCS / "openapi.yaml"}
"""By the build of the site."""
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")


def without_code(text):
    return re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """What its headings are called in addresses, as forges name them."""
    headings = re.findall(r"^#+ (.+)$", without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    words = (re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "]", heading).lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in words}


def links(page):
    """Each link to a file: as written, the file, and the heading in it, or ""."""
    for written in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if not re.match(r"https?:|mailto:", written):
            path, _, heading = written.partition("#")
            yield written, (page.parent / path).resolve() if path else page, heading


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for written, file, heading in links(page):
        assert file.exists() or file in MADE, written
        assert not heading or heading in anchors(file), written


def test_every_picture_is_shown():
    shown = {file for page in PAGES for _, file, _ in links(page)}
    assert set((DOCS / "screenshots").iterdir()) - shown == set()


@pytest.mark.parametrize("folders", [(DOCS, DOCS / "formats"), (DOCS / "adr",)], ids=["docs", "adr"])
def test_the_index_names_every_page(folders):
    index = folders[0] / "README.md"
    named = {file for _, file, _ in links(index)}
    pages = {page for folder in folders for page in folder.glob("*.md")} - {index}
    assert pages - named == set()


@pytest.mark.parametrize(("page", "promises"), [("security.md", 40), ("deployment.md", 22)])
def test_each_promise_names_a_test_that_exists(page, promises):
    text = (DOCS / page).read_text(encoding="utf-8")
    named = [line for line in text.split("\n") if "`tests/" in line]
    assert len(named) >= promises
    for line in named:
        file = ""
        for path, name in re.findall(r"`([\w/.]*)::([\w:]+)`", line):
            file = path or file
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"
