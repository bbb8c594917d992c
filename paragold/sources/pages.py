"""HTML pages as articles: their text in the encoding that they declare, never guessed, and its main text.

A page declares its encoding by a tag `<meta charset>` or `<meta http-equiv="content-type" content>`, or else
by an XML declaration at the very beginning. Comments, scripts, titles and other tags declare nothing. One of
two methods finds the main text.
"""

from __future__ import annotations

import codecs
import email
import html
import re
from contextlib import suppress
from email.message import EmailMessage
from email.policy import default as MODERN
from html.parser import HTMLParser
from typing import Any

from paragold import limits
from paragold.formats.text_files import known_encoding
from paragold.packages import MissingPackageError, needed
from paragold.problems import FileProblem, quoted

from .articles import Undecodable
from .main_text_model import MainTextModel, blocks_of, check_bounds, parse_page, separate_blocks

with needed("pages"):
    from lxml import etree

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# HTML looks at 1,024 bytes first, and follows declarations that its parser meets later.
HEAD_BYTES = 1 << 16
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s;\"']+)", re.IGNORECASE)
_XML = re.compile(r"<\?xml[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)")
# Elements besides scripts and styles whose content is text: tags in it are none.
_TEXT_ELEMENTS = frozenset(("title", "textarea", "xmp", "iframe", "noembed", "noframes"))

# As in WHATWG Encoding, 4.2: browsers read many labels as an encoding that has more characters.
_OF_THE_WEB = {
    **dict.fromkeys(("ascii", "iso8859-1", "user-defined"), "cp1252"),
    **{"iso8859-9": "cp1254", "utf-16": "utf-16-le", "logical": "iso8859-8", "visual": "iso8859-8"},
    **dict.fromkeys(("gb2312", "gb_2312", "gb_2312-80", "gbk"), "gb18030"),
    **dict.fromkeys(("big5", "x-big5", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("shift_jis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc_kr", "ksc_5601", "windows-949"), "cp949"),
    **dict.fromkeys(("tis-620", "iso8859-11", "windows-874", "dos-874"), "cp874"),
    **{"koi": "koi8-r", "koi8": "koi8-r", "koi8-ru": "koi8-u", "mac": "mac-roman"},
}


def page_in_mhtml(data: bytes) -> tuple[bytes, str]:
    """The HTML of a page that a browser saved as one file (RFC 2557), and the encoding that it declares.

    Raises Undecodable where there is none.
    """
    try:
        message = email.message_from_bytes(data, policy=MODERN)
        for part in message.walk():
            if isinstance(part, EmailMessage) and part.get_content_type() == "text/html":
                content = part.get_payload(decode=True)
                if isinstance(content, bytes):
                    return content, part.get_content_charset("")
    except (RecursionError, LookupError, ValueError):
        pass  # as one without a page
    raise Undecodable("The file holds no HTML page.", 'Save the page as "Webpage, HTML only".')


def decode_page(data: bytes, *, declared: str = "") -> str:
    """The page's text without a byte order mark.

    A byte order mark counts most, then `declared` (of the HTTP header, say), then the page's own declaration;
    without any of them it is UTF-8. Raises FileProblem for an unknown encoding, for bytes that the encoding
    does not have (with their offset), and for NUL characters.
    """
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", ""))
    if not encoding:
        name = declared or declared_encoding(data) or "utf-8"
        try:
            encoding = _encoding(name)
        except LookupError as error:
            message = f"The page's encoding {quoted(name)} is not known."
            raise FileProblem(message, "Save it as UTF-8.") from error
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        offset = error.start + len(mark)
        raise Undecodable(
            f"Byte {offset:,} (0x{data[offset]:02x}) is not {encoding}, "
            f"{'which the page declares' if declared or encoding != 'utf-8' else 'the default encoding'}.",
            'Save the page as UTF-8, or add <meta charset="..."> with the encoding that it has.',
        ) from error
    if "\0" in text:
        raise FileProblem("The page holds NUL characters; it is not HTML text.", "Leave it out.")
    return text


def _encoding(label: str) -> str:
    """Python's name of the encoding that browsers take a label for. Raises LookupError."""
    label = label.strip().lower().removeprefix("x-")
    label = re.sub(r"^iso-?8859-?([0-9]+)(-[ei])?$", r"iso8859-\1", label)
    name = _OF_THE_WEB.get(label) or known_encoding(label)
    return _OF_THE_WEB.get(name, name)


def declared_encoding(page: bytes) -> str:
    """The label that the page declares, in lower case; "" for none.

    The first known label counts, as browsers pass over others; without any, the first one.
    """
    head = page[:HEAD_BYTES].decode("latin-1")
    tags = _MetaTags()
    # The parser of the standard library gives up with it at malformed <![...]> sections.
    with suppress(AssertionError):
        tags.feed(head)
    declaration = _XML.match(head)
    first = ""
    for label in [*tags.labels, *([declaration[1].lower()] if declaration else [])]:
        first = first or label
        try:
            # What can be read byte by byte is not in UTF-16, whatever it says.
            return "utf-8" if _encoding(label).startswith("utf-16") else label
        except LookupError:
            continue
    return first


class _MetaTags(HTMLParser):
    """Collects the encodings that the meta tags of a page declare."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.labels: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _TEXT_ELEMENTS:
            self.set_cdata_mode(tag)
        if tag != "meta":
            return
        # The first attribute of a name counts.
        attributes = {name: (value or "").strip() for name, value in reversed(attrs)}
        label = attributes.get("charset", "")
        if "charset" not in attributes and attributes.get("http-equiv", "").lower() == "content-type":
            charset = _CHARSET.search(attributes.get("content", ""))
            label = charset[1] if charset else ""
        if label:
            self.labels.append(label.lower())


# The main text.

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
    with needed("pages"):
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
    with needed("pages"):
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
    except (FileProblem, MemoryError, MissingPackageError):
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
