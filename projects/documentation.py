"""The documentation of docs/ as pages of the application: HTML, contents, and a search."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from posixpath import join, normpath
from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

FOLDER: Path = settings.BASE_DIR / "docs"
START = "README"
MOST_RESULTS = 30
NO_LETTERS = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the words below it; `anchor` is "" for the text above the first heading of a page."""

    page: str
    title: str
    anchor: str
    level: int
    text: str

    @property
    def url(self) -> str:
        return url_of(f"{self.page}#{self.anchor}" if self.anchor else self.page)


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    title: str
    html: SafeString
    sections: Sequence[Section]

    @property
    def contents(self) -> list[Section]:
        return [section for section in self.sections if section.level == 2]


def url_of(place: str) -> str:
    """The address of a page of docs/ or of a section of it, such as "extraction" or "extraction#dry-run"."""
    name, mark, anchor = place.partition("#")
    if name == "glossary":  # which has a page of its own
        return reverse("glossary")
    return reverse("documentation-page", args=[name]) + mark + anchor


def page_names() -> list[str]:
    """The pages by their path in docs/ without the suffix, such as "formats/pairs"."""
    return sorted(file.removesuffix(".md") for file in _files() if file.endswith(".md"))


def page_of(name: str) -> Page | None:
    """The page of docs/`name`.md; None where there is none."""
    return _page(name) if f"{name}.md" in _files() else None


@cache
def _page(name: str) -> Page:
    tokens = _markdown.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    sections = _sections(name, tokens)
    html = _markdown.renderer.render(tokens, _markdown.options, {"page": name})
    return Page(name, sections[0].title, mark_safe(html), sections)  # noqa: S308 - our own files, no raw HTML


def file_of(name: str) -> Path | None:
    """A file of docs/ that is no page, such as a picture."""
    return FOLDER / name if name in _files() else None


@cache
def _files() -> frozenset[str]:
    return frozenset(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file())


def search(words: str) -> list[Section]:
    """Sections that have all the words, those with the words in their heading first."""
    wanted = words.lower().split()
    if not wanted:
        return []
    ranked = []
    for name in page_names():
        page = page_of(name)
        for section in page.sections if page else ():
            title, text = section.title.lower(), section.text.lower()
            if all(word in title or word in text for word in wanted):
                rank = sum(10 * (word in title) + text.count(word) for word in wanted)
                ranked.append((-rank, name, section.anchor, section))
    return [section for *_, section in sorted(ranked, key=lambda entry: entry[:3])[:MOST_RESULTS]]


def _sections(name: str, tokens: Sequence[Token]) -> list[Section]:
    """Gives the headings their anchors, as forges make them, and collects what stands below each."""
    heads: list[tuple[str, str, int]] = []
    texts: list[list[str]] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline" and before and before.type == "heading_open":
            title = token.content.replace("`", "").replace("*", "")
            level = int(before.tag[1])
            anchor = NO_LETTERS.sub("", title.lower()).replace(" ", "-") if heads else ""
            before.attrSet("id", anchor or "top")
            heads.append((title, anchor, level))
            texts.append([])
        elif token.content and texts:
            texts[-1].append(token.content)
    parts = zip(heads, texts, strict=True)
    return [Section(name, title, anchor, level, "\n".join(text)) for (title, anchor, level), text in parts]


def _link(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """A link between files of docs/ leads to the page of the file."""
    token = tokens[at]
    token.attrSet("href", _address(str(token.attrGet("href")), env["page"]))
    return html.renderToken(tokens, at, options, env)


def _image(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    token = tokens[at]
    token.attrSet("src", _address(str(token.attrGet("src")), env["page"]))
    token.attrSet("loading", "lazy")
    return html.image(tokens, at, options, env)


def _address(target: str, page: str) -> str:
    """The address in the application of what a link or a picture on a page of docs/ leads to."""
    path, mark, anchor = target.partition("#")
    if not path or "://" in target:
        return target
    file = normpath(join(page, "..", path))
    if file == "openapi.yaml":
        return reverse("api-schema")
    if file.startswith("../static/"):
        return static(file.removeprefix("../static/"))
    return url_of(file.removesuffix(".md") + mark + anchor)


def _code(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    shown = html.code_block if tokens[at].type == "code_block" else html.fence
    return shown(tokens, at, options, env).replace("<pre>", '<pre tabindex="0">', 1)


def _table_open(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    return '<div class="scroll" tabindex="0"><table class="data">'


def _table_close(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    return "</table></div>"


def _head(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """A head without words is an ordinary cell."""
    cell = tokens[at + 1] if tokens[at].nesting == 1 else tokens[at - 1]
    if not cell.content:
        tokens[at].tag = "td"
    return html.renderToken(tokens, at, options, env)


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
_markdown.add_render_rule("link_open", _link)
_markdown.add_render_rule("image", _image)
_markdown.add_render_rule("fence", _code)
_markdown.add_render_rule("code_block", _code)
_markdown.add_render_rule("table_open", _table_open)
_markdown.add_render_rule("table_close", _table_close)
_markdown.add_render_rule("th_open", _head)
_markdown.add_render_rule("th_close", _head)
