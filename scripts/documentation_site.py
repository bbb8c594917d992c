"""The documentation as a site in build/site: Zensical builds docs/ and pages that are made from the program.

Afterwards it checks what Zensical does not: pages that are in no part of the navigation, lists and tables
that a forge shows otherwise, and anything that needs the network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt

REPOSITORY = Path(__file__).resolve().parents[1]
FORGE = MarkdownIt("commonmark").enable("table")
COUNTED = ("li", "pre", "table", "img")
LOADED = re.compile(r'<(?:script|link|img|iframe)\b[^>]*? (?:src|href)="((?:https?:)?//[^"]+)"')
CONTENT = re.compile(r"<article\b.*?</article>", re.DOTALL)


def made_pages() -> dict[str, str]:
    if str(REPOSITORY) not in sys.path:
        sys.path.insert(0, str(REPOSITORY))
    from scripts import reference_pages

    pages = {
        "reference/commands.md": reference_pages.command_page(),
        "reference/manage-commands.md": reference_pages.manage_page(),
        "reference/settings.md": reference_pages.settings_page(),
        "job-states.md": reference_pages.jobs_page(),
        "data-model.md": reference_pages.tables_page(),
        "openapi.yaml": reference_pages.api_document(),
    }
    for name, text in reference_pages.library_pages().items():
        pages[f"reference/library/{name}.md"] = text
    changes = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8")
    return pages | {"CHANGELOG.md": changes.replace("](docs/", "](")}


def write_sources(folder: Path, made: Mapping[str, str]) -> list[str]:
    """docs/ with the pages that were made, and mkdocs.yml. Returns the pages that are in no part of `nav`."""
    docs = folder / "docs"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(REPOSITORY / "docs", docs)
    for name, text in made.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")
    pages = sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))
    for page in pages:
        bring_what_is_outside(docs, page)
    settings, _, listed = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")
    nav = expanded(yaml.safe_load(f"nav:{listed}")["nav"], pages)
    (folder / "mkdocs.yml").write_text(f"{settings}\n{yaml.safe_dump({'nav': nav})}", encoding="utf-8")
    return [page for page in pages if page not in leaves(nav) and not page.startswith("examples/")]


def expanded(entry: Any, pages: list[str]) -> Any:
    """An entry of `nav`, with the pages of a folder in the place of one that ends in "/"."""
    if isinstance(entry, list):
        return [expanded(each, pages) for each in entry]
    if isinstance(entry, dict):
        return {title: expanded(each, pages) for title, each in entry.items()}
    return [page for page in pages if page.startswith(entry)] if str(entry).endswith("/") else entry


def leaves(entry: Any) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    for each in entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ():
        yield from leaves(each)


def bring_what_is_outside(docs: Path, page: str) -> None:
    """Copy the files of the repository outside docs/ that a page leads to, and lead there."""
    up = "../" * (page.count("/") + 1)
    text = (docs / page).read_text(encoding="utf-8")
    for name in re.findall(rf"\]\({re.escape(up)}([^.)#][^)#]*)\)", text):
        if (REPOSITORY / name).is_file():
            (docs / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPOSITORY / name, docs / name)
            text = text.replace(f"]({up}{name})", f"]({up.removeprefix('../')}{name})")
    (docs / page).write_text(text, encoding="utf-8")


def finish_page(html: str) -> str:
    """A press on a picture opens it; the search has a name for screen readers."""
    html = re.sub(r'<img ([^>]*src="([^"]+)"[^>]*)>', r'<a href="\2"><img loading="lazy" \1></a>', html)
    return html.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def faults(html: str, markdown: str | None) -> Iterator[str]:
    """What the page loads from elsewhere, and where it shows other lists, tables or code than a forge."""
    for address in LOADED.findall(html):
        yield f"loads {address}; the site has to work without a network."
    content = CONTENT.search(html)
    if markdown is None or content is None:
        return
    expected = FORGE.render(markdown)
    for tag in COUNTED:
        here, there = (len(re.findall(rf"<{tag}\b", text)) for text in (content[0], expected))
        if here != there:
            yield (
                f"the site shows {here} <{tag}>, a forge {there}. "
                "Indent what belongs to a list item by four spaces, and put an empty line before a list."
            )


def build(site: Path, made: Mapping[str, str]) -> int:
    """Write the site, name its faults, and return their number."""
    sources = REPOSITORY / "build" / "site-source"
    found = [
        f"{page}: not included in the navigation of mkdocs.yml." for page in write_sources(sources, made)
    ]
    command = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--clean",
        "--strict",
        "--config-file",
        "mkdocs.yml",
    ]
    status = subprocess.run(command, check=False, cwd=sources, env={**os.environ, "NO_COLOR": "1"}).returncode
    shutil.rmtree(site, ignore_errors=True)
    shutil.copytree(sources / "site", site)
    for path in sorted(site.rglob("*.html")):
        page = path.relative_to(site).with_suffix(".md").as_posix().replace("index.md", "README.md")
        html, source = path.read_text(encoding="utf-8"), sources / "docs" / page
        markdown = source.read_text(encoding="utf-8") if source.exists() and page not in made else None
        found += [f"{page}: {fault}" for fault in faults(html, markdown)]
        path.write_text(finish_page(html), encoding="utf-8")
    for fault in found:
        sys.stderr.write(f"{fault}\n")
    return len(found) + (status != 0)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "build" / "site"
    sys.exit(build(folder, made_pages()) > 0)
