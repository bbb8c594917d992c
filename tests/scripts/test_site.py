"""The documentation as a site: pages made from the program, and what the strict build refuses.

The gate builds the whole site; these tests build none or a small one.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from config.variables import VARIABLES
from paragold.cli.main import COMMANDS
from scripts import documentation_site, reference_pages

ROOT = Path(__file__).resolve().parents[2]


def built(folder: Path, pages: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The strict build of some pages, the first alone in the navigation, by the settings of mkdocs.yml."""
    (folder / "docs").mkdir()
    for name, text in pages.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        f"INHERIT: {ROOT}/mkdocs.yml\nhooks: []\nplugins: []\nwatch: []\nnav: [{next(iter(pages))}]\n"
    )
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", folder / "mkdocs.yml")
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_page_missing_from_the_navigation_is_named(tmp_path: Path) -> None:
    result = built(tmp_path, {"README.md": "# A\n", "new-page.md": "# B\n"})
    assert result.returncode == 1
    assert 'not included in the "nav" configuration' in result.stderr and "new-page.md" in result.stderr


def test_a_link_to_a_missing_heading_is_named(tmp_path: Path) -> None:
    result = built(tmp_path, {"README.md": "# A & B\n\n[here](#a--b) [there](#nowhere)\n"})
    assert result.returncode == 1
    assert "#nowhere" in result.stderr and "#a--b" not in result.stderr


def test_a_folder_in_the_navigation_becomes_its_pages() -> None:
    pages = ["adr/0001.md", "adr/0002.md", "api.md"]
    assert documentation_site.expanded([{"API": "api.md"}, {"Decisions": "adr/"}], pages) == [
        {"API": "api.md"},
        {"Decisions": ["adr/0001.md", "adr/0002.md"]},
    ]


@pytest.mark.parametrize(("items", "warned"), [("<li>one</li>", True), ("<li>one</li><li>two</li>", False)])
def test_a_list_that_a_forge_shows_otherwise_is_named(
    items: str, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    page = SimpleNamespace(markdown="1. one\n2. two\n", file=SimpleNamespace(src_uri="steps.md"))
    with caplog.at_level(logging.WARNING):
        documentation_site.compare_with_forge(f"<ol>{items}</ol>", page)  # type: ignore[arg-type]  # a page's part
    assert ("steps.md: the site shows 1 <li>, a forge 2" in caplog.text) is warned


def test_a_page_that_needs_the_network_is_named(caplog: pytest.LogCaptureFixture) -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="a.md"))
    html = '<script defer src="https://cdn.example/x.js"></script><a href="https://example.org">there</a>'
    with caplog.at_level(logging.WARNING):
        documentation_site.on_post_page(html, page=page, config=None)  # type: ignore[arg-type]  # a page's part
    assert [record.args for record in caplog.records] == [("a.md", "https://cdn.example/x.js")]


def test_every_variable_that_is_read_is_declared_and_the_other_way_round() -> None:
    assert set(reference_pages.variables_read()) == set(VARIABLES)


def test_the_page_of_settings_has_default_meaning_and_reader() -> None:
    [row] = [line for line in reference_pages.settings_page().splitlines() if line.startswith("| `PORT` ")]
    assert row == "| `PORT` | `8000` | port to listen on; read in `ops.launcher.address` |"


def test_commands_have_all_their_arguments() -> None:
    page = reference_pages.command_page()
    assert [line[3:] for line in page.splitlines() if line.startswith("## ")] == list(COMMANDS)
    parser = ArgumentParser(prog="paragold try", description="Tries `--a|b` and --fast <it>.")
    parser.add_argument("--level", choices=("low", "high"), default="low", metavar="NAME", help="how much")
    parser.add_argument("--way", choices=("fast", "exact"), help="fast or exact")
    shown = reference_pages.described("try", parser)
    assert r"Tries `--a|b` and `--fast` \<it\>." in shown.replace("\\|", "|")
    assert "| `--level NAME` | how much (default: low); one of low, high |" in shown
    assert "| `--way` | fast or exact |" in shown


def test_the_library_reference_has_what_is_documented_in_full() -> None:
    pages = reference_pages.library_pages()
    assert (
        "## paragold.metrics.error_rate\n\n::: paragold.metrics.error_rate.compare\n" in pages["metrics"]
    )  # numpydoc sections
    assert "::: paragold.extraction.files.extract_file\n" in pages["extraction"]  # used in docs/library.md
    assert "cli" not in pages and "._" not in "".join(pages.values())
