"""What `mkdocs.yml` needs beyond MkDocs: pages made from the program, and checks of what the reader sees."""

from __future__ import annotations

import logging
import re
import sys
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

REPOSITORY = Path(__file__).resolve().parents[1]
log = logging.getLogger("mkdocs.paragold")
FORGE = MarkdownIt("commonmark").enable("table")
COUNTED = ("li", "pre", "table", "img")
LOADED = re.compile(r'<(?:script|link|img|iframe)\b[^>]*? (?:src|href)="((?:https?:)?//[^"]+)"')
made: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> None:
    """Make the pages, and put the pages of a folder in the place of an entry of `nav` that ends in "/"."""
    if str(REPOSITORY) not in sys.path:
        sys.path.insert(0, str(REPOSITORY))  # here: MkDocs restores the path after loading this file
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
    made.clear()
    made.update(pages, **{"CHANGELOG.md": changes.replace("](docs/", "](")})
    written = {path.relative_to(config.docs_dir).as_posix() for path in Path(config.docs_dir).rglob("*.md")}
    config.nav = expanded(config.nav, sorted({*made, *written}))


def expanded(entry: Any, pages: list[str]) -> Any:
    if isinstance(entry, list):
        return [expanded(each, pages) for each in entry]
    if isinstance(entry, dict):
        return {title: expanded(each, pages) for title, each in entry.items()}
    return [page for page in pages if page.startswith(entry)] if str(entry).endswith("/") else entry


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that were made, and files of the repository outside docs/ that pages lead to."""
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    pages = files.documentation_pages()
    outside = {name for file in pages for name in links_outside(file.content_string, file.src_uri)}
    for name in sorted(outside):
        files.append(File.generated(config, name, abs_src_path=str(REPOSITORY / name)))
    return files


def links_outside(text: str, page: str) -> list[str]:
    """Files of the repository outside docs/ that a page leads to, by their paths in the repository."""
    up = re.escape(upwards(page))
    return [name for name in re.findall(rf"\]\({up}([^.)#][^)#]*)\)", text) if (REPOSITORY / name).is_file()]


def upwards(page: str) -> str:
    """From a page in docs/ to the repository's folder."""
    return "../" * (page.count("/") + 1)


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    up = upwards(page.file.src_uri)
    for name in links_outside(markdown, page.file.src_uri):
        markdown = markdown.replace(f"]({up}{name})", f"]({up.removeprefix('../')}{name})")
    return markdown


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A press on a picture opens it. Warns where lists, tables or code are not those that a forge shows."""
    if page.file.src_uri not in made:
        compare_with_forge(html, page)
    return re.sub(r'<img ([^>]*src="([^"]+)"[^>]*)>', r'<a href="\2"><img loading="lazy" \1></a>', html)


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:
    """Name the search for screen readers, which the theme forgets. Warns of what needs the network."""
    for address in LOADED.findall(output):
        log.warning(
            "%s: the page loads %s; the site has to work without a network.", page.file.src_uri, address
        )
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')


def compare_with_forge(html: str, page: Page) -> None:
    """Warn of a page on which MkDocs, which reads another dialect, makes other lists, tables or code."""
    expected = FORGE.render(page.markdown or "")
    for tag in COUNTED:
        here, there = (len(re.findall(rf"<{tag}\b", text)) for text in (html, expected))
        if here != there:
            advice = "Indent what belongs to a list item by four spaces, and put an empty line before a list."
            log.warning(f"{page.file.src_uri}: the site shows {here} <{tag}>, a forge {there}. {advice}")
