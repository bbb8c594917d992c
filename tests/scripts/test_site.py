"""The documentation as a site: pages made from the program, and what the strict build refuses.

The gate builds the whole site; these tests build none or small ones.
"""

import shutil
from pathlib import Path

import pytest

from config.variables import VARIABLES
from scripts import documentation_site, reference_pages

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def built(tmp_path, monkeypatch, capfd):
    """Builds a small site with our settings, the first page alone in the navigation."""

    def build(pages):
        (tmp_path / "docs").mkdir()
        for name, text in pages.items():
            (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
        for name in ("iframe-worker.js", "site.css", "favicon.svg"):
            shutil.copy(ROOT / "docs" / name, tmp_path / "docs")
        settings, _, _ = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")
        (tmp_path / "mkdocs.yml").write_text(f"{settings}\nnav: [{next(iter(pages))}]\n", encoding="utf-8")
        monkeypatch.setattr(documentation_site, "REPOSITORY", tmp_path)
        faults = documentation_site.build(tmp_path / "site", {})
        printed = capfd.readouterr()
        return faults, printed.out + printed.err

    return build


def test_a_page_missing_from_the_navigation_is_named(built):
    faults, said = built({"README.md": "# A\n", "new-page.md": "# B\n"})
    assert faults == 1
    assert "new-page.md: not included in the navigation" in said


def test_a_link_to_a_missing_heading_is_named(built):
    faults, said = built({"README.md": "# A & B\n\n[here](#a--b) [there](#nowhere)\n"})
    assert faults == 1
    assert "1 issue found" in said and "README.md:3:" in said


def test_a_site_without_faults_works_from_a_folder(built, tmp_path):
    faults, _ = built({"README.md": "# A & B\n\n[here](#a--b) ![A](favicon.svg)\n"})
    assert faults == 0
    page = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert '<h1 id="a--b">' in page and '<a href="favicon.svg"><img loading="lazy"' in page
    assert 'role="dialog" aria-label="Search">' in page
    assert (tmp_path / "site/search.js").is_file()  # JSON would not be loaded without a server


@pytest.mark.parametrize(("items", "named"), [("<li>one</li>", True), ("<li>one</li><li>two</li>", False)])
def test_a_list_that_a_forge_shows_otherwise_is_named(items, named):
    page = f"<nav><li>Start</li></nav><article><ol>{items}</ol></article>"
    found = [*documentation_site.faults(page, "1. one\n2. two\n")]
    assert [fault.startswith("the site shows 1 <li>, a forge 2.") for fault in found] == [True] * named


def test_a_page_that_needs_the_network_is_named():
    html = '<script defer src="https://cdn.example/x.js"></script><a href="https://example.org">there</a>'
    [fault] = documentation_site.faults(html, None)
    assert fault.startswith("loads https://cdn.example/x.js;")


def test_every_variable_that_is_read_is_declared_and_the_other_way_round():
    assert set(reference_pages.variables_read()) == set(VARIABLES)


def test_the_page_of_settings_has_default_meaning_and_reader():
    [row] = [line for line in reference_pages.settings_page().splitlines() if line.startswith("| `PORT` ")]
    assert row == "| `PORT` | `8000` | port to listen on; read in `ops.launcher.address` |"
