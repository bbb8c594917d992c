"""Extracting the main text of a news page: title, date, outlet and paragraphs, by one of two methods."""

from __future__ import annotations

import html
import re
from typing import Any

from lxml import etree

from paragold import limits
from paragold.problems import FileProblem

from .blocks import blocks_of, check_bounds, parse_page, separate_blocks
from .main_text_model import MainTextModel

# Elements that do not end a paragraph. In the trees of short pages trafilatura leaves elements of HTML.
_INLINE = frozenset(
    re.findall(
        r"\w+", "a abbr b bdi bdo cite em font graphic hi i ins mark ref small span strong sub sup time u"
    )
)
# Elements within a sentence of which trafilatura would make blocks, or lose the white space around them.
_WITHIN_SENTENCES = etree.XPath(
    "//*[self::q or self::code or self::del or self::s or self::strike]"
    "[ancestor::p or ancestor::li or ancestor::dd or ancestor::dt or ancestor::blockquote]"
    "[not(ancestor::pre)]"
)
# Blocks in quotations and list items, whose tags trafilatura takes away with the white space around them.
_NESTED_BLOCKS = etree.XPath(
    "//*[self::div or self::blockquote or self::section or self::article or self::address or self::center"
    " or self::header or self::footer or self::main or self::figure or self::figcaption]"
    "[ancestor::li or ancestor::dd or ancestor::dt or ancestor::blockquote]"
)
_PARAGRAPHS_AND_LISTS = ("p", "ul", "ol", "dl", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6")
# Places where a browser may break a word: soft hyphens and spaces without width.
_INVISIBLE = {0xAD: None, 0x200B: None}


def extract_main_text(page: str, *, url: str = "", model: MainTextModel | None = None) -> dict[str, Any]:
    """The main text of an HTML page: its `paragraphs`, without headings, which are no sentences.

    Also `title`, `source`, and `published`, a date as ISO 8601 has it; what is unknown is empty. `model`
    chooses the blocks that are main text; without one trafilatura does. Title, date and outlet come from the
    page's own metadata either way. Raises FileProblem for a page that is empty or too large.
    """
    check_bounds(page)
    metadata = _metadata(page, url)
    if model is None:
        paragraphs = _by_trafilatura(page)
    else:
        blocks = blocks_of(page)
        paragraphs = [
            block.text for block, is_main in zip(blocks, model.label(blocks), strict=True) if is_main
        ]
    return {"paragraphs": [text for text in paragraphs if text != metadata["title"]]} | metadata


def _by_trafilatura(page: str) -> list[str]:
    # Imported late: a worker that never meets a page does not pay for it.
    import trafilatura

    parse_page(page)
    # Its own reader repairs pages, and takes text that only looks like a page for none.
    tree = trafilatura.load_html(page)
    if tree is None:
        return []
    for element in _WITHIN_SENTENCES(tree):
        element.drop_tag()
    for block in reversed(_NESTED_BLOCKS(tree)):
        if next(block.iterdescendants(*_PARAGRAPHS_AND_LISTS), None) is not None:
            block.addprevious(etree.Element("br"))
            block.addnext(etree.Element("br"))
            block.drop_tag()
        else:
            block.tag = "p"
    separate_blocks(tree)
    document = trafilatura.bare_extraction(
        tree, include_comments=False, include_tables=False, deduplicate=False, favor_precision=False
    )
    body = getattr(document, "body", None)
    # Of a page with nothing but links trafilatura gives these.
    return [] if body is None or body.tag in ("a", "nav") else paragraphs_of(body)


def paragraphs_of(body: etree._Element) -> list[str]:
    """The paragraphs of a tree that trafilatura made: all its text once and in order, without headings.

    Every element that is not inline ends a paragraph where it begins and where it ends, line breaks too.
    White space is one space. Entities are resolved as trafilatura's own text has them: twice.
    """
    paragraphs: list[str] = []
    pieces: list[str] = []

    def end_paragraph() -> None:
        if text := " ".join(html.unescape("".join(pieces)).translate(_INVISIBLE).split()):
            paragraphs.append(text)
        pieces.clear()

    walk = etree.iterwalk(body, events=("start", "end"))
    for event, element in walk:
        if element.tag not in _INLINE:
            end_paragraph()
        if event == "end":
            pieces.append(element.tail or "")
        elif element.tag == "head":
            walk.skip_subtree()
        else:
            pieces.append(element.text or "")
    end_paragraph()
    return paragraphs


def _metadata(page: str, url: str) -> dict[str, Any]:
    from trafilatura import extract_metadata

    metadata = extract_metadata(
        page, default_url=url or None, date_config={"extensive_search": False, "original_date": True}
    )
    known = {"title": metadata.title, "published": metadata.date, "source": metadata.sitename}
    return {name: " ".join((text or "").split()) for name, text in known.items()}


def page_fields(page: str, *, url: str = "", model: MainTextModel | None = None) -> dict[str, Any]:
    """The fields of an article that an HTML page holds. Raises FileProblem: any error is one of the page."""
    try:
        fields = extract_main_text(page, url=url, model=model)
    except (FileProblem, MemoryError):
        raise
    except etree.XPathEvalError:
        raise MemoryError from None  # the expressions are fixed: nothing else makes them fail
    except RecursionError:
        raise FileProblem("The page's tags are nested too deep.", "Leave it out.") from None
    except Exception as error:
        raise FileProblem(f"The page cannot be read ({type(error).__name__}).", "Leave it out.") from error
    fields["title"] = fields["title"][: limits.TITLE_CHARACTERS]
    fields["source"] = fields["source"][: limits.SOURCE_CHARACTERS]
    return {name: value for name, value in fields.items() if value or name == "paragraphs"}
